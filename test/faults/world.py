"""world.py - files on disk: a dataset, folders to work in, what they hold."""
import hashlib
import os
import shutil
import sqlite3

from faults.program import must

PIPELINE = """\
[dataset]
source = folder
path   = .
match  = *.jpg
label  = directory

[pipeline]
decoded  = jpeg_decode
resized  = resize size=24x24 filter=bilinear
centered = center

[strategies]
split = all
store = tar
codec = none

[load]
threads = 1
cache   = none
batch   = 4

[measure]
samples      = 4
epochs       = 1
runs         = 1
min_run_time = 0
probe        = no
"""


def tree(folder):
    """{path: what is there} of all below a folder."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            found[os.path.relpath(path, folder)] = describe(path)
    return found


def describe(path):
    if os.path.islink(path):
        return "link to " + os.readlink(path)
    if os.path.isdir(path):
        return "folder"
    if not os.path.isfile(path):
        return "special"
    with open(path, "rb") as file:
        return hashlib.sha1(file.read()).hexdigest()


def clear(folder):
    if os.path.islink(folder):
        os.unlink(folder)
    shutil.rmtree(folder, ignore_errors=True)


class World:
    """
    SCRATCH/data is the dataset, with files beside it that are the user's;
    SCRATCH/home is the folder in which presto runs, copied anew for each
    point; SCRATCH/bases are what it is copied from.
    """

    def __init__(self, program, scratch):
        self.program, self.scratch = program, scratch
        self.data = os.path.join(scratch, "data")
        self.home = os.path.join(scratch, "home")
        self.bases = os.path.join(scratch, "bases")
        os.mkdir(self.bases)
        self.make_data()
        self.make_empty_base()
        self.data_tree = tree(self.data)

    def make_data(self):
        must(self.program.run(
            ["generate", "photos", "--count", "8", "--seed", "1",
             "--set", "width=64", "-o", self.data], self.scratch))
        with open(os.path.join(self.data, "photos.conf"), "w") as file:
            file.write(PIPELINE)
        with open(os.path.join(self.data, "notes.txt"), "w") as file:
            file.write("These notes are the user's.\n")
        os.symlink("notes.txt", os.path.join(self.data, "link"))

    def make_empty_base(self):
        """What is in the folder before presto came."""
        base = os.path.join(self.bases, "empty")
        os.makedirs(os.path.join(base, "wd"))
        for name in ("mine.txt", "out.txt", "wd/mine.tmp"):
            with open(os.path.join(base, name), "w") as file:
                file.write(f"{name} is the user's.\n")
        os.symlink("mine.txt", os.path.join(base, "mine.link"))

    def reset(self, base):
        clear(self.home)
        shutil.copytree(os.path.join(self.bases, base), self.home,
                        symlinks=True)

    def keep(self, base):
        """The home as it is now is a base from here on; its name."""
        folder = os.path.join(self.bases, base)
        clear(folder)
        shutil.copytree(self.home, folder, symlinks=True)
        return base

    def path(self, name):
        return os.path.join(self.home, name)


class Database:
    """
    What a database holds, read from a copy: to open it would mend it, and
    that is presto's to do.
    """

    def __init__(self, world, name):
        self.sound, self.runs, self.trials, self.sessions = None, [], [], []
        folder = os.path.join(world.scratch, "copy")
        clear(folder)
        os.mkdir(folder)
        for suffix in ("", "-wal", "-shm", "-journal"):
            if os.path.exists(world.path(name + suffix)):
                shutil.copy(world.path(name + suffix), folder)
        self.exists = os.path.exists(os.path.join(folder, name))
        if self.exists:
            self.read(os.path.join(folder, name))

    def read(self, path):
        connection = sqlite3.connect(path)
        try:
            found = connection.execute("PRAGMA integrity_check").fetchall()
            self.sound = "; ".join(row[0] for row in found)
            self.sessions = connection.execute(
                "SELECT id, state FROM session ORDER BY id").fetchall()
            self.trials = connection.execute(
                "SELECT s.session, s.label, t.threads, t.cache, t.state,"
                " t.message FROM trial t JOIN strategy s ON s.id = t.strategy"
                " ORDER BY 1, 2, 3, 4").fetchall()
            self.runs = connection.execute(
                "SELECT s.session, s.label, t.threads, t.cache, r.run,"
                " r.epoch, r.wall_ns FROM run r JOIN trial t ON t.id = r.trial"
                " JOIN strategy s ON s.id = t.strategy").fetchall()
        except sqlite3.Error as error:
            # Before its tables were made there are none, and it is sound.
            if "no such table" not in str(error):
                self.sound = str(error)
        finally:
            connection.close()

    def newest(self):
        """The trials of the newest session, but for what differs by run."""
        if not self.sessions:
            return []
        return [row[1:5] for row in self.trials
                if row[0] == self.sessions[-1][0]]
