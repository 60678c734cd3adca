"""load_presto.py - presto, measured by its own command line.

Prints a line for each store of the form.  $PRESTO names the program, by
default build/presto of this tree.
"""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys
from typing import NamedTuple

import loader

CONF = """# compare.conf - written by load_presto.py
[dataset]
source = folder
path   = {path}
match  = *.jpg

[pipeline]
decoded  = jpeg_decode
resized  = resize shorter={shorter} filter=bilinear antialias={antialias}
{squared}cropped  = center_crop size={crop}
centered = center

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


class Form(NamedTuple):
    """How presto does a form."""

    split: str
    stores: str = "tar, tfrecord"
    cache: str = "system"
    square: bool = False  # a middle of 256 x 256 is stored


FORMS = {
    "files": Form("unprocessed"),
    "jpeg-records": Form("raw"),
    "decoded-records": Form("decoded"),
    "resized-records": Form("resized", "tar, tfrecord, files"),
    "square-records": Form("squared", "tar, tfrecord, npy", square=True),
    "memory": Form("unprocessed", cache="application"),
}
# Columns of the report that may tell why a figure is not to be trusted.
WANTED = {"status": "done", "equivalent": "yes"}


def program():
    """Where presto is."""
    root = pathlib.Path(__file__).resolve().parents[2]
    return os.environ.get("PRESTO", str(root / "build" / "presto"))


def presto(*words):
    """What a command of presto prints; its complaint ends this program."""
    done = subprocess.run([program(), *words], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.strip() or f"status {done.returncode}")
    return done.stdout


def write_conf(tasks, work, stores):
    """The pipeline file of tasks; the first epoch is the warm-up."""
    task = tasks[0]
    form = FORMS[task.form]
    squared = f"squared  = center_crop size={loader.SHORTER}\n"
    conf = work / "compare.conf"
    conf.write_text(CONF.format(
        path=task.data.resolve(), shorter=loader.SHORTER, crop=loader.CROP,
        squared=squared if form.square else "", cache=form.cache,
        antialias="no" if task.variant == "no-antialias" else "yes",
        split=", ".join(FORMS[task.form].split for task in tasks),
        store=", ".join(stores), batch=loader.BATCH, cores=task.cores,
        samples=len(task.files), epochs=task.epochs + 1), encoding="utf-8")
    return str(conf)


def print_row(task, version, row):
    """One strategy of the report as a line of the comparison."""
    for column, value in WANTED.items():
        if row[column] != value:
            sys.exit(f"{row['strategy']}: {column} is {row[column]}")
    if int(row["samples"]) != len(task.files):
        sys.exit(f"{row['strategy']}: delivers {row['samples']} images")
    figures = [float(row[f"throughput_{part}samples_per_s"])
               for part in ("low_", "", "high_")]
    loader.result(task, "presto", version, figures,
                  strategy=row["strategy"], epochs=task.epochs)


def groups(tasks):
    """Tasks that one pipeline file does, together: it saves time."""
    found = {}
    for task in tasks:
        form = FORMS[task.form]
        key = (task.variant, task.epochs, form.stores, form.cache)
        found.setdefault(key, []).append(task)
    return found.values()


def run_group(tasks, version):
    """Profiles the strategies of tasks, and prints those asked for."""
    wanted = FORMS[tasks[0].form].stores.split(", ")
    known = presto("list", "stores").split()
    stores = [store for store in wanted if store in known]
    work = tasks[0].work / "presto"
    work.mkdir(exist_ok=True)
    database = str(work / "compare.db")
    presto("profile", write_conf(tasks, work, stores), "--db", database,
           "--work-dir", str(work))
    report = presto("report", "--csv", "--db", database)
    for store in set(wanted).difference(known):
        for task in tasks:
            strategy = f"{FORMS[task.form].split}/{store}/none"
            loader.failure(task, f"this build has no store {store}",
                           strategy=strategy)
    for row in csv.DictReader(io.StringIO(report, newline="")):
        for task in tasks:
            if row["split"] == FORMS[task.form].split:
                print_row(task, version, row)


def main():
    """Does as loader.main does, with presto as a program of its own."""
    call = loader.arguments()
    loader.pin(call.cores)
    version = re.search(r"[0-9][^\s]*", presto("--version"))[0]
    for tasks in groups(loader.tasks_of(call)):
        try:
            run_group(tasks, version)
        except SystemExit as error:
            for task in tasks:
                loader.failure(task, str(error).splitlines()[-1])


if __name__ == "__main__":
    main()
