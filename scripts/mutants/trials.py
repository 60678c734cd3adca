"""trials.py - the tests: what they reach, and which of them a fault fails."""
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import time

SLOWER = 10  # times as long as without a fault, and SPARE_S, is too long
SPARE_S = 20
MEMORY = 8 << 30
FILE_SIZE = 4 << 30
ROOM = 4 << 30  # that is enough for what tests write
CLOSE = 4  # command-line tests of the first call; then as many times three
# They build what they test, or are about a shell script.
LEFT_OUT = ("ci", "run")
WORK = re.compile(r"/out/(\d+)\.work(?:/|$)")


def scratch_root():
    """Memory where there is room, else None: the default folder."""
    memory = pathlib.Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > ROOM:
        return memory
    return None


def limit():
    """What a program with a fault must not use up."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_SIZE, FILE_SIZE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def words_of(text):
    """The words of a path or of a name."""
    return set(re.findall(r"[a-z]+", text.lower()))


class Stopped(Exception):
    """The user has interrupted a test."""


class Tests:
    """The unit tests and the command-line tests of a build."""

    def __init__(self, root, made, scratch, say):
        self.root, self.made, self.say = root, made, say
        self.scratch = scratch
        self.seconds = {}  # unit test -> how long it takes
        self.reached = {}  # "path:function" -> tests, "unit/..." or "cli/..."
        self.cli_seconds = 0.0  # of one, with what all need; 0: not learnt
        self.running = set()  # programs
        self.stopped = False
        self.is_boxed = self.may_box()

    # ---- running ----

    def boxed(self, command, folder):
        """A command that can change the files of one folder only."""
        return [str(self.made.sandbox), str(folder), str(self.root),
                str(self.made.folder), "--", *command]

    def may_box(self):
        """Whether that is permitted; else it is said once."""
        done = subprocess.run(
            self.boxed(["true"], self.scratch), cwd=self.root,
            capture_output=True, text=True, check=False)
        if done.returncode:
            self.say("tests run without a sandbox, so that a fault may remove "
                     f"or change files of yours ({done.stderr.strip()})")
        return done.returncode == 0

    def call(self, command, library, seconds, reached=""):
        """Runs a program: its status, -1 if too slow, and its output."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        env = {**os.environ, "LD_LIBRARY_PATH": str(library),
               "TMPDIR": folder, "PRESTO_TEST_SCRATCH": folder,
               "MUTATE_REACHED": reached}
        if not reached:
            del env["MUTATE_REACHED"]
        if self.is_boxed:  # all tests write into one file what they reach
            command = self.boxed(command, self.scratch if reached else folder)
        with tempfile.TemporaryFile("w+", errors="replace") as out:
            process = subprocess.Popen(
                command, cwd=self.root, env=env, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, start_new_session=True,
                preexec_fn=limit)
            self.running.add(process)
            try:
                status = process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                status = -1
            finally:
                end(process)
                self.running.discard(process)
            out.seek(0)
            text = out.read()
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
        if self.stopped:
            raise Stopped()
        return status, text

    def stop(self):
        """Ends all tests; those who wait for them get Stopped."""
        self.stopped = True
        for process in list(self.running):
            end(process)

    def unit(self, name, library, seconds, reached=""):
        """Runs a unit test."""
        return self.call([str(self.made.test(name, library))], library,
                         seconds, reached)

    def cli(self, names, library, seconds, reached=""):
        """Runs command-line tests: the status, and which of them failed."""
        status, text = self.call(
            ["test/cli/run", str(self.made.folder / "bin" / "presto"),
             *names], library, seconds, reached)
        return status, re.findall(r"(?m)^FAILED (\S+)\.sh:", text)

    # ---- without a fault ----

    def learn(self, with_cli):
        """Runs all tests once; what they reach is kept for the next time."""
        kept = self.made.folder / "reached.json"
        digest, known = self.digest(), {}
        if kept.exists():
            known = json.loads(kept.read_text(encoding="utf-8"))
        if known.get("digest") == digest:
            self.seconds = known["seconds"]
            self.reached = known["reached"]
            self.cli_seconds = known["cli_seconds"]
        else:
            self.learn_units()
            self.keep(kept, digest)
        if with_cli and not self.cli_seconds:
            self.learn_cli()
            self.keep(kept, digest)

    def keep(self, path, digest):
        """Writes what was learnt."""
        path.write_text(json.dumps(
            {"digest": digest, "seconds": self.seconds,
             "reached": self.reached, "cli_seconds": self.cli_seconds}),
            encoding="utf-8")

    def digest(self):
        """Changes with every file that is built or tested."""
        digest = hashlib.sha256()
        for room in ("lib", "strategies", "datasets", "cmd", "test"):
            for path in sorted((self.root / room).rglob("*")):
                if path.is_file():
                    digest.update(str(path.relative_to(self.root)).encode())
                    digest.update(path.read_bytes())
        return digest.hexdigest()

    def note(self, test, function):
        """The test reaches the function."""
        tests = self.reached.setdefault(function, [])
        if test not in tests:
            tests.append(test)

    def learn_units(self):
        """How long unit tests take, and what they reach."""
        names = self.made.tests()
        self.say(f"running {len(names)} unit tests without a fault")
        library = self.made.folder / "library"
        for name in names:
            log = self.scratch / "reached"
            log.unlink(missing_ok=True)
            start = time.monotonic()
            status, text = self.unit(name, library, 600, str(log))
            seconds = time.monotonic() - start
            if status:
                self.say(f"{name} fails without a fault, and is left out: "
                         + text.strip().splitlines()[-1][:100])
                continue
            self.seconds[name] = round(seconds, 2)
            for line in read_lines(log):
                self.note(f"unit/{name}", line.partition("\t")[2])

    def learn_cli(self):
        """What command-line tests reach."""
        names = sorted(
            f"{path.parent.name}/{path.stem}" for path in
            (self.root / "test" / "cli").glob("*/*.sh")
            if path.parent.name not in LEFT_OUT)
        self.say(f"running {len(names)} command-line tests without a fault")
        log = self.scratch / "reached"
        log.unlink(missing_ok=True)
        start = time.monotonic()
        _, failed = self.cli(names, self.made.folder / "library", 3600,
                             str(log))
        self.cli_seconds = (time.monotonic() - start) / len(names)
        for name in failed:
            self.say(f"{name} fails without a fault, and is left out")
        for line in read_lines(log):
            folder, _, function = line.partition("\t")
            found = WORK.search(folder)
            if found and names[int(found[1])] not in failed:
                self.note(f"cli/{names[int(found[1])]}", function)

    # ---- with a fault ----

    def reaching(self, mutation):
        """The tests that reach a mutation; of a constant, its file."""
        if mutation.function:
            functions = [f"{mutation.path}:{mutation.function}"]
        else:
            functions = [name for name in self.reached
                         if name.startswith(f"{mutation.path}:")]
        found = {test for name in functions
                 for test in self.reached.get(name, [])}
        about = words_of(f"{mutation.path} {mutation.function}")

        def close(name):
            return len(words_of(name) & about)

        units = [test[5:] for test in found if test.startswith("unit/")]
        units.sort(key=lambda name: (
            self.seconds[name] / (1 + 4 * close(name)), name))
        calls = [test[4:] for test in found if test.startswith("cli/")]
        calls.sort(key=lambda name: (-close(name), name))
        return units, calls

    def cost(self, mutation):
        """Seconds of all tests that reach a mutation, about."""
        units, calls = self.reaching(mutation)
        return (sum(self.seconds[name] for name in units)
                + self.cli_seconds * len(calls))

    def killer(self, mutation, library, with_units, with_cli):
        """The test that fails, "" if none does."""
        units, calls = self.reaching(mutation)
        for name in units if with_units else ():
            if self.fails_unit(name, library):
                return name
        size = CLOSE
        while calls and with_cli:
            by = self.fails_cli(calls[:size], library)
            if by:
                return by
            calls, size = calls[size:], 3 * CLOSE
        return ""

    def fails_unit(self, name, library):
        """Whether a unit test fails, and does so again."""
        seconds = SLOWER * self.seconds[name] + SPARE_S
        for _ in range(2):
            status, _ = self.unit(name, library, seconds)
            if status == 0:
                return False
            if status == -1:
                break
        return True

    def fails_cli(self, names, library):
        """The first of these that fails, and does so again."""
        seconds = SLOWER * self.cli_seconds * len(names) + 4 * SPARE_S
        status, failed = self.cli(names, library, seconds)
        if status == 0:
            return ""
        if status == -1 or not failed:
            return "what all command-line tests need"
        status, failed = self.cli(failed[:CLOSE], library, seconds)
        return (failed or names)[0] if status else ""


def end(process):
    """Ends a program, and what it may have left behind."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def read_lines(path):
    """The lines of a file, none if there is no file."""
    if not path.exists():
        return []
    return path.read_text(encoding="utf-8").splitlines()
