"""loader_text.py - texts and a vocabulary, for the form "text".

The texts are the articles of pages that presto makes; the vocabulary is the
one that it learns from them, in GPT-2's files.
"""
import os
import pathlib
import sys

import loader
from loader_presto import presto

ARTICLES = 1000


def folder(task):
    """The folder: articles/, files of text, and vocab/; made once."""
    def write(unfinished):
        pages = f"{unfinished}/pages"
        os.makedirs(unfinished)
        presto("generate", "articles", "--count", str(ARTICLES), "--seed",
               "1", "--out", pages)
        presto("materialize", f"{pages}/articles.conf", "--strategy",
               "decoded/files/none", "--out", f"{unfinished}/articles")

    return pathlib.Path(loader.once(task.work / "texts", write))


def vocabulary(task):
    """The folder with encoder.json and vocab.bpe."""
    return folder(task) / "pages" / "vocab"


def files(task):
    """The files of text."""
    found = sorted((folder(task) / "articles").rglob("*.txt"))
    if len(found) != ARTICLES:
        sys.exit(f"{len(found)} of {ARTICLES} texts are there")
    return found


def megabytes(task):
    """Of all texts."""
    return sum(path.stat().st_size for path in files(task)) / 1e6
