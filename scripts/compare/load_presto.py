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

import loader

CONF = """# compare.conf - written by load_presto.py
[dataset]
source = folder
path   = {path}
match  = *.jpg

[pipeline]
decoded  = jpeg_decode
resized  = resize shorter={shorter} filter=bilinear antialias={antialias}
cropped  = center_crop size={crop}
centered = center

[strategies]
split = {split}
store = {store}
codec = none

[load]
threads = {cores}
cache   = system
batch   = {batch}

[measure]
samples = {samples}
epochs  = {epochs}
runs    = 1
"""
SPLITS = {"files": "unprocessed", "jpeg-records": "raw",
          "decoded-records": "decoded", "resized-records": "resized"}
STORES = {"files": ["tar"], "resized-records": ["tar", "tfrecord", "files"]}
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


def write_conf(task, work):
    """The pipeline file of this task; the first epoch is the warm-up."""
    conf = work / "compare.conf"
    conf.write_text(CONF.format(
        path=task.data.resolve(), shorter=loader.SHORTER, crop=loader.CROP,
        antialias="no" if task.variant == "no-antialias" else "yes",
        split=SPLITS[task.form], batch=loader.BATCH, cores=task.cores,
        store=", ".join(STORES.get(task.form, ["tar", "tfrecord"])),
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


def main():
    """Profiles the form's strategies, and prints those asked for."""
    task = loader.arguments()
    loader.pin(task.cores)
    work = task.work / "presto"
    work.mkdir(exist_ok=True)
    database = str(work / "compare.db")
    presto("profile", write_conf(task, work), "--db", database,
           "--work-dir", str(work))
    report = presto("report", "--csv", "--db", database)
    version = re.search(r"[0-9][^\s]*", presto("--version"))[0]
    for row in csv.DictReader(io.StringIO(report, newline="")):
        if row["split"] == SPLITS[task.form]:
            print_row(task, version, row)


if __name__ == "__main__":
    main()
