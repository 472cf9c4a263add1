"""Makes the wheel that `pip install ./client/python` installs: the package, libludus.so and, where it can be built, ludus-bot.

The functions are those of PEP 517. BUILD is the folder to build in, as for make.
"""
import base64
import hashlib
import os
import subprocess
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.abspath(os.path.join(HERE, "..", ".."))


def build(build_folder):
    """Returns what was built: paths by their names in the package."""
    subprocess.run(["make", "-s", "-C", TREE, f"BUILD={build_folder}", "lib"], check=True)
    built = {"libludus.so": os.path.join(TREE, build_folder, "libludus.so")}
    program = os.path.join(build_folder, "ludus-bot")
    if subprocess.run(["make", "-s", "-C", TREE, f"BUILD={build_folder}", program]).returncode == 0:
        built["ludus-bot"] = os.path.join(TREE, program)
    else:
        print("ludus-bot cannot be built here: Engine, solve() and review() look for one in PATH (README.md names what it needs)")
    return built


def version():
    with open(os.path.join(TREE, "Makefile"), encoding="utf-8") as makefile:
        return next(line.split("=")[1].strip() for line in makefile if line.startswith("VERSION"))


def record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    package = os.path.join(HERE, "ludus")
    files = {name: os.path.join(package, name) for name in sorted(os.listdir(package)) if name.endswith(".py")}
    files.update(build(os.environ.get("BUILD", "build")))
    info, texts = f"ludus-{version()}.dist-info", {}
    texts[f"{info}/METADATA"] = (f"Metadata-Version: 2.1\nName: ludus\nVersion: {version()}\nSummary: The games of Ludus\n"
                                 "Requires-Python: >=3.8\n")
    texts[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: ludus\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"
    texts[f"{info}/RECORD"] = ""
    wheel, rows = f"ludus-{version()}-py3-none-{platform}.whl", []
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, path in files.items():
            with open(path, "rb") as file:
                data = file.read()
            entry = zipfile.ZipInfo(f"ludus/{name}")
            entry.external_attr, entry.compress_type = (0o100644 if name.endswith(".py") else 0o100755) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            rows.append(record_row(f"ludus/{name}", data))
        for name, text in texts.items():
            rows.append(f"{name},," if name.endswith("/RECORD") else record_row(name, text.encode()))
            archive.writestr(name, text if text else "\n".join(rows) + "\n")
    return wheel
