"""loader_presto.py - presto as a program, for the forms other than images."""
import csv
import io
import os
import pathlib
import re
import subprocess
import sys

import loader


def presto(*words):
    """Runs a command of presto."""
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


def profile(task, conf, strategy, scale):
    """Profiles a pipeline file, given as text; prints the strategy's rates.

    A sample counts `scale` of the form's unit.
    """
    work = task.work / f"presto-{task.form}-{task.variant}"
    work.mkdir(exist_ok=True)
    path, database = work / "task.conf", str(work / "task.db")
    path.write_text(conf, encoding="utf-8")
    presto("profile", str(path), "--db", database, "--work-dir", str(work))
    report = presto("report", "--csv", "--db", database)
    for row in csv.DictReader(io.StringIO(report, newline="")):
        if row["strategy"] != strategy:
            continue
        if row["status"] != "done" or row["equivalent"] != "yes":
            sys.exit(f"{strategy}: {row['status']}")
        figures = [scale * float(row[f"throughput_{part}samples_per_s"])
                   for part in ("low_", "", "high_")]
        loader.result(task, "presto", version(), figures, strategy=strategy,
                      epochs=task.epochs)


def main(run_task):
    """Does as loader.main does; run_task prints the result of a task."""
    call = loader.arguments()
    loader.pin(call.cores)
    for task in loader.tasks_of(call):
        try:
            run_task(task)
        except SystemExit as error:
            loader.failure(task, str(error).splitlines()[-1])
