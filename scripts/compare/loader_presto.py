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
split = {split}
store = {store}
codec = none

[load]
threads = {cores}
cache   = {cache}
batch   = {batch}

[measure]
samples = {samples}
epochs  = {epochs}
runs    = 1
"""


def settings(task, samples, split, store="tar", cache="system"):
    """What is measured, in a pipeline file; the first epoch is the warm-up."""
    return SETTINGS.format(split=split, store=store, cache=cache,
                           cores=task.cores, batch=loader.BATCH,
                           samples=samples, epochs=task.epochs + 1)


def presto(*words):
    """What a command of presto prints; its complaint ends this program."""
    root = pathlib.Path(__file__).resolve().parents[2]
    program = os.environ.get("PRESTO", str(root / "build" / "presto"))
    done = subprocess.run([program, *words], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"status {done.returncode}")
    return done.stdout


def version():
    """Of the program."""
    return re.search(r"[0-9][^\s]*", presto("--version"))[0]


def profile(work, conf):
    """Profiles a pipeline file, given as text: the rows of its report."""
    work.mkdir(exist_ok=True)
    path, database = work / "task.conf", str(work / "task.db")
    path.write_text(conf, encoding="utf-8")
    presto("profile", str(path), "--db", database, "--work-dir", str(work))
    report = presto("report", "--csv", "--db", database)
    return csv.DictReader(io.StringIO(report, newline=""))


def result(task, row, samples, scale=1):
    """Prints the rates of a row; a sample counts `scale` of the form's unit.

    What tells that a figure is not to be trusted ends this program.
    """
    for column, value in (("status", "done"), ("equivalent", "yes"),
                          ("samples", str(samples))):
        if row[column] != value:
            sys.exit(f"{row['strategy']}: {column} is {row[column]}")
    figures = [scale * float(row[f"throughput_{part}samples_per_s"])
               for part in ("low_", "", "high_")]
    loader.result(task, "presto", version(), figures,
                  strategy=row["strategy"], epochs=task.epochs)


def run(task, pipeline, samples, total, **form):
    """Measures a pipeline of `total` of the form's unit; prints its rates."""
    conf = pipeline + settings(task, samples, **form)
    work = task.work / f"presto-{task.form}-{task.variant}"
    for row in profile(work, conf):
        if row["split"] == form["split"]:
            result(task, row, samples, total / samples)


def main(run_task):
    """Does as loader.main does; run_task prints the result of a task."""
    call = loader.arguments()
    loader.pin(call.cores)
    for task in loader.tasks_of(call):
        try:
            run_task(task)
        except SystemExit as error:
            loader.failure(task, str(error).splitlines()[-1])
