"""Runs epochs of a user's own loader, for `presto profile --loader`.

presto starts it with the arguments TARGET FUNCTION and talks with it by lines on
stdin and stdout.  What the user's code prints goes to stderr.

    open BATCH THREADS PATH   calls FUNCTION: "opened"
    epoch                     iterates once over what it returned: "alive
                              SAMPLES" about every second, then "epoch" and
                              nine numbers: start, end, first batch, samples,
                              CPU time of user and system, bytes read, bytes
                              from storage, peak memory

The first line, without a command, is "ready 1" if FUNCTION takes the number of
workers, else "ready 0".  "failed TEXT" in place of an answer says what is
wrong.  Times are nanoseconds of CLOCK_MONOTONIC, which is presto's clock, too.
"""

import inspect
import os
import resource
import sys
import time
import traceback
from collections.abc import Mapping

from user_code import (
    WORDS_MOST,
    Refusal,
    end_with_presto,
    find,
    import_file,
    import_module,
)

PROGRAM, LIFELINE = 3, 4  # descriptors
SECOND = 1_000_000_000
# Arguments that FUNCTION gets if it has a parameter of one of these names.
BATCH = ("batch_size",)
WORKERS = ("num_workers", "threads")
DATASET = ("path", "root")


def load(target):
    """Returns the module of FILE.py, or of package.module.

    A file is imported under its own name, so that workers that are spawned can
    import it again.
    """
    if not target.endswith(".py"):
        return import_module(target, os.getcwd())
    sys.argv = [target]
    return import_file(os.path.abspath(target))


def parameters(function):
    """Returns the names that it can be given; none if Python cannot tell."""
    try:
        rows = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
        inspect.Parameter.KEYWORD_ONLY,
    )
    return [row.name for row in rows if row.kind in kinds]


def shape_of(value):
    """Returns the shape of a tensor or array with a dimension; else None."""
    shape = getattr(value, "shape", None)
    try:
        return shape if shape is not None and len(shape) > 0 else None
    except TypeError:
        return None


def is_mapping(value):
    return isinstance(value, Mapping) or (
        hasattr(value, "keys") and hasattr(value, "__getitem__")
    )


def length(value):
    """Returns the length of a list; a text is one thing."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__len__"):
        return 1
    return len(value)


def count_field(field):
    """Returns the samples of one field of a batch."""
    shape = shape_of(field)
    if shape is not None:
        return int(shape[0])
    if is_mapping(field) and len(field):
        return count_field(next(iter(field.values())))
    return length(field)


def count(batch):
    """Returns the samples of a batch.

    It is the first dimension of its first tensor.  In a batch without tensors,
    a list in a list or tuple is a field; anything else in a list is a sample.
    """
    if shape_of(batch) is not None:
        return int(batch.shape[0])
    size = getattr(batch, "batch_size", None)
    if isinstance(size, int):
        return size
    if is_mapping(batch):
        return count_field(batch)
    if isinstance(batch, (list, tuple)) and batch:
        first = batch[0]
        if shape_of(first) is not None or isinstance(first, list):
            return count_field(first)
    return length(batch)


def group():
    """Yields the id and the fields of stat of each process of this group."""
    own = os.getpgrp()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
        except OSError:
            continue  # it has ended
        if len(fields) > 14 and int(fields[2]) == own:
            yield int(name), fields


def read_io(process):
    """Returns the bytes that it and its dead children asked for, and those
    that came from storage."""
    try:
        with open(f"/proc/{process}/io", "rb") as file:
            rows = dict(line.split(b":") for line in file)
        return int(rows[b"rchar"]), int(rows[b"read_bytes"])
    except (OSError, KeyError, ValueError):
        return 0, 0


def used_by_others():
    """Returns what workers have used: CPU ns, of these in the kernel, bytes.

    Bytes are those of this process, too.  The clock of a process is exact; the
    share of the kernel is known to a tick of 10 ms.
    """
    dead = resource.getrusage(resource.RUSAGE_CHILDREN)
    system = round(dead.ru_stime * SECOND)
    cpu = round(dead.ru_utime * SECOND) + system
    tick = SECOND // os.sysconf("SC_CLK_TCK")
    asked = stored = 0
    for process, fields in group():
        if process != os.getpid():
            try:
                cpu += time.clock_gettime_ns((~process << 3) | 2)
            except OSError:
                continue
            # Those of its own dead children.
            cpu += (int(fields[13]) + int(fields[14])) * tick
            system += (int(fields[12]) + int(fields[14])) * tick
        of_one = read_io(process)
        asked += of_one[0]
        stored += of_one[1]
    return cpu, system, asked, stored


def used_here():
    """Returns the CPU ns of this process, and of these in the kernel."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return time.process_time_ns(), round(own.ru_stime * SECOND)


class Loader:
    """What FUNCTION returned."""

    def __init__(self, function, arguments):
        self.function = function
        self.arguments = arguments
        self.batches = function(**arguments)
        self.is_used = False
        kind = type(self.batches)
        if not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
            raise TypeError(
                f"{function.__name__} returns {kind.__name__}, which cannot "
                "be iterated over"
            )

    def begin(self):
        """Returns an iterator over an epoch; a generator serves for one."""
        if self.is_used and inspect.isgenerator(self.batches):
            self.batches = self.function(**self.arguments)
        self.is_used = True
        return iter(self.batches)

    def epoch(self, say):
        """Runs one epoch, and returns the numbers to report."""
        others, here = used_by_others(), used_here()
        samples = first = 0
        start = time.monotonic_ns()
        next_word = start + SECOND
        for batch in self.begin():
            samples += count(batch)
            now = time.monotonic_ns()
            first = first or now - start
            if now >= next_word:
                say(f"alive {samples}")
                next_word = now + SECOND
        end = time.monotonic_ns()
        here = [b - a for a, b in zip(here, used_here())]
        used = [max(b - a, 0) for a, b in zip(others, used_by_others())]
        if not samples:
            raise ValueError(
                f"{self.function.__name__} gave no batch in this epoch: it "
                "must return what can be iterated over once an epoch, such as "
                "a DataLoader"
            )
        cpu = here[0] + used[0]
        system = min(here[1] + used[1], cpu)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        times = start, end, first, samples, cpu - system, system
        return (*times, *used[2:], peak)


def words_of(error, file):
    """Says what is wrong in one line: "my.py:12: ValueError: no folder"."""
    text = "".join(traceback.format_exception_only(type(error), error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # An error of a worker has its whole traceback: the last line counts.
    has_more = isinstance(error, SyntaxError) or any(
        "Traceback (most recent" in line for line in lines
    )
    last = lines[-1] if has_more else " ".join(lines)
    place = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if os.path.abspath(frame.filename) == file:
            place = f"{os.path.basename(file)}:{frame.lineno}: "
    if isinstance(error, SyntaxError) and error.filename:
        name = os.path.basename(error.filename)
        place = f"{name}:{error.lineno}: "
    return place + last


def suit(function, batch, threads, path):
    """Returns the arguments that it gets: those that it has names for."""
    names = parameters(function)
    values = ((BATCH, batch), (WORKERS, threads), (DATASET, path))
    return {
        name: value
        for known, value in values
        for name in known
        if name in names
    }


def serve(commands, say, target, name):
    """Answers commands until there are no more."""
    file = os.path.abspath(target)
    loader = None
    try:
        place = os.path.basename(target)
        function = find(load(target), place, name)
        takes = not set(WORKERS).isdisjoint(parameters(function))
        say(f"ready {int(takes)}")
        for line in commands:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "open":
                batch, threads, path = rest.split(" ", 2)
                arguments = suit(function, int(batch), int(threads), path)
                loader = Loader(function, arguments)
                say("opened")
            else:
                say("epoch " + " ".join(map(str, loader.epoch(say))))
    except BrokenPipeError:
        pass  # presto is gone
    except Refusal as refusal:
        say(f"failed {refusal}")
    except (Exception, SystemExit) as error:
        say("failed " + words_of(error, file)[:WORDS_MOST])


def main():
    """Keeps stdin and stdout for presto; the user's code gets others."""
    text = {"encoding": "utf-8", "errors": "surrogateescape"}
    commands = os.fdopen(os.dup(0), "r", **text)
    answers = os.fdopen(os.dup(1), "w", **text)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    os.close(PROGRAM)
    os.set_inheritable(LIFELINE, False)
    end_with_presto(LIFELINE)

    def say(text):
        answers.write(text + "\n")
        answers.flush()

    serve(commands, say, *sys.argv[1:3])
    sys.stderr.flush()
    os._exit(0)  # presto has all answers: no worker is waited for


if __name__ == "__main__":
    main()
