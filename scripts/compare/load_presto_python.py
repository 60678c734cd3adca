"""load_presto_python.py - presto.Loader of the installed wheel, in Python.

The rows of load_presto*.py once more, in the training loop that all loaders
have: the same pipelines, over the same stored data.
"""
import presto

import load_presto
import load_presto_audio
import load_presto_graph
import load_presto_text
import loader
import loader_audio
import loader_graph
import loader_text


def open_loader(task, path, batch=loader.BATCH):
    """The loader of a pipeline file, or of a stored folder."""
    return presto.Loader(path, batch, threads=loader.count(task, "threads"))


def written(task, pipeline):
    """The file of a pipeline, in the folder of records."""
    path = task.work / f"python-{task.form}-{task.variant}.conf"
    path.write_text(pipeline, encoding="utf-8")
    return path


def passes_of(batches):
    """What timed epochs are: so many epochs of the loader."""
    def epoch(passes):
        for _ in range(passes):
            yield from batches
    return epoch


def photographs(task):
    """Images of one shape: an array a batch.

    presto.Loader has no cache of its own; finished samples are stored, and
    are then in the page cache.
    """
    path = (load_presto.stored(task, "centered", "npy")
            if task.form == "memory"
            else written(task, load_presto.pipeline(task)))
    batches = open_loader(task, path)
    return loader.Loader(passes_of(batches), lambda batch: batch["data"])


def others(batches, samples, amount):
    """Samples of several shapes: a list of arrays a field.

    An epoch delivers so many samples, which are `amount` of the form's unit.
    """
    def taken(batch):
        for name in batches.fields:
            batch[name]
        return batch.samples

    def check(task, this):
        delivered = sum(map(taken, batches))
        if delivered != samples:
            raise SystemExit(f"delivers {delivered} of {samples} samples")
        return 0

    return loader.Loader(passes_of(batches), check=check,
                         amount=lambda batch: taken(batch) * amount / samples)


def texts(task):
    """Documents to tokens."""
    path = written(task, load_presto_text.pipeline(task))
    return others(open_loader(task, path), len(loader_text.files(task)),
                  loader_text.megabytes(task))


def sounds(task):
    """Recordings to spectra."""
    path = written(task, load_presto_audio.pipeline(task))
    return others(open_loader(task, path), loader_audio.count(task),
                  loader_audio.seconds(task))


def graph(task):
    """Neighbourhoods: a sample is a batch of seeds."""
    seeds = load_presto_graph.nodes(loader_graph.edges(task))
    path = written(task, load_presto_graph.stored(task))
    return others(open_loader(task, path, 1),
                  -(-seeds // loader_graph.BATCH), seeds)


MAKERS = {"text": texts, "audio": sounds, "graph": graph}


def make(task):
    """The loader of a form."""
    return MAKERS.get(task.form, photographs)(task)


if __name__ == "__main__":
    loader.main("presto.Loader", presto.__version__, make)
