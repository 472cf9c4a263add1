"""make install into a directory, a server and a match from there, make uninstall, and make dist.

usage: test_install.py BUILD_DIR
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(1, sys.path[0] + "/../support")
from harness import Checks, LIMIT_S, Server, build_folder  # noqa: E402

BUILD = build_folder()
PROGRAMS = ["bin/ludus", "bin/ludus-bot", "bin/ludus-bridge", "bin/ludusd"]
FILES = ["lib/systemd/system/ludusd.service", "lib/systemd/system/ludusd.socket",
         "lib/sysusers.d/ludusd.conf",
         *("share/doc/ludus/" + name for name in (
             "LICENSE", "README.md", "protocol.md", "examples/bot.py", "examples/gtp_clobber.py", "examples/player.js", "examples/player.py",
             "examples/player.sh", "examples/player.pl", "examples/Player.java",
             "examples/ludus-avahi.service",
             *glob.glob("*/*.md"), "client/web/README.md", "client/python/README.md", "common/protocol.schema.json", *glob.glob("tests/*/*.md"),
             *(f"tests/shots/{name}" for name in (
                 "hint.svg", "light.svg", "web-latrunculi-desktop-light.webp", "web-xadrersi-desktop-dark.webp")))),
         *(f"share/locale/{os.path.basename(path)[:-3]}/LC_MESSAGES/ludus.mo" for path in glob.glob("client/languages/*.po")),
         "share/man/man5/ludusd.conf.5", "share/man/man6/ludus-bot.6",
         "share/man/man6/ludus-bridge.6", "share/man/man6/ludus.6",
         "share/man/man8/ludusd.8",
         *(f"share/{path}" for name in ("ludus", "ludus-bot", "ludus-bridge", "ludusd")
           for path in (f"bash-completion/completions/{name}.bash", f"zsh/site-functions/_{name}"))]


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT_S,
                          stdin=subprocess.DEVNULL, **more)


def make(*words):
    """Runs make as if no other make had called it."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("MAKE", "MFLAGS"))}
    return run("make", "--no-print-directory", *words, env=environment)


def read(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def files_below(folder):
    return sorted(os.path.relpath(os.path.join(where, name), folder)
                  for where, _, names in os.walk(folder) for name in names)


def installed(checks, folder, *words, target="install-files"):
    done = make(target, f"BUILD={BUILD}", f"DESTDIR={folder}", *words)
    checks.equal((done.returncode, done.stderr), (0, ""), f"make {target}")
    return folder


def what_is_there(checks):
    """Programs, man pages and documents are installed in their places, and uninstalled."""
    with tempfile.TemporaryDirectory() as folder:
        installed(checks, folder)
        checks.equal(files_below(folder), sorted(["etc/ludus/ludusd.conf",
                                    *("usr/local/" + name for name in PROGRAMS + FILES)]),
                     "what is installed")
        modes = {name: os.stat(os.path.join(folder, "usr/local", name)).st_mode & 0o777
                 for name in PROGRAMS + FILES}
        checks.equal(modes, {**dict.fromkeys(PROGRAMS, 0o755), **dict.fromkeys(FILES, 0o644)},
                     "the modes")
        installed(checks, folder, target="uninstall")
        checks.equal(files_below(folder), [], "what is left after make uninstall")
        checks.check(not os.path.exists(os.path.join(folder, "etc/ludus")), "its folder is gone")


def as_root(checks):
    """Installing writes nothing into the build, where files of root would be in the way of their owner."""
    with tempfile.TemporaryDirectory() as folder:
        build = os.path.join(folder, "build")
        os.mkdir(build)
        names = sorted(map(os.path.basename, PROGRAMS))
        for name in names:
            os.symlink(os.path.abspath(os.path.join(BUILD, name)), os.path.join(build, name))
        os.symlink(os.path.abspath(os.path.join(BUILD, "locale")), os.path.join(build, "locale"))
        installed(checks, os.path.join(folder, "root"), f"BUILD={build}", "UNITS=")
        checks.equal(files_below(build), names, "the build")


def links(checks):
    """Links in installed documents lead somewhere."""
    with tempfile.TemporaryDirectory() as folder:
        documents = os.path.join(installed(checks, folder), "usr/local/share/doc/ludus")
        found = 0
        for page in files_below(documents):
            if not page.endswith(".md"):
                continue
            for link in re.findall(r'\]\(([^)]+)\)|src="([^"]+)"', read(os.path.join(documents, page))):
                path = "".join(link).partition("#")[0]
                if "://" in path or not path:
                    continue
                found += 1
                path = os.path.normpath(os.path.join(documents, os.path.dirname(page), path))
                checks.check(path.startswith(documents + "/") and os.path.isfile(path),
                             f"{page}: {''.join(link)} is installed")
        checks.check(found > 10, "there are links", found)


def after_make_clean(checks):
    """Without a build, uninstall removes exactly what was installed."""
    with tempfile.TemporaryDirectory() as folder:
        share = os.path.join(installed(checks, folder), "usr/local/share")
        with open(os.path.join(share, "zsh/site-functions/_other"), "w"):
            pass
        installed(checks, folder, f"BUILD={folder}/none", target="uninstall")
        checks.equal(files_below(share), ["zsh/site-functions/_other"], "what is left")


def other_folders(checks):
    """The usual directory variables work, and the units name the right directories."""
    with tempfile.TemporaryDirectory() as folder:
        installed(checks, folder, "PREFIX=/opt/ludus", "bindir=/usr/games", "mandir=/usr/man",
                  "sbindir=/usr/sbin", "unitdir=/units")
        for name in ("usr/games/ludus-bot", "usr/man/man6/ludus.6", "usr/sbin/ludusd",
                     "opt/ludus/etc/ludus/ludusd.conf"):
            checks.check(os.path.exists(os.path.join(folder, name)), name, files_below(folder))
        unit = read(os.path.join(folder, "units/ludusd.service"))
        checks.check("ExecStart=/usr/sbin/ludusd\n" in unit and "/usr/local" not in unit
                     and "\nEnvironment=CONFIGURATION_DIRECTORY=/opt/ludus/etc/ludus\n" in unit,
                     "the unit names these folders", unit)


def blanks(checks):
    """Only DESTDIR may have blanks; another folder that has one is refused before anything is installed."""
    with tempfile.TemporaryDirectory(prefix="a b") as folder:
        installed(checks, folder, "PREFIX=/opt/ludus")
        checks.check(os.path.exists(os.path.join(folder, "opt/ludus/bin/ludus")), "DESTDIR", files_below(folder))
    with tempfile.TemporaryDirectory() as folder:
        for word in ("PREFIX=/opt/my games", "bindir=/usr/my games"):
            done = make("install-files", f"BUILD={BUILD}", f"DESTDIR={folder}", word)
            checks.check(done.returncode != 0 and "has a blank" in done.stderr and not files_below(folder), word,
                         done.stderr)


def configuration(checks):
    """An existing configuration survives install and uninstall."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(installed(checks, folder), "etc/ludus/ludusd.conf")
        program = os.path.join(folder, "usr/local/bin/ludusd")
        done = run(program, "--check-config", "--config", path)
        checks.equal((done.returncode, done.stdout), (0, f"ludusd: {path}: good\n"),
                     "the configuration that was installed")
        with open(path, "w") as file:
            file.write("idle = 50\n")
        installed(checks, folder)
        installed(checks, folder, target="uninstall")
        checks.equal(files_below(folder), ["etc/ludus/ludusd.conf"], "what is left")
        checks.equal(read(path), "idle = 50\n", "the configuration")


def play(checks):
    """The installed programs work: ludusd finds its bots, and a match is played."""
    with tempfile.TemporaryDirectory() as folder:
        root = os.path.join(installed(checks, folder, "sbindir=/usr/local/games"), "usr/local")
        with Server(os.path.join(root, "games"), "--bots", "random,greedy", checks=checks) as server:
            done = run(os.path.join(root, "bin/ludus"), "--connect", server.address, "--line",
                       "--play", "clobber:4x5", "--white", "bot:greedy", "--black", "bot:random")
            checks.check(done.returncode == 0 and "no-moves" in done.stdout.replace(" ", "-"),
                         "a match between house bots", done.stdout + done.stderr)
            done = run(os.path.join(root, "bin/ludus"), "record", "1", "--connect", server.address)
            checks.check('"reason":"no-moves"' in done.stdout, "its record", done.stdout)
        for page in FILES:
            name = os.path.basename(page).rsplit(".", 1)[0]
            if "/man" in page and shutil.which("man"):
                done = run("man", "-M", os.path.join(root, "share/man"), "-w", name)
                checks.equal(done.stdout.strip(), os.path.join(root, page), f"man {name}")


def unit(checks):
    """The unit's statements about the server are true."""
    service, users = read("server/ludusd.service"), read("server/ludusd.sysusers")
    user = re.search(r"^User=(.*)$", service, re.M)[1]
    checks.check(re.search(rf"^u +{user} ", users, re.M) is not None, "its user is made", users)
    said = run(os.path.join(BUILD, "ludusd"), "--drain", "x").stderr
    longest = int(re.search(r"a number from 0 to (\d+)", said)[1])
    patience = int(re.search(r"^TimeoutStopSec=(\d+)$", service, re.M)[1])
    checks.check(patience >= longest + 10, "systemd waits for the longest --drain",
                 f"{patience} s for {longest} s")


def avahi(checks):
    """The service file for Avahi is well-formed and names the usual port and the service type."""
    group = xml.etree.ElementTree.parse("server/ludus-avahi.service").getroot()
    checks.equal((group.tag, [part.tag for part in group]), ("service-group", ["name", "service"]),
                 "its parts")
    checks.equal({part.tag: part.text for part in group.find("service")},
                 {"type": "_ludus._tcp", "port": "7117", "txt-record": "proto=1"}, "the service")


def dist(checks):
    """The archive is reproducible, from git and from itself, and has all that make needs."""
    with tempfile.TemporaryDirectory() as folder:
        sums = []
        for where in (".", ".", os.path.join(folder, "1", "ludus")):
            done = make("-C", where, "dist", f"BUILD={folder}/{len(sums)}")
            checks.equal((done.returncode, done.stderr), (0, ""), "make dist")
            archive = done.stdout.strip()
            sums.append(hashlib.sha256(read(archive, "rb")).hexdigest())
            name = os.path.basename(archive).removesuffix(".tar.gz")
            run("tar", "-xf", archive, "-C", os.path.dirname(archive))
            os.rename(os.path.join(os.path.dirname(archive), name),
                      os.path.join(os.path.dirname(archive), "ludus"))
        checks.equal(len(set(sums)), 1, f"different archives, {sums}")
        source = os.path.join(folder, "2", "ludus")
        checks.check(re.fullmatch(r"ludus-\d+\.\d+\.\d+", name) is not None, "its name", name)
        done = make("-C", source, "-n", "all", "test-programs")
        checks.equal((done.returncode, done.stderr), (0, ""), "what make wants to build there")


def packages(checks):
    """make, the Debian package and the README agree on the packages for the build."""
    needed = set(re.findall(r"^need (lib\S+-dev) ", read("tests/support/deps.sh"), re.M)) - {"libc6-dev"}
    control = read("server/debian/control")
    checks.equal(set(re.findall(r"\b(lib[\w-]+-dev)\b", control)), needed, "in the package")
    rows = re.findall(r"^\| ([\w, -]+) \|", read("README.md"), re.M)
    told = [name for row in rows for name in row.split(", ")]
    for name in sorted(needed):
        checks.equal(told.count(name), 1, f"{name} in the README")
        checks.check(f"{name}" in read(".ci/run"), f"{name} is in .ci/run")


if __name__ == "__main__":
    sys.exit(Checks("test_install").run([
        what_is_there, as_root, links, after_make_clean, other_folders, blanks, configuration, play, unit, avahi, dist,
        packages]))
