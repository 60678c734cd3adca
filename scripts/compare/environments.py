"""environments.py - the virtual environments that the loaders run in."""
import hashlib
import pathlib
import subprocess
import sys

import rows

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADVICE = {"ffcv": " (it is built here: scripts/setup loaders)"}


def complaint(log):
    """The line of a log that says best what went wrong."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line.lower()]
    return (errors or lines or ["no reason given"])[-1][:200]


def own_version():
    """Changes with the sources of presto, as far as git knows them."""
    digest = hashlib.sha256()
    for words in (("rev-parse", "HEAD"), ("diff", "HEAD")):
        done = subprocess.run(["git", "-C", str(ROOT), *words], check=False,
                              capture_output=True)
        digest.update(done.stdout)
    return f"presto {digest.hexdigest()[:12]}"


class Environments:
    """One folder each, made when it is first asked for, and kept."""

    def __init__(self, folder, say):
        self.folder = pathlib.Path(folder)
        self.say = say
        self.missing = {}  # name -> why it could not be installed

    def python(self, name):
        """The interpreter of an environment, "" for the one of presto."""
        if not name:
            return sys.executable
        return str(self.folder / name / "bin" / "python")

    def ready(self, name):
        """Whether it is there; tries to install it once."""
        if name and name not in self.missing:
            self.missing[name] = self.install(name)
        return not self.missing.get(name)

    def install(self, name):
        """Installs an environment; returns the reason if it fails."""
        packages = rows.ENVIRONMENTS[name]
        if packages.base and not self.ready(packages.base):
            return self.missing[packages.base]
        wanted = " ".join((packages.base, *packages.names,
                           *([own_version()] if packages.own else ())))
        mark = self.folder / name / "ready"
        if mark.exists() and mark.read_text(encoding="utf-8") == wanted:
            return ""
        self.say(f"installing {wanted}")
        self.folder.mkdir(parents=True, exist_ok=True)
        log = self.folder / f"{name}.log"
        with open(log, "w", encoding="utf-8") as file:
            for command in self.commands(name, packages):
                if subprocess.run(command, stdout=file, check=False,
                                  stderr=subprocess.STDOUT).returncode:
                    break
                self.add_base(name, packages.base)
            else:
                mark.write_text(wanted, encoding="utf-8")
                return ""
        return (complaint(log.read_text(encoding="utf-8", errors="replace"))
                + ADVICE.get(name, ""))

    def commands(self, name, packages):
        """What makes an environment and fills it."""
        own = [str(ROOT)] if packages.own else []
        return [[sys.executable, "-m", "venv", str(self.folder / name)],
                [self.python(name), "-m", "pip", "install", "--quiet",
                 *packages.options, *packages.names, *own]]

    def packages_of(self, name):
        """Where the packages of an environment are."""
        found = (self.folder / name).glob("lib/python3*/site-packages")
        return next(found)

    def add_base(self, name, base):
        """The environment sees the packages of another one, too."""
        if base:
            path = self.packages_of(name) / "base.pth"
            path.write_text(f"{self.packages_of(base)}\n", encoding="utf-8")
