"""loader_presto.py - presto as a program: its pipeline files, its report."""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys

import loader

SETTINGS = """
[strategies]
split = unprocessed

[load]
threads = {threads}
cache   = {cache}
batch   = {batch}

[measure]
samples = {samples}
epochs  = {epochs}
runs    = 1
min_run_time = 0
"""
TRIAL_EPOCHS = 3  # that tell how many are needed


def presto(*words):
    """What a command of presto prints; its complaint ends the task."""
    root = pathlib.Path(__file__).resolve().parents[2]
    program = os.environ.get("PRESTO", str(root / "build" / "presto"))
    done = subprocess.run([program, *words], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no reason given"]
        sys.exit(lines[-1])
    return done.stdout


def version():
    """Of the program."""
    return re.search(r"[0-9][^\s]*", presto("--version"))[0]


def materialized(task, pipeline, strategy):
    """The folder of a strategy of a pipeline; made once."""
    name = f"presto-{task.form}-{task.variant}-{strategy}".replace("/", "-")
    name = name.replace(":", "-")

    def write(unfinished):
        conf = task.work / f"{name}.conf"
        conf.write_text(pipeline, encoding="utf-8")
        presto("materialize", str(conf), "--strategy", strategy, "--out",
               unfinished)

    return pathlib.Path(loader.once(task.work / name, write))


class Profile:
    """The trial of a pipeline whose strategy is `unprocessed`.

    An epoch takes `samples` of the dataset and delivers `delivered`.
    """

    def __init__(self, task, pipeline, samples, cache="system",
                 delivered=None):
        self.task, self.pipeline = task, pipeline
        self.samples, self.cache = samples, cache
        self.delivered = delivered or samples
        self.work = task.work / f"presto-work-{task.cores}"

    def epochs(self, count):
        """Seconds that `count` epochs took together, after one of warm-up."""
        settings = SETTINGS.format(
            threads=loader.count(self.task, "threads"), cache=self.cache,
            batch=loader.BATCH, samples=self.samples, epochs=count + 1)
        self.work.mkdir(exist_ok=True)
        path = self.work / "task.conf"
        database = self.work / "task.db"
        for name in self.work.glob("task.db*"):
            name.unlink()
        path.write_text(self.pipeline + settings, encoding="utf-8")
        presto("profile", str(path), "--db", str(database), "--work-dir",
               str(self.work))
        report = presto("report", "--csv", "--db", str(database))
        row, = csv.DictReader(io.StringIO(report, newline=""))
        for column, value in (("status", "done"), ("equivalent", "yes"),
                              ("samples", str(self.delivered))):
            if row[column] != value:
                sys.exit(f"{column} is {row[column]}")
        return (count * self.delivered
                / float(row["throughput_samples_per_s"]))


def measure(profile, request, amount):
    """As loader.measure does: an epoch of presto is many, one behind the
    other, and it pays the start of each.

    An epoch delivers `amount` of the form's unit.
    """
    seconds = request["seconds"]
    passes = request.get("passes")
    if not passes:
        took = profile.epochs(TRIAL_EPOCHS)
        passes = max(TRIAL_EPOCHS,
                     loader.passes_for(seconds, took, TRIAL_EPOCHS))
    took, passes = loader.long_enough(profile.epochs, seconds, passes)
    return {"rate": passes * amount / took, "took": round(took, 3),
            "passes": passes}


def main(answer):
    """Does as loader.main does; answer(task, request) gives the record."""
    call = loader.arguments()
    loader.pin(call.cores)
    loader.serve(call, "presto", version(), answer)
