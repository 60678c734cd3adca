"""load_presto.py - presto, measured by its own command line.

Prints a line for each store of the form.  $PRESTO names the program, by
default build/presto of this tree.
"""
from typing import NamedTuple

import loader
import loader_presto

PIPELINE = """# compare.conf - written by load_presto.py
[dataset]
source = folder
path   = {path}
match  = *.jpg

[pipeline]
decoded  = jpeg_decode
resized  = resize shorter={shorter} filter=bilinear antialias={antialias}
{squared}cropped  = center_crop size={crop}
centered = center
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


def conf(tasks, stores):
    """The pipeline file of tasks."""
    task = tasks[0]
    form = FORMS[task.form]
    squared = f"squared  = center_crop size={loader.SHORTER}\n"
    pipeline = PIPELINE.format(
        path=task.data.resolve(), shorter=loader.SHORTER, crop=loader.CROP,
        squared=squared if form.square else "",
        antialias="no" if task.variant == "no-antialias" else "yes")
    return pipeline + loader_presto.settings(
        task, len(task.files), cache=form.cache, store=", ".join(stores),
        split=", ".join(FORMS[task.form].split for task in tasks))


def groups(tasks):
    """Tasks that one pipeline file does, together: it saves time."""
    found = {}
    for task in tasks:
        form = FORMS[task.form]
        key = (task.variant, task.epochs, form.stores, form.cache)
        found.setdefault(key, []).append(task)
    return found.values()


def run_group(tasks):
    """Profiles the strategies of tasks, and prints those asked for."""
    wanted = FORMS[tasks[0].form].stores.split(", ")
    known = loader_presto.presto("list", "stores").split()
    stores = [store for store in wanted if store in known]
    report = loader_presto.profile(tasks[0].work / "presto",
                                   conf(tasks, stores))
    for store in set(wanted).difference(known):
        for task in tasks:
            strategy = f"{FORMS[task.form].split}/{store}/none"
            loader.failure(task, f"this build has no store {store}",
                           strategy=strategy)
    for row in report:
        for task in tasks:
            if row["split"] == FORMS[task.form].split:
                loader_presto.result(task, row, len(task.files))


def main():
    """Does as loader.main does, with presto as a program of its own."""
    call = loader.arguments()
    loader.pin(call.cores)
    for tasks in groups(loader.tasks_of(call)):
        try:
            run_group(tasks)
        except SystemExit as error:
            for task in tasks:
                loader.failure(task, str(error).splitlines()[-1])


if __name__ == "__main__":
    main()
