"""programs.py - the loaders' programs, each started once and then asked."""
import json
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

TIME_LIMIT = 900  # seconds of a task; the first one makes records
TICKS = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """Why there is no answer."""


class Program:
    """A program on so many cores, with its answers."""

    def __init__(self, command):
        self.command = command
        self.process = None
        self.errors = None

    def start(self):
        """Starts it, if it does not run."""
        if self.process and self.process.poll() is None:
            return
        self.errors = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.errors, text=True, start_new_session=True)

    def ask(self, request):
        """The answer to a task; a program that ends has failed."""
        self.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failed(self.complaint()) from None
        if not select.select([self.process.stdout], [], [], TIME_LIMIT)[0]:
            self.stop()
            raise Failed(f"took longer than {TIME_LIMIT} s")
        text = self.process.stdout.readline()
        if not text:
            raise Failed(self.complaint())
        return json.loads(text)

    def complaint(self):
        """What it said last, after it has ended."""
        self.stop()
        self.errors.seek(0)
        said = [line.strip() for line in self.errors if line.strip()]
        return said[-1][:200] if said else f"status {self.process.returncode}"

    def stop(self):
        """Ends it, and the workers that it has."""
        if self.process:
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.process.wait()

    def cpu_seconds(self):
        """CPU seconds of the program and all its workers so far."""
        if not self.process:
            return 0
        total = 0
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                text = path.read_text(encoding="utf-8")
            except OSError:  # it has ended meanwhile
                continue
            fields = text.rpartition(")")[2].split()
            if int(fields[3]) == self.process.pid:  # its session
                total += sum(int(field) for field in fields[11:15])
        return total / TICKS


def busy_seconds():
    """CPU seconds of the machine so far, those that a host took included."""
    with open("/proc/stat", encoding="utf-8") as file:
        fields = [int(word) for word in file.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def ask(program, request):
    """The answer, with the cores that other programs used meanwhile."""
    program.start()
    begin, busy, own = time.monotonic(), busy_seconds(), program.cpu_seconds()
    try:
        record = program.ask(request)
    except Failed as failure:
        record = {"failed": str(failure)}
    seconds = time.monotonic() - begin
    others = (busy_seconds() - busy) - (program.cpu_seconds() - own)
    return {**record, "seconds": round(seconds, 1),
            "others_percent": max(0, round(100 * others / seconds))}
