"""`ludus course submit`: what passes check-bot in its box takes the place of the old files; what does not changes nothing, reads nothing
of others and is ended when it takes too much.

usage: test_course_submit.py BUILD_DIR
"""
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(1, sys.path[0] + "/../support")
from harness import LIMIT_S, Checks, build_folder

BUILD = os.path.abspath(build_folder())
EXAMPLES = os.path.abspath(os.path.join("client", "examples"))
CONF = """
game = clobber:5x6
memory = 200
processes = 20
disk = 8
bot = ana python3 player.py {name} {host}:{port}
bot = eva socket
bot = bob sh bot.sh
engine = rui ./ludus-bot ugi --level random
"""
# What a bot may not do; it tells what has come of it, and ends, which check-bot finds bad.
NOSY = """
for file in "%s"/keys "%s"/course.conf "%s"/bots/ana/player.py; do
    if cat "$file" >/dev/null 2>&1; then echo "READ $file"; else echo refused; fi
done
if { echo x >"%s"/results/1.json; } 2>/dev/null; then echo WRITTEN; else echo refused; fi
echo "here $LUDUS_NAME $LUDUS_GAME" >mine && cat mine
python3 -c 'import socket; socket.create_connection(("127.0.0.1", 9), 1)' 2>&1 | tail -n 1
"""
GREEDY = {"output": "while :; do echo yesyesyesyesyesyesyesyesyesyesyesyesyesyesyesyesyesyesyesyes; done", "processes": "f() { sleep 60 & f; }; f",
          "memory": "exec python3 -c 'x = bytearray(10**9); import time; time.sleep(60)'",
          "disk": "exec python3 -c 'open(\"big\", \"wb\").write(bytes(30 << 20)); import time; time.sleep(60)'"}


class Folder:
    def __enter__(self):
        self.place = tempfile.TemporaryDirectory(prefix="ludus-course-")
        os.chmod(self.place.name, 0o755)
        self.dir = os.path.join(self.place.name, "course")
        subprocess.run([os.path.join(BUILD, "ludus"), "course", "init", self.dir, "ana"], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(self.dir, "course.conf"), "w") as file:
            file.write(CONF)
        return self

    def __exit__(self, *_):
        self.place.cleanup()

    def write(self, name, text):
        path = os.path.join(self.place.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def submit(self, name, file):
        """The exit status, and what is said."""
        done = subprocess.run([os.path.join(BUILD, "ludus"), "course", "submit", self.dir, name, file], capture_output=True, text=True,
                              timeout=LIMIT_S)
        return done.returncode, done.stdout + done.stderr

    def read(self, name):
        with open(os.path.join(self.dir, name), errors="replace") as file:
            return file.read()

    def list(self, name):
        return sorted(os.listdir(os.path.join(self.dir, name)))


def good_and_bad(t):
    with Folder() as course:
        status, said = course.submit("ana", os.path.join(EXAMPLES, "player.py"))
        t.check(status == 0 and "good: 14 of 14 checks passed" in said, "a good bot is taken", said)
        t.equal(course.list("bots/ana"), ["player.py"], "its file, and nothing that it wrote")
        first = course.read("bots/ana/player.py")
        whole = os.path.join(course.place.name, "whole")
        os.mkdir(whole)
        course.write("whole/player.py", first + "\n# newer\n")
        course.write("whole/more/words.txt", "words\n")
        status, said = course.submit("ana", whole)
        t.equal(status, 0, f"a folder: {said}")
        t.equal((course.list("bots/ana"), course.list("bots/ana/more")), (["more", "player.py"], ["words.txt"]), "the folder as a whole")
        t.equal(course.read("bots/ana.before/player.py"), first, "the one before is kept")
        bad = course.write("bad/player.py", "print('I am broken')\n")
        status, said = course.submit("ana", bad)
        t.check(status == 1 and "bad: 0 of 1" in said and "ana is not taken: the old one stays" in said, "a broken bot is not taken", said)
        t.equal(course.read("bots/ana/player.py"), first + "\n# newer\n", "the old one stays")
        t.equal(course.read("logs/ana.submit"), "I am broken\n", "what it wrote")
        t.equal([name for name in course.list("bots") if "." in name], ["ana.before"], "nothing is left in bots/")
        t.equal([name for name in course.list("work") if "." in name], [], "nor in work/")


def refusals(t):
    with Folder() as course:
        player = os.path.join(EXAMPLES, "player.py")
        os.mkdir(os.path.join(course.place.name, "linked"))
        os.symlink(os.path.join(course.dir, "keys"), os.path.join(course.place.name, "linked", "player.py"))
        large = course.write("large/player.py", "#" * (9 << 20))
        for words, part in ((("zoe", player), "has no bot called zoe"), (("../ana", player), "has no bot called ../ana"),
                            (("eva", player), "eva connects from elsewhere"), (("ana", "/nonexistent"), "No such file"),
                            (("ana", os.path.join(course.place.name, "linked")), "player.py: is a link"), (("ana", large), "that is too much"),
                            (("ana", "/dev/zero"), "is neither a file nor a folder")):
            status, said = course.submit(*words)
            t.check(status == 1 and part in said, f"submit {words}", said)
        t.equal(course.list("bots/ana"), [], "nothing was taken")
        t.equal([name for name in course.list("bots") if "." in name], [], "nothing is left")


def cheats(t):
    with Folder() as course:
        course.submit("ana", os.path.join(EXAMPLES, "player.py"))
        status, said = course.submit("bob", course.write("nosy/bot.sh", NOSY.replace("%s", course.dir)))
        log = course.read("logs/bob.submit")
        t.equal((status, log.splitlines()[:4]), (1, ["refused"] * 4), f"others' files: {log}")
        t.check("here bob clobber:5x6" in log, "its own folder", log)
        t.check("Permission" in log.splitlines()[-1] or "not permitted" in log.splitlines()[-1], "no other port", log)
        t.check("mine" not in os.listdir(os.path.join(course.dir, "bots", "bob")), "nothing was taken")
        for what, script in GREEDY.items():
            status, said = course.submit("bob", course.write(f"{what}/bot.sh", script + "\n"))
            log = course.read("logs/bob.submit")
            ends = ("[ludus: ended, as it took more than the course allows]", *({"processes": ["fork"], "memory": ["MemoryError"], "disk": ["File too large"]}.get(what, [])))
            t.check(status == 1 and any(end in log for end in ends), f"too much {what}", said + log[-300:])


def engines(t):
    with open(os.path.join(BUILD, "ludus-bot"), "rb") as file:
        if b"__asan_init" in file.read():
            print("test_course_submit: SKIPPED engines: a sanitizer takes more memory than a box has")
            return
    with Folder() as course:
        with open(os.path.join(course.dir, "course.conf"), "w") as file:
            file.write(CONF.replace("clobber:5x6", "latrunculi"))
        status, said = course.submit("rui", shutil.copy(os.path.join(BUILD, "ludus-bot"), course.place.name))
        t.check(status == 0 and "14 of 14" in said, "an engine is checked as the bridge seats it", said)


if __name__ == "__main__":
    sys.exit(Checks("test_course_submit").run([good_and_bad, refusals, cheats, engines], 2))
