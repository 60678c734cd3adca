"""load_presto_text.py - presto: tokens of texts, from records to batches."""
import loader_presto
import loader_text

PIPELINE = """# text.conf - written by load_presto_text.py
[dataset]
source = folder
path   = {path}
match  = **/*.txt

[pipeline]
tokens = bpe vocab={vocabulary}
"""


def run_task(task):
    """Prints the result of a task."""
    pipeline = PIPELINE.format(
        path=loader_text.folder(task).resolve() / "articles",
        vocabulary=loader_text.vocabulary(task).resolve())
    loader_presto.run(task, pipeline, loader_text.ARTICLES,
                      loader_text.megabytes(task), split="raw")


if __name__ == "__main__":
    loader_presto.main(run_task)
