"""loader_text.py - texts and a vocabulary, for the form "text"."""
import sys

import loader


def vocabulary(task):
    """The folder with encoder.json and vocab.bpe."""
    return task.data / "vocabulary"


def files(task):
    """The files of text."""
    found = sorted((task.data / "texts").rglob("*.txt"))
    if not found:
        sys.exit("there are no texts")
    return found


def megabytes(task):
    """Of all texts."""
    return sum(path.stat().st_size for path in files(task)) / 1e6


def texts(task):
    """All texts, as strings."""
    return [loader.read(path).decode("utf-8") for path in files(task)]
