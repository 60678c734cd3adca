"""builder.py - builds the project so that one file can be exchanged quickly.

All of it but `main` is one shared library, which the unit tests and the
program load. A mutation is then one file to compile and the library to link.
Functions of the files that are mutated have probes: see probe.c. Tests run in
a sandbox: see sandbox.c.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess

import mutations

HERE = pathlib.Path(__file__).resolve().parent
VARIABLES = ("BASE_CFLAGS", "LIBS", "TEST_LIBS", "TEST_CFLAGS",
             "FAST_LINKER", "LIB_SOURCES", "CMD_SOURCES", "UNIT_SOURCES",
             "UNIT_SHARED", "SCHEMA")
FLAGS = "-O2 -fvisibility=default"
# Else a fault would be found by what is only a warning in C.
ERRORS = ["-w", "-Werror=int-conversion",
          "-Werror=incompatible-pointer-types", "-Werror=implicit"]
# A test that exchanges a function has its objects linked into it.
WRAPPED = re.compile(r"__wrap_(\w+)\(")


class Refused(Exception):
    """What a compiler said."""


def run(command, **more):
    """Runs a command; its complaint becomes the exception."""
    done = subprocess.run(command, capture_output=True, text=True,
                          check=False, **more)
    if done.returncode:
        raise Refused((done.stderr or done.stdout).strip())
    return done.stdout


def snapshot(root, tree):
    """Copies the files of a tree that are new or changed, and removes others.

    So the tree may change meanwhile.
    """
    names = run(["git", "ls-files", "-z", "--cached", "--others",
                 "--exclude-standard"], cwd=root).rstrip("\0").split("\0")
    wanted = {name for name in names if (root / name).is_file()}
    for name in sorted(wanted):
        old, new = root / name, tree / name
        if new.exists() and old.read_bytes() == new.read_bytes():
            continue
        new.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(old, new)  # newer than any object
    for path in [path for path in tree.rglob("*") if path.is_file()]:
        if str(path.relative_to(tree)) not in wanted:
            path.unlink()


class Builder:
    """The build of all mutations, below a folder of its own."""

    def __init__(self, root, folder, jobs, rooms):
        self.root, self.folder, self.jobs = root, folder, jobs
        self.compiler = ["gcc"]
        if shutil.which("ccache"):
            self.compiler.insert(0, "ccache")
        self.make_words = [
            "make", "--no-print-directory", f"-j{jobs}", f"BUILD={folder}",
            "CC=" + " ".join(self.compiler), "DEBUG=", f"CFLAGS={FLAGS}"]
        self.sandbox = folder / "sandbox"  # see sandbox.c
        self.wrapped = {}  # unit test -> functions that it exchanges
        self.values = self.variables()
        self.sources = [path for path in self.values["LIB_SOURCES"]
                        if any(path.startswith(f"{room}/") for room in rooms)
                        and not path.endswith(("missing.c", "libraries.c"))]

    def variables(self):
        """Variables of the Makefile, as lists of words."""
        names = " ".join(VARIABLES)
        text = run([*self.make_words, "-s", "--eval",
                    f"mutate-print:;@:$(foreach v,{names},$(info $(v)="
                    "$($(v))))", "mutate-print"], cwd=self.root)
        pairs = (line.partition("=") for line in text.splitlines())
        return {name: shlex.split(value) for name, _, value in pairs
                if name in VARIABLES}

    def object(self, source):
        """Where the object of a source is."""
        return str(self.folder / source.removesuffix(".c")) + ".o"

    def compile(self, text, out, source):
        """Compiles a text as if it were this source of the project."""
        copy = out.with_suffix(".c")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        run([*self.compiler, *self.values["BASE_CFLAGS"], *FLAGS.split(),
             *ERRORS, f"-I{(self.root / source).parent}",
             "-Wno-builtin-macro-redefined", f'-D__FILE__="{source}"', "-c",
             "-o", str(out), str(copy)], cwd=self.root)

    def build(self, say):
        """Everything without a mutation."""
        mutated = set(self.sources)
        program = "cmd/main.c"
        others = [path for path in (self.values["LIB_SOURCES"]
                                    + self.values["CMD_SOURCES"])
                  if path not in mutated and path != program]
        tests = self.values["UNIT_SOURCES"] + self.values["UNIT_SHARED"]
        objects = [self.object(path) for path in (*others, *tests, program)]
        say(f"building {len(objects) + len(mutated)} files")
        run([*self.make_words, *self.values["SCHEMA"], *objects],
            cwd=self.root)
        probed = []
        for source in self.sources:
            text = (self.root / source).read_text(encoding="utf-8")
            out = pathlib.Path(self.probed(source))
            self.compile(mutations.with_probes(source, text), out, source)
            probed.append(str(out))
        probe = self.folder / "probe.o"
        run([*self.compiler, "-O2", "-fPIC", "-c", "-o", str(probe),
             str(HERE / "probe.c")])
        run([*self.compiler, "-O2", "-o", str(self.sandbox),
             str(HERE / "sandbox.c")])
        self.objects = [self.object(path) for path in others]
        self.objects += [str(probe), *probed]
        shutil.rmtree(self.folder / "library", ignore_errors=True)
        self.link(self.folder / "library")
        self.link_programs()

    def probed(self, source):
        """The object of a source with probes."""
        return str(self.folder / "probed" / source.removesuffix(".c")) + ".o"

    def link(self, folder, source=None, changed=None):
        """The library, with another object for a source."""
        folder.mkdir(parents=True, exist_ok=True)
        old = self.probed(source) if source else None
        objects = [str(changed) if path == old else path
                   for path in self.objects]
        listing = folder / "objects"
        listing.write_text("\n".join(objects), encoding="utf-8")
        run(["gcc", "-shared", *self.values["FAST_LINKER"], "-o",
             str(folder / "libpresto-mutate.so"), f"@{listing}",
             *self.values["LIBS"]])

    def link_programs(self):
        """The unit tests and the program, which load the library."""
        shared = [self.object(path) for path in self.values["UNIT_SHARED"]]
        where = [f"-L{self.folder / 'library'}", "-lpresto-mutate"]
        for source in self.values["UNIT_SOURCES"]:
            name = pathlib.Path(source).stem
            text = (self.root / source).read_text(encoding="utf-8")
            functions = set(WRAPPED.findall(text))
            if functions:
                self.wrapped[name] = functions
            else:
                self.link_one(self.folder / "tests" / name,
                              [self.object(source), *shared, *where,
                               *self.values["TEST_LIBS"]])
        self.link_one(self.folder / "bin" / "presto",
                      [self.object("cmd/main.c"), *where])

    def link_one(self, out, words):
        """Links a program, unless it is newer than its objects."""
        newest = max((os.stat(word).st_mtime for word in words
                      if word.endswith(".o")), default=0)
        if out.exists() and out.stat().st_mtime > newest:
            return
        out.parent.mkdir(parents=True, exist_ok=True)
        run(["gcc", *self.values["FAST_LINKER"], "-o", str(out), *words,
             *self.values["LIBS"]])

    def tests(self):
        """The names of all unit tests."""
        return sorted(pathlib.Path(source).stem
                      for source in self.values["UNIT_SOURCES"])

    def test(self, name, library):
        """The program of a unit test, for the library in a folder."""
        if name not in self.wrapped:
            return self.folder / "tests" / name
        out = library / name
        if not out.exists():
            shared = [self.object(path)
                      for path in self.values["UNIT_SHARED"]]
            run(["gcc", *self.values["FAST_LINKER"], "-o", str(out),
                 "-Wl,--allow-multiple-definition",
                 *(f"-Wl,--wrap={each}" for each in self.wrapped[name]),
                 self.object(f"test/unit/{name}.c"), *shared,
                 f"@{library / 'objects'}", *self.values["TEST_LIBS"],
                 *self.values["LIBS"]])
        return out

    def mutate(self, mutation, folder):
        """The library with a mutation; False where it changes no code."""
        source = mutation.path
        text = (self.root / source).read_text(encoding="utf-8")
        lines = mutations.with_probes(source, text).split("\n")
        lines[mutation.line - 1] = mutation.mutated
        for name in self.wrapped:
            (folder / name).unlink(missing_ok=True)
        out = folder / "mutant.o"
        self.compile("\n".join(lines), out, source)
        if contents(self.probed(source)) == contents(out):
            return False
        self.link(folder, source, out)
        return True


def contents(path):
    """The code and data of an object, as text."""
    text = run(["objdump", "-s", "-r", str(path)])
    return re.sub(r"(?m)^.*file format.*$", "", text)
