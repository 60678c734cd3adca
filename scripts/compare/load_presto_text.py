"""load_presto_text.py - presto: tokens of texts, from records to batches."""
import csv
import io
import re
import sys

import loader
import loader_text

CONF = """# text.conf - written by load_presto_text.py
[dataset]
source = folder
path   = {path}
match  = **/*.txt

[pipeline]
tokens = bpe vocab={vocabulary}

[strategies]
split = raw
store = tar
codec = none

[load]
threads = {cores}
cache   = system
batch   = 64

[measure]
samples = {samples}
epochs  = {epochs}
runs    = 1
"""


def main():
    """Does as loader.main does, with presto as a program of its own."""
    call = loader.arguments()
    loader.pin(call.cores)
    version = re.search(r"[0-9][^\s]*", loader_text.presto("--version"))[0]
    for task in loader.tasks_of(call):
        work = task.work / "presto-text"
        work.mkdir(exist_ok=True)
        conf, database = str(work / "text.conf"), str(work / "text.db")
        with open(conf, "w", encoding="utf-8") as file:
            file.write(CONF.format(
                path=loader_text.folder(task).resolve() / "articles",
                vocabulary=loader_text.vocabulary(task).resolve(),
                cores=task.cores, samples=loader_text.ARTICLES,
                epochs=task.epochs + 1))
        loader_text.presto("profile", conf, "--db", database, "--work-dir",
                           str(work))
        report = loader_text.presto("report", "--csv", "--db", database)
        for row in csv.DictReader(io.StringIO(report, newline="")):
            if row["strategy"] != "raw/tar/none":
                continue
            if row["status"] != "done" or row["equivalent"] != "yes":
                sys.exit(f"raw/tar/none: {row['status']}")
            scale = loader_text.megabytes(task) / loader_text.ARTICLES
            figures = [scale * float(row[f"throughput_{part}samples_per_s"])
                       for part in ("low_", "", "high_")]
            loader.result(task, "presto", version, figures,
                          strategy=row["strategy"], epochs=task.epochs)


if __name__ == "__main__":
    main()
