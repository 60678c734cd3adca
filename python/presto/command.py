"""Runs the program `presto`: options as keywords, and errors as exceptions."""

import collections
import os
import signal
import subprocess
import sys
import tempfile
import typing
from collections.abc import Iterator, Mapping, Sequence

from presto import program
from presto._presto import Error, UsageError

USAGE, GATE, INCONCLUSIVE = 2, 3, 4  # statuses of the program

# Options that choose how the program prints.
_OURS = (
    "chart",
    "csv",
    "form",
    "format",
    "html",
    "json",
    "markdown",
    "output",
    "plot",
    "what",
)
_LINES = 100  # of stderr that are kept
_WARNING = "presto: warning: "

# None, False: not given; True: without a value; a sequence: with commas.
Value = (
    None
    | bool
    | int
    | float
    | str
    | os.PathLike[str]
    | Sequence[object]
    | Mapping[str, object]
)


class ProgramError(Error):
    """The program failed: its text, and its exit status in `status`.

    status  1 failed; 3 a gate was not passed, such as no strategy that meets
            the constraints; 130 interrupted; below 0: ended by that signal
    """

    status = 1


class ProgramUsageError(ProgramError, UsageError):
    """An option, a file or a session is wrong or missing."""

    status = USAGE


class Done(typing.NamedTuple):
    """What a run of the program gave."""

    status: int
    output: bytes
    error: str  # the last line of its stderr, without "presto: "
    warnings: tuple[str, ...] = ()  # lines of its stderr; the last hundred


def _text(value: object) -> str:
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))
    if isinstance(value, Mapping):
        return ",".join(f"{key}={_text(one)}" for key, one in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(_text, value))
    return str(value)


def words(options: Mapping[str, Value]) -> Iterator[str]:
    """Yields the words of a command line: max_disk="1GB" is --max-disk=1GB.

    `set` is repeated for each of {"SECTION.KEY": value}; `from_` is --from.
    """
    for key, value in options.items():
        if key in _OURS:
            raise UsageError(f"{key}: the result is an object, not a text")
        option = f"--{key.removesuffix('_').replace('_', '-')}"
        if value is None or value is False:
            continue
        if value is True:
            yield option
        elif key == "set" and isinstance(value, Mapping):
            for name, one in value.items():
                yield f"{option}={name}={_text(one)}"
        else:
            yield f"{option}={_text(value)}"


def _drain(process: "subprocess.Popen[bytes]", progress: bool) -> list[str]:
    """Passes its stderr on as it comes; returns the last lines."""
    said: collections.deque[str] = collections.deque(maxlen=_LINES)
    assert process.stderr is not None
    for line in process.stderr:
        text = line.decode("utf-8", "replace")
        said.append(text.strip())
        if progress:
            sys.stderr.write(text)
            sys.stderr.flush()
    return [line for line in said if line]


def _start(
    arguments: Sequence[str], output: typing.IO[bytes]
) -> "subprocess.Popen[bytes]":
    path = program.path()
    try:
        return subprocess.Popen(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        raise Error(f"cannot run {path}: {error.strerror}") from error


def run(arguments: Sequence[str], progress: bool) -> Done:
    """Runs the program to its end.

    `progress` passes its stderr on to sys.stderr.  An interrupt is passed on
    to the program, which then removes unfinished data, and is awaited.
    """
    with tempfile.TemporaryFile() as output:
        with _start(arguments, output) as process:
            try:
                said = _drain(process, progress)
            except BaseException:
                process.send_signal(signal.SIGINT)
                _drain(process, progress)
                raise
        output.seek(0)
        text = output.read()
    last = said[-1].removeprefix("presto: ") if said else ""
    warnings = tuple(line for line in said if line.startswith(_WARNING))
    return Done(process.returncode, text, last, warnings)


def failure(done: Done) -> ProgramError:
    """Returns the exception for a run that failed."""
    kind = ProgramUsageError if done.status == USAGE else ProgramError
    error = kind(done.error or f"presto ended with status {done.status}")
    error.status = done.status
    return error
