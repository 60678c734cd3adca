"""scenarios.py - what presto does when it is disturbed, and what must hold."""
import os
import re
import shutil

from faults import invariants
from faults.forgeries import ForgedFolder
from faults.program import LIMIT, Point, must
from faults.world import Database, tree

DATABASE = "t.db"
SHAPE = ["-t", "2", "--shards", "3"]
PROFILE = ["profile", "../data/photos.conf", "--db", DATABASE, "-w", "wd",
           "--split", "resized", "--set", "measure.probe=no"]
# What a failing call of a class says, in the order of interest.
ACTIONS = {
    "room": ("ENOSPC+", "EDQUOT"),
    "write": ("ENOSPC", "EIO", "short", "EINTR"),
    "sync": ("EIO", "ENOSPC"),
    "rename": ("EIO", "EACCES"),
    "create": ("ENOSPC", "EACCES", "EMFILE"),
    "open": ("EMFILE", "EIO", "EMFILE+"),
    "mmap": ("ENOMEM", "ENOMEM+"),
    "malloc": ("ENOMEM", "ENOMEM+"),
    "unlink": ("EIO",),
    "mkdir": ("ENOSPC",),
    "truncate": ("ENOSPC",),
    "read": ("EIO", "short", "EINTR"),
    "mode": ("EPERM",),
    "stat": ("EIO",),
    "list": ("EIO",),
    "lock": ("ENOLCK",),
    "thread": ("EAGAIN",),
}

MANY = 5000  # calls, of which the first ones are of more interest
# What `scripts/soak --classes` takes, in the order of its table.
CLASSES = ("kill", "forged", LIMIT, *ACTIONS)


def spread(numbers, most, chance):
    """
    At most so many of them, in order: at even distances, or where there are
    very many, half of them by their logarithm, which all beginnings have.
    """
    count = len(numbers)
    if most is None or count <= most:
        return list(numbers)
    places = [int((chance.random() + i) * count / most) for i in range(most)]
    if count > MANY:
        places[::2] = [int(count ** chance.random()) for _ in places[::2]]
    return [numbers[place] for place in sorted(set(places))]


class Case:
    """A scenario that was disturbed at a point, and run again."""

    def __init__(self, scenario, world, point, keep=None):
        self.scenario, self.world, self.point = scenario, world, point
        self.database = self.again = self.database_again = None
        self.files_again = None
        world.reset(scenario.base)
        self.outcome = world.program.run(scenario.args, world.home, point)
        self.files = tree(world.home)
        if keep:
            shutil.copytree(world.home, keep, symlinks=True)
        if scenario.has_session:
            self.database = Database(world, DATABASE)
        self.again = world.program.run(scenario.again, world.home)
        self.files_again = tree(world.home)
        if scenario.has_session:
            self.database_again = Database(world, DATABASE)

    @property
    def is_reached(self):
        if self.point.kind == LIMIT:
            return self.outcome.status != 0
        return self.outcome.hits > 0

    def outcomes(self):
        return self.outcome, self.again

    def problems(self):
        """(invariant, sentence) of each violation."""
        return [(check.__name__, sentence)
                for check in self.scenario.invariants
                for sentence in check(self)]


class Scenario:
    """
    A command that starts in a copy of a base; `again` is what the user runs
    next.  Once prepared, `reference` is what it leaves when nothing disturbs
    it, and `calls` is how many calls of each class it makes then.
    """

    def __init__(self, name, args, make_base=None, again=None, checks=(),
                 varying=(), has_session=False):
        self.name, self.args, self.make_base = name, args, make_base
        self.again = again or args
        self.invariants, self.varying = checks, varying
        self.has_session = has_session
        self.reference, self.calls, self.trials = None, {}, []

    def prepare(self, world, classes=CLASSES):
        """Raises Refused where this build has no such strategy."""
        world.reset("empty")
        self.users = tree(world.home)
        self.base = self.make_base(world) if self.make_base else "empty"
        world.reset(self.base)
        self.before = tree(world.home)
        for counts in ("calls", "malloc"):
            if counts == "malloc" and ("malloc" not in classes or
                                       world.program.is_sanitized):
                continue
            world.reset(self.base)
            outcome = world.program.run(self.args, world.home, counts=counts)
            must(outcome)
            for kind, count in outcome.calls.items():
                self.calls[kind] = max(count, self.calls.get(kind, 0))
        if world.program.is_sanitized:
            self.calls["mmap"] = 0  # the sanitizer needs them, too
        self.reference = tree(world.home)
        self.bytes = {what: os.path.getsize(world.path(path))
                      for path, what in self.reference.items()
                      if what != "folder" and os.path.isfile(world.path(path))}
        if self.has_session:
            self.trials = Database(world, DATABASE).newest()

    parse = staticmethod(Point.parse)

    def attempt(self, world, point, keep=None):
        return Case(self, world, point, keep)

    def points(self, options, chance):
        """Those to try: `kills` changes, `faults` of a class and action."""
        kinds = [(kind, action, numbers)
                 for kind, action, numbers in self.faults()
                 if len(numbers) and kind in options.classes]
        if options.kinds is not None:
            kinds = chance.sample(kinds, min(options.kinds, len(kinds)))
        points = [Point(kind, n, action) for kind, action, numbers in kinds
                  for n in spread(numbers, options.faults, chance)]
        if "kill" in options.classes:
            changes = range(1, self.calls["change"] + 1)
            points += [Point("change", n, "kill")
                       for n in spread(changes, options.kills, chance)]
        return points

    def faults(self):
        """(class, action, which calls) of all that may fail."""
        for kind, actions in ACTIONS.items():
            for action in actions:
                yield kind, action, range(1, self.calls.get(kind, 0) + 1)
        yield LIMIT, "limit", self.sizes()

    def sizes(self):
        """In a file that it writes: its first and last byte, and between."""
        written = [path for path, what in self.reference.items()
                   if what != self.before.get(path) and what in self.bytes]
        ends = {self.bytes[self.reference[path]] for path in written}
        return sorted({size for end in ends
                       for size in (0, end // 3, end // 2, end - 1)})


def materialize(form, *more):
    # The filter of floats has none before this step.
    split = "centered" if "shuffle" in form else "resized"
    return ["materialize", "../data/photos.conf", "-s", f"{split}/{form}",
            "-o", "out", *SHAPE, *more]


def make_complete(form):
    """A base with the whole folder."""
    def make(world):
        world.reset("empty")
        must(world.program.run(materialize(form), world.home))
        return world.keep("complete")
    return make


def biggest_of_shard(world, number):
    """A file with samples of the shard."""
    found = [(os.path.getsize(world.path(path)), path)
             for path in tree(world.home)
             if re.search(f"{number:06d}", path) and
             os.path.isfile(world.path(path))]
    return max(found)[1]


def make_damaged(form):
    """A base with a folder that is complete, but for one byte."""
    def make(world):
        world.reset(make_complete(form)(world))
        path = world.path(biggest_of_shard(world, 1))
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 0x55]))
        return world.keep("damaged")
    return make


def make_stopped(args, part):
    """A base that the command left when it was killed: 0 begin, 1 end."""
    def make(world):
        world.reset("empty")
        changes = world.program.run(args, world.home,
                                    counts="calls").calls["change"]
        world.reset("empty")
        world.program.run(args, world.home,
                          Point("change", int(changes * part), "kill"))
        return world.keep("stopped")
    return make


def make_measured(world):
    """A base with a session that is done, and reports that are the user's."""
    world.reset("empty")
    must(world.program.run(PROFILE, world.home))
    for name in ("table.csv", "page.html", "chart.svg"):
        with open(world.path(name), "w") as file:
            file.write("An earlier one.\n")
    return world.keep("measured")


def names(world, what):
    """Names that `presto list` prints."""
    listed = world.program.run(["list", what], world.scratch)
    must(listed)
    return re.findall(r"^  ([a-z0-9_]+)  ", listed.out, re.M)


def forms(world):
    """Each store with each codec; a filter with a codec behind it."""
    for store in names(world, "stores"):
        for codec in names(world, "codecs"):
            if codec in ("delta", "shuffle"):
                codec += "+zstd:1"
            yield f"{store}/{codec}"


def of_sessions():
    resume = PROFILE + ["--resume"]
    session = {"again": resume, "checks": invariants.OF_SESSIONS,
               "varying": (DATABASE,), "has_session": True}
    yield Scenario("profile", PROFILE, **session)
    yield Scenario("resume", resume, make_stopped(PROFILE, 0.67), **session)


def of_folders(form):
    def scenario(kind, args, make_base=None, again=None):
        return Scenario(f"{kind}/{form}", args, make_base, again,
                        checks=invariants.OF_FOLDERS)

    yield scenario("materialize", materialize(form))
    if form.endswith("/none"):
        check = materialize(form, "--check")
        yield scenario("begun", materialize(form),
                       make_stopped(materialize(form), 0.5))
        yield scenario("check", check, make_complete(form), materialize(form))
        yield scenario("mend", check, make_damaged(form))
    yield ForgedFolder(form, materialize(form))


def of_outputs():
    report = ["report", "--db", DATABASE]
    checks = invariants.OF_ALL + invariants.OF_RERUN + (
        invariants.database_is_sound, invariants.finished_runs_stay)
    for name, args in (
            ("csv", report + ["--csv", "-o", "table.csv"]),
            ("html", report + ["--html", "page.html"]),
            ("plot", report + ["--plot", "chart.svg"]),
            ("recommend", ["recommend", "--db", DATABASE, "--format", "json",
                           "-o", "table.csv"])):
        yield Scenario(f"output/{name}", args, make_measured, checks=checks,
                       varying=(DATABASE,), has_session=True)


def of_others():
    """Commands that do not go on where they were stopped."""
    yield Scenario(
        "probe", ["probe", "wd", "--db", DATABASE, "--size", "1MB", "--files",
                  "4", "--tool", "presto", "-t", "1", "--again"],
        checks=invariants.OF_ALL + invariants.OF_RERUN + (
            invariants.database_is_sound,),
        varying=(DATABASE,), has_session=True)
    yield Scenario(
        "generate", ["generate", "photos", "--count", "3", "--set",
                     "width=64", "-o", "made"],
        checks=invariants.OF_ALL + (
            invariants.success_is_whole, invariants.refuses_or_is_whole))


def each(world):
    """All scenarios; those that this build refuses say so in prepare()."""
    yield from of_sessions()
    for form in forms(world):
        yield from of_folders(form)
    yield from of_outputs()
    yield from of_others()
