"""The text of a pipeline file, made step by step."""

import os
import re
import sys
import typing
from collections.abc import Iterable
from dataclasses import dataclass, field

# Limits of pipeline files: presto.conf(5).
LINE_MOST = 199
NAME_MOST = 32
RESERVED = {"raw", "unprocessed", "all"}


class TraceError(ValueError):
    """Says why a dataset cannot become a pipeline file."""


def number(value: typing.SupportsFloat) -> str:
    """Writes a number as short as a float32 needs it: 0.485."""
    return format(float(value), ".9g")


def numbers(values: Iterable[typing.SupportsFloat]) -> str:
    """Writes a list of numbers: 0.485,0.456."""
    return ",".join(number(value) for value in values)


def one_line(text: object, most: int = 90) -> str:
    """Makes a comment of a repr: no line breaks, and not long."""
    line = re.sub(r" at 0x[0-9a-f]+", "", " ".join(str(text).split()))
    return line if len(line) <= most else line[: most - 3] + "..."


def check_value(what: str, text: str) -> str:
    """Refuses a value that a pipeline file cannot hold."""
    if text != text.strip() or re.search(r"[\n\r]|(^|\s)[;#]", text):
        raise TraceError(
            f"{what} {text!r} cannot stand in a pipeline file: it has a "
            "line break, a blank at its end, or the sign of a comment"
        )
    return text


def quote(text: str) -> str:
    """Quotes the value of an option as a shell does, where that is needed."""
    if re.fullmatch(r"[\w./:@%+,-]+", text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


@dataclass(frozen=True)
class Step:
    """A line of [pipeline]."""

    name: str  # of the representation
    words: str  # the step and its options
    paths: dict[str, str]  # options that hold absolute paths
    comment: str

    def line(self, folder: str) -> str:
        """Returns the line, without the comment, of a file in the folder."""
        words = self.words
        for option, path in self.paths.items():
            shown = near(path, folder)
            words += f" {option}={quote(shown)}" * (shown != ".")
        return check_value("the step", f"{self.name} = {words}")


def near(path: str, folder: str) -> str:
    """Returns a path relative to the folder if it lies below that."""
    relative = os.path.relpath(path, folder)
    return path if relative.split(os.sep)[0] == os.pardir else relative


def join(paths: list[str]) -> str:
    """Writes several paths as one with braces: shard-{000..146}.tar."""
    if len(paths) == 1:
        return paths[0]
    rows = [re.fullmatch(r"(.*?)(\d+)(\D*)", path) for path in paths]
    frames = {(m[1], m[3], len(m[2])) for m in rows if m}
    if len(frames) == 1 and all(rows):
        numbers = [m[2] for m in rows if m]
        first, last = int(numbers[0]), int(numbers[-1])
        if [int(n) for n in numbers] == list(range(first, last + 1)):
            before, behind, _ = frames.pop()
            return f"{before}{{{numbers[0]}..{numbers[-1]}}}{behind}"
    return "{" + ",".join(paths) + "}"


@dataclass
class Pipeline:
    """What a dataset does, as presto says it."""

    source: str
    paths: list[str]  # absolute
    keys: dict[str, str] = field(default_factory=dict)  # more of [dataset]
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # lines of comment
    needs_python: bool = False
    is_exact: bool = True  # nothing draws: samples can be compared

    def add(
        self,
        name: str,
        words: str,
        comment: object = "",
        paths: dict[str, str] | None = None,
    ) -> None:
        """Adds a step behind the others, under a name of its own."""
        name = re.sub(r"[^a-z0-9_]+", "_", name.lower()).strip("_")
        name = name[: NAME_MOST - 3] or "step"
        if name in RESERVED or name[0].isdigit():
            name = "step_" + name[: NAME_MOST - 8]
        taken = {step.name for step in self.steps}
        unique, i = name, 2
        while unique in taken:
            unique, i = f"{name}{i}", i + 1
        self.steps.append(
            Step(unique, words, paths or {}, one_line(comment))
        )

    def note(self, text: str) -> None:
        """Adds a line for people who read the file."""
        if text not in self.notes:
            self.notes.append(text)

    def add_python(
        self, name: str, of: str | None, options: str, comment: object
    ) -> None:
        """Adds a step that takes its callable out of the dataset."""
        if not of:
            raise TraceError(
                f"presto has no step for {one_line(comment)}, and nobody "
                "knows where it is: say of='FILE.py:DATASET'"
            )
        self.needs_python = True
        words, paths = f"python presto.traced:Transform {options}", {}
        if of.rpartition(":")[0].endswith(".py"):
            # The file finds its data from the folder where it was imported.
            paths = {"of": of, "folder": os.getcwd()}
        else:
            words += f" of={quote(of)}"
        self.add(name, words, comment, paths)

    def _path(self, folder: str) -> str:
        return join([near(path, folder) for path in self.paths])

    def text(self, folder: str) -> str:
        """Writes the file for a place in this folder."""
        lines = ["; made by presto.import"]
        lines += [f"; {one_line(note, 160)}" for note in self.notes]
        pairs = {"source": self.source, "path": self._path(folder)}
        lines += ["", "[dataset]"]
        for key, value in {**pairs, **self.keys}.items():
            lines.append(f"{key} = {check_value(key, value)}")
            check_line(lines[-1])
        lines += ["", "[pipeline]"]
        for step in self.steps or [Step("same", "identity", {}, "")]:
            line = check_line(step.line(folder))
            lines.append(line + f"  ; {step.comment}" * bool(step.comment))
        if self.needs_python:
            program = check_value("the interpreter", sys.executable)
            lines += ["", "[python]", f"interpreter = {program}"]
            check_line(lines[-1])
        return "\n".join(lines) + "\n"


def check_line(line: str) -> str:
    """Refuses a line that is too long for a pipeline file."""
    if len(os.fsencode(line)) > LINE_MOST:
        raise TraceError(
            f"a line of a pipeline file has at most {LINE_MOST} bytes: {line}"
        )
    return line
