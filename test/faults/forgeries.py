"""forgeries.py - stored folders that somebody changed, and what must hold.

A forgery changes the folder of a complete `presto materialize`: flips bits of
a file, cuts, lengthens or removes it, puts a folder, a link or the same file
of another pipeline in its place, swaps files of two shards, or edits the
manifest.  From each, three commands start in a copy of their own:

check  `materialize --check`: ends with success and the bytes that were
       written, and says what it mended; or with an error, and what it did
       not write anew is as it was found.
again  `materialize`: as good, where a file is missing or has another size.
read   `materialize` of the folder as a dataset: the samples that were
       written, or an error.
"""
import os
import random
import re
import shutil

from faults import invariants
from faults.program import must
from faults.world import clear, tree

THE_USERS_TO_EDIT = "README.md"
EDITS = (
    (r"samples = \d+", "samples = 99999999999999999999"),
    (r"samples = \d+", "samples = 5"),
    (r"shards = \d+", "shards = 4000000000"),
    (r"shards = \d+", "shards = 2"),
    (r"store = \w+", "store = ../../x"),
    (r"codec = \S+", "codec = zstd:19"),
    (r"000001 = \d+", "000001 = 18446744073709551615"),
    (r"000001 = (.*)\n", "000001 = 3 5568 0000000000000000\n"),
    (r"000002 = .*\n", ""),
    (r"fingerprint = \w+", "fingerprint = 0000000000000000"),
    (r"\[fields\]\n.*\n", "[fields]\ndata = uint8 hwc 9999999999x99999999x3"),
    (r"\[fields\]\n", "[fields]\n../../x = uint8 hwc 24x24x3\n"),
    (r"version = \d", "version = 99"),
    (r"strategy = .*", "strategy = " + "x" * 5000),
)


def flip(path, chance):
    with open(path, "rb") as file:
        content = bytearray(file.read())
    for _ in range(3):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    write(path, content)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)


def cut(path, chance):
    os.truncate(path, chance.randrange(os.path.getsize(path)))


def empty(path, chance):
    os.truncate(path, 0)


def lengthen(path, chance):
    with open(path, "ab") as file:
        file.write(b"x" * 100)


def remove(path, chance):
    os.unlink(path)


def make_folder(path, chance):
    os.unlink(path)
    os.mkdir(path)


def make_link(path, chance):
    """To a file of the user's."""
    os.unlink(path)
    os.symlink(os.path.join("..", "mine.txt"), path)


def make_pipe(path, chance):
    os.unlink(path)
    os.mkfifo(path)


# Those behind the first two change what a plain rerun looks at.
OF_FILES = {"flip": flip, "cut": cut, "empty": empty, "lengthen": lengthen,
            "remove": remove, "folder": make_folder, "link": make_link,
            "pipe": make_pipe}
SEEN_WITHOUT_READING = ("empty", "lengthen", "remove", "folder")


class Forgery:
    """WAY:WHAT, such as flip:shard-000001.tar or edit:3."""

    column = "forged"

    def __init__(self, way, what):
        self.way, self.what = way, what

    @staticmethod
    def parse(text):
        return Forgery(*text.split(":", 1))

    def __str__(self):
        return f"{self.way}:{self.what}"

    def apply(self, out, foreign, chance):
        path = os.path.join(out, self.what)
        if self.way in OF_FILES:
            OF_FILES[self.way](path, chance)
        elif self.way == "foreign":
            shutil.copy(os.path.join(foreign, self.what), path)
        elif self.way == "foreign-shard":
            for name in files_of_shard(foreign, int(self.what)):
                shutil.copy(os.path.join(foreign, name),
                            os.path.join(out, name))
        elif self.way == "swap":
            swap(path, path.replace("000001", "000002"))
        elif self.way == "swap-shards":
            for name in names_of_shard(out, 1):
                swap(os.path.join(out, name),
                     os.path.join(out, name.replace("000001", "000002")))
        elif self.way == "edit":
            edit(os.path.join(out, "presto.manifest"), *EDITS[int(self.what)])
        elif self.way == "extra":
            write(path, b"This file is the user's.\n")
        else:
            raise ValueError(f"no forgery '{self.way}'")

    def is_seen_without_reading(self):
        return self.way in SEEN_WITHOUT_READING and \
            self.what.startswith("shard-")


def swap(one, other):
    os.rename(one, one + ".held")
    os.rename(other, one)
    os.rename(one + ".held", other)


def edit(path, pattern, text):
    with open(path) as file:
        content = file.read()
    with open(path, "w") as file:
        file.write(re.sub(pattern, lambda _: text, content, count=1))


def names_of_shard(out, number):
    """Files and folders of a shard, right in the folder."""
    return sorted(name for name in os.listdir(out)
                  if f"{number:06d}" in name)


def files_of_shard(out, number):
    return sorted(path for path, what in tree(out).items()
                  if f"{number:06d}" in path and what != "folder")


class ForgedCase:
    """A forgery, and how the three commands ended."""

    is_reached = True

    def __init__(self, scenario, world, forgery, keep=None):
        self.scenario, self.world, self.point = scenario, world, forgery
        self.forge()
        if keep:
            shutil.copytree(world.home, keep, symlinks=True)
        self.before = tree(world.path("out"))
        self.outcome = world.program.run(scenario.check, world.home)
        self.checked = tree(world.path("out"))
        self.files = tree(world.home)
        self.forge()
        self.rerun = world.program.run(scenario.args, world.home)
        self.rewritten = tree(world.path("out"))
        self.forge()
        self.reading = world.program.run(scenario.read, world.home)
        self.read = tree(world.path("read"))

    def forge(self):
        self.world.reset(self.scenario.base)
        self.point.apply(self.world.path("out"), self.scenario.foreign,
                         random.Random(f"{self.scenario.name} {self.point}"))

    def outcomes(self):
        return self.outcome, self.rerun, self.reading

    def expected(self):
        """The folder as it was written, and what was put beside it."""
        files = dict(self.scenario.complete)
        if self.point.way == "extra":
            files[self.point.what] = self.before[self.point.what]
        return files

    def problems(self):
        return [(check.__name__, sentence)
                for check in self.scenario.invariants
                for sentence in check(self)]


def all_end_in_order(case):
    for outcome in case.outcomes():
        if outcome.status not in invariants.DOCUMENTED:
            yield f"presto {' '.join(outcome.args)} ended with status " \
                f"{outcome.status}: {outcome.err[-300:]}"
        elif outcome.status and not outcome.last_words:
            yield f"status {outcome.status} without a message"
        if re.search("Sanitizer|runtime error:", outcome.err):
            yield "a sanitizer reports: " + outcome.err[-1500:]


def is_kept(path, messages):
    """The folder of a shard that held other files, and is named."""
    top = path.partition("/")[0]
    return re.fullmatch(r"shard-\d+\.replaced\d*", top) and top in messages


def check_approves_nothing_false(case):
    """What is the user's is named, and left alone."""
    said = case.outcome.messages
    if case.outcome.status == 0:
        edited = [THE_USERS_TO_EDIT] if THE_USERS_TO_EDIT in said else []
        found = {path: what for path, what in case.checked.items()
                 if not is_kept(path, said)}
        yield from invariants.differences(
            "--check says it is fine", case.expected(), found, edited)


def check_says_what_it_mends(case):
    """By the name of a file, or of the folder of its shard."""
    changed = [path for path in case.checked
               if case.before.get(path) != case.checked[path] and
               case.checked[path] != "folder"]
    said = case.outcome.messages
    for path in changed if case.outcome.status == 0 else []:
        if path.partition("/")[0] not in said:
            yield f"{path} was written anew without a word: {said}"


def refusal_leaves_it_alone(case):
    """What has changed is as it was written at first."""
    if case.outcome.status == 0:
        return
    for path, what in case.checked.items():
        if what not in (case.before.get(path), case.expected().get(path)) \
                and path != "presto.partial":
            yield f"{path} was changed by a check that failed"
    gone = [path for path in case.before if path not in case.checked and
            case.point.way != "folder"]
    if case.point.way == "extra" and case.point.what in gone:
        yield f"the user's {case.point.what} is gone"


def rerun_sees_what_is_missing(case):
    if case.rerun.status == 0 and case.point.is_seen_without_reading():
        yield from invariants.differences(
            "a rerun says it is complete", case.expected(), case.rewritten, ())


def samples_of(files):
    """The other files tell of the dataset too, whose size has changed."""
    return {path: what for path, what in files.items()
            if path.startswith("shard-")}


def reading_delivers_what_was_written(case):
    if case.reading.status == 0:
        yield from invariants.differences(
            "read without an error", samples_of(case.scenario.read_files),
            samples_of(case.read), ())


def users_files_are_untouched(case):
    for path, what in case.scenario.users.items():
        if case.files.get(path) != what:
            yield f"the user's {path} is not what it was"


OF_FORGERIES = (all_end_in_order, check_approves_nothing_false,
                check_says_what_it_mends, refusal_leaves_it_alone,
                rerun_sees_what_is_missing, reading_delivers_what_was_written,
                users_files_are_untouched)


class ForgedFolder:
    """A scenario whose points are forgeries."""

    invariants = OF_FORGERIES

    def __init__(self, form, args):
        self.name = f"forged/{form}"
        self.args, self.check = args, args + ["--check"]
        self.read = [word if word != "out" else "read" for word in args]
        self.read[1] = "read.conf"
        self.read[3] = self.read[3].replace("resized", "stored")
        self.read[3] = self.read[3].replace("centered", "stored")

    def prepare(self, world, classes):
        world.reset("empty")
        self.users = tree(world.home)
        self.foreign = os.path.join(world.bases, "foreign")
        clear(self.foreign)
        other = ["--set", "pipeline.resized=resize size=24x24 filter=box"]
        must(world.program.run(self.args + other, world.home))
        shutil.copytree(world.path("out"), self.foreign)
        world.reset("empty")
        with open(world.path("read.conf"), "w") as file:
            file.write("[dataset]\nsource = presto\npath = out\n"
                       "[pipeline]\nstored = identity\n")
        must(world.program.run(self.args, world.home))
        self.complete = tree(world.path("out"))
        self.base = world.keep("forged")
        must(world.program.run(self.read, world.home))
        self.read_files = tree(world.path("read"))
        self.manifest_edits = range(len(EDITS))
        self.foreign_tree = tree(self.foreign)

    def forgeries(self):
        files = [path for path, what in self.complete.items()
                 if what != "folder"]
        for path in sorted(files):
            for way in OF_FILES:
                yield Forgery(way, path)
            if self.foreign_tree.get(path) != self.complete[path]:
                yield Forgery("foreign", path)
        for number in range(3):
            yield Forgery("foreign-shard", str(number))
        for name in sorted(self.complete):
            if "000001" in name and "/" not in name:
                yield Forgery("swap", name)
        yield Forgery("swap-shards", "")
        for i in self.manifest_edits:
            yield Forgery("edit", str(i))
        for name in ("mine.txt", "shard-000001.tar.tmp", "shard-000007.npy"):
            yield Forgery("extra", name)

    parse = staticmethod(Forgery.parse)

    def points(self, options, chance):
        every = list(self.forgeries())
        most = options.forgeries if "forged" in options.classes else 0
        if most is None or len(every) <= most:
            return every
        return chance.sample(every, most)

    def attempt(self, world, point, keep=None):
        return ForgedCase(self, world, point, keep)
