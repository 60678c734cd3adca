"""program.py - runs presto once, with one of its calls disturbed: fault.h."""
import errno
import os
import re
import signal
import struct
import subprocess

# As enum fault_class.
CLASSES = ("change", "room", "open", "create", "read", "write", "sync",
           "truncate", "rename", "unlink", "mkdir", "mode", "stat", "list",
           "lock", "mmap", "thread", "malloc")
LIMIT = "fsize"  # no call: the size that files may have, RLIMIT_FSIZE
PATH_BYTES = 256
RECORD = struct.Struct(f"={len(CLASSES)}QQQ{PATH_BYTES}s")
# A run takes less than a second; on a busy machine, and under sanitizers, it
# may take much longer.
SECONDS = 120
SANITIZED = 77
UNAVAILABLE = 125  # as in calls.c


class NoSeccomp(Exception):
    """This kernel or container does not let the calls be seen."""


class Refused(Exception):
    """This build has no such strategy."""


def must(outcome):
    """Undisturbed commands succeed; or presto has a reason to refuse them."""
    text = f"presto {' '.join(outcome.args)}: {outcome.err[-2000:]}"
    if outcome.status == 2:
        raise Refused(text)
    if outcome.status != 0:
        raise RuntimeError(f"{text} (status {outcome.status})")


class Point:
    """
    CLASS:N:ACTION: the N-th call of a class, and what becomes of it; or
    fsize:BYTES:limit.
    """

    def __init__(self, kind, number, action):
        if kind not in CLASSES + (LIMIT,):
            raise ValueError(f"no class of calls '{kind}'")
        if not re.fullmatch(r"kill|short|limit|E[A-Z0-9]+\+?", action):
            raise ValueError(f"no action '{action}'")
        self.kind, self.number, self.action = kind, int(number), action

    @staticmethod
    def parse(text):
        kind, number, action = text.split(":")
        return Point(kind, number, action)

    def __str__(self):
        return f"{self.kind}:{self.number}:{self.action}"

    @property
    def kills(self):
        return self.action == "kill"

    @property
    def column(self):
        """Of the table of counts."""
        return "kill" if self.kills else self.kind

    @property
    def stays(self):
        return self.action.endswith("+") or self.kind == LIMIT

    def words(self):
        """As FAULTS_AT has it: errors by their numbers."""
        action = re.sub("E[A-Z0-9]+",
                        lambda m: str(getattr(errno, m[0])), self.action)
        return f"{self.kind}:{self.number}:{action}"


class Outcome:
    """How a run ended, and which calls it made."""

    def __init__(self, args, status, out, err, record):
        self.args, self.status, self.out, self.err = args, status, out, err
        numbers = RECORD.unpack(record)
        self.calls = dict(zip(CLASSES, numbers))
        self.call, self.hits = numbers[len(CLASSES):len(CLASSES) + 2]
        self.path = numbers[-1].rstrip(b"\0").decode(errors="replace")

    @property
    def was_killed(self):
        return self.hits > 0 and self.status == -signal.SIGKILL

    @property
    def messages(self):
        """What presto says on stderr, but for the progress."""
        return "\n".join(
            line[len("presto: "):] for line in re.split(r"[\r\n]", self.err)
            if line.startswith("presto: ") and " %: " not in line)

    @property
    def last_words(self):
        return self.messages.rpartition("\n")[2]


class Program:
    """presto, and the libraries that disturb it."""

    def __init__(self, presto, libraries, scratch):
        self.presto, self.libraries = presto, libraries
        self.record = os.path.join(scratch, "record")
        self.tmp = os.path.join(scratch, "tmp")
        os.makedirs(self.tmp)
        with open(presto, "rb") as file:
            self.is_sanitized = b"__asan_init" in file.read()

    def environment(self, point, counts):
        env = dict(os.environ, NO_COLOR="1", LC_ALL="C", TMPDIR=self.tmp,
                   ASAN_OPTIONS=f"exitcode={SANITIZED}:"
                   "allocator_may_return_null=1:verify_asan_link_order=0",
                   UBSAN_OPTIONS=f"halt_on_error=1:exitcode={SANITIZED}",
                   LSAN_OPTIONS=f"exitcode={SANITIZED}")
        env.pop("PRESTO_DB", None)
        if counts and counts != LIMIT:
            name = "memory" if counts == "malloc" else "calls"
            # The thread that looks for leaks takes no signals: it would end.
            env["ASAN_OPTIONS"] += ":detect_leaks=0"
            env["LD_PRELOAD"] = os.path.join(self.libraries, name + ".so")
            env["FAULTS_COUNTS"] = self.record
        if point and point.kind != LIMIT:
            env["FAULTS_AT"] = point.words()
        return env

    def run(self, args, cwd, point=None, counts=None):
        """With a point, or counting calls ("calls", "malloc"), or as it is."""
        with open(self.record, "wb") as file:
            file.truncate(RECORD.size)
        limit = ["prlimit", f"--fsize={point.number}"] \
            if point and point.kind == LIMIT else []
        process = subprocess.Popen(
            limit + [self.presto] + args, cwd=cwd, stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the soak, not for presto
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=self.environment(point, point.kind if point else counts))
        try:
            out, err = process.communicate(timeout=SECONDS)
            status = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            status = None
        if status == UNAVAILABLE:
            raise NoSeccomp(err.decode(errors="replace").strip())
        with open(self.record, "rb") as file:
            record = file.read()
        return Outcome(args, status, out.decode(errors="replace"),
                       err.decode(errors="replace"), record)
