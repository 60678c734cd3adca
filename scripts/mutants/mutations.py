"""mutations.py - small faults that a C source could have.

A mutation changes one place of one line, in the body of a function or in the
value of a constant of the file. The sources are formatted by clang-format, so
that a body begins with "{" and ends with "}" in the first column, and binary
operators have a blank on either side.
"""
import re
from typing import NamedTuple


class Mutation(NamedTuple):
    """Replaces columns start to end of a line, which is counted from 1."""

    path: str
    function: str  # "" outside of functions
    line: int
    start: int
    end: int
    new: str
    kind: str
    text: str  # the line as it is

    @property
    def mutated(self):
        """The line with the fault."""
        return self.text[:self.start] + self.new + self.text[self.end:]

    def key(self, sources):
        """Names the mutation, wherever its line moves within the file."""
        same = [n for n, text in enumerate(sources, 1) if text == self.text]
        return "|".join([self.path, self.text.strip(),
                         str(same.index(self.line)), str(self.start),
                         self.new])


SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=",
           "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
           "*": "/", "/": "*", "%": "*", "+=": "-=", "-=": "+=",
           "&": "|", "|": "&", "<<": ">>", ">>": "<<"}
KINDS = {"&&": "and, or", "||": "and, or", "+": "arithmetic",
         "-": "arithmetic", "*": "arithmetic", "/": "arithmetic",
         "%": "arithmetic", "+=": "arithmetic", "-=": "arithmetic",
         "&": "bits", "|": "bits", "<<": "bits", ">>": "bits"}
OPERATOR = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|<<|>>|[-<>+*/%&|])"
                      r"(?= |$)")
STEP = re.compile(r"\+\+|--")
INTEGER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|0|[1-9]\d*)([uUlL]*)"
                     r"(?![\w.])")
FLOAT = re.compile(r"(?<![\w.])(\d+\.\d+|\d+\.|\d+e-?\d+)(?![\w.])")
WORD = re.compile(r"(?<![\w.>])(true|false)(?!\w)")
CONDITION = re.compile(r"\b(?:if|while) \(")
STATEMENT = re.compile(r"^\t+(?:[\w.>*\[\]+-]+ [-+*/|&]?= [^;{]*;"
                       r"|\w+\([^;{]*\);)$")  # an assignment, a call
# Without these a program leaks, which no test sees but under a sanitizer.
RELEASE = re.compile(r"^\t+\w*(free|release|close|munmap|_end)\(")
# Most would only make the array larger.
ARRAY = re.compile(r"^\t+[\w ]+ \*?\w+\[[^]]*\](, [^;]*)?;$")
RETURN = re.compile(r"^\t+return ([^;]+);$")
PAIR = re.compile(r"(?<=[(,] )?(\b[a-z]\w*), ([a-z]\w*\b)(?=[,)])")
NAME = re.compile(r"(\w+)\(")
CONSTANT = re.compile(r"^static const [\w ]+ = [^{\"']*;$|"
                      r"^\t[A-Z][A-Z0-9_]* = [^{\"']*,?")


def masked(text):
    """The text with blanks in comments, and in what quotes hold."""
    pattern = re.compile(r"/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|"
                         r"'(?:\\.|[^'\\\n])*'|^#.*?(?<!\\)$",
                         re.DOTALL | re.MULTILINE)
    return pattern.sub(lambda found: re.sub(r"[^\n]", "\x01", found[0]), text)


def function_of_lines(lines):
    """For each line the function whose body it is in, "" where none is.

    Lines with the braces of a body belong to no function.
    """
    names, current = [], ""
    for number, text in enumerate(lines):
        if text == "}":
            current = ""
        names.append(current)
        if text == "{":
            current = name_before(lines, number)
    return names


def name_before(lines, number):
    """The name of the function whose body opens in a line."""
    head = []
    for text in reversed(lines[max(0, number - 12):number]):
        if not text or text in ("}", "};") or text.endswith(";"):
            break
        head.insert(0, text)
    found = NAME.search(" ".join(head).replace("\x01", " "))
    return found[1] if found else "?"


def closing(text, start):
    """Where the bracket at `start` closes, -1 if not in this line."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return -1


def spots(code):
    """What may be changed in a line of a body: (start, end, new, kind)."""
    if ARRAY.match(code):
        return
    for at in OPERATOR.finditer(code):
        if not re.match(r"\s*(case|default)\b", code):
            yield (*at.span(), SWAPPED[at[0]],
                   KINDS.get(at[0], "comparison"))
    for at in STEP.finditer(code):
        if "for (" not in code:  # it would seldom end
            yield (*at.span(), "--" if at[0] == "++" else "++", "arithmetic")
    yield from constants(code)
    for at in CONDITION.finditer(code):
        end = closing(code, at.end() - 1)
        if end > 0:
            yield (at.end(), end, f"!({{{at.end()}:{end}}})", "negation")
    if STATEMENT.match(code) and not RELEASE.match(code):
        start = len(code) - len(code.lstrip("\t"))
        yield start, len(code), ";", "removal"
    found = RETURN.match(code)
    if found:
        value = "0" if found[1] not in ("0", "false", "NULL") else "-1"
        yield (*found.span(1), value, "return value")
    for at in PAIR.finditer(code):
        if at[1] != at[2] and "err" not in (at[1], at[2]):
            yield (*at.span(), f"{at[2]}, {at[1]}", "swapped arguments")


def constants(code):
    """Numbers of a line, and true and false."""
    for at in INTEGER.finditer(code):
        number = int(at[1], 0)
        yield (*at.span(1), "0" if number == 1 else str(number + 1),
               "constant")
    for at in FLOAT.finditer(code):
        yield (*at.span(), str(float(at[0]) * 2 or 1.0), "constant")
    for at in WORD.finditer(code):
        yield (*at.span(), "false" if at[0] == "true" else "true", "constant")


def mutations(path, text):
    """All mutations of a file."""
    lines = text.split("\n")
    codes = masked(text).split("\n")
    found = []
    for number, function in enumerate(function_of_lines(codes)):
        code, line = codes[number], lines[number]
        if function:
            changes = spots(code)
        elif CONSTANT.match(code):
            begin = code.index("=")
            changes = (change for change in constants(code)
                       if change[0] > begin)
        else:
            continue
        for start, end, new, kind in changes:
            new = re.sub(r"\{(\d+):(\d+)\}", lambda at, line=line:
                         line[int(at[1]):int(at[2])], new)
            found.append(Mutation(path, function, number + 1, start, end, new,
                                  kind, line))
    return found


def with_probes(path, text):
    """The text with a probe at the begin of each function: see probe.c.

    Lines keep their numbers.
    """
    lines = text.split("\n")
    codes = masked(text).split("\n")
    for number, code in enumerate(codes):
        if code == "{":
            name = f"{path}:{name_before(codes, number)}"
            lines[number] = (
                "{ static int mutate_seen; if (!mutate_seen) { "
                "extern void mutate_probe(const char *); mutate_seen = 1; "
                f"mutate_probe(\"{name}\"); }}")
    return "\n".join(lines)
