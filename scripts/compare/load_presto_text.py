"""load_presto_text.py - presto: tokens of texts, from records to batches."""
import loader_presto
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


def run_task(task):
    """Prints the result of a task."""
    conf = CONF.format(
        path=loader_text.folder(task).resolve() / "articles",
        vocabulary=loader_text.vocabulary(task).resolve(),
        cores=task.cores, samples=loader_text.ARTICLES,
        epochs=task.epochs + 1)
    loader_presto.profile(task, conf, "raw/tar/none",
                          loader_text.megabytes(task) / loader_text.ARTICLES)


if __name__ == "__main__":
    loader_presto.main(run_task)
