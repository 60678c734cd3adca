"""dataset.py - the folder with all that a run is about.

photos/ has the user's photographs, copied over until there are as many as a
pass has; texts/ the user's texts, cut at ends of lines into documents of about
4 kB; vocabulary/, graph/ and original/ are as they were given.
"""
import hashlib
import json
import pathlib
import shutil
import sys

import rows

DOCUMENT = 4000  # bytes
PHOTOGRAPHS = ("photographs",)


def is_given(options, form):
    """Whether the command line has what a form needs."""
    return all(getattr(options, name)
               for name in rows.NEEDS.get(form, PHOTOGRAPHS))


def is_jpeg(path):
    """Whether a file begins as JPEG does."""
    with open(path, "rb") as file:
        return file.read(3) == b"\xff\xd8\xff"


def found_photographs(options):
    """The user's photographs; spread over all where there are too many."""
    found = sorted(path for path in options.photographs.rglob("*")
                   if path.suffix.lower() in (".jpg", ".jpeg")
                   and is_jpeg(path))
    if not found:
        sys.exit(f"compare-loaders: no JPEG files in {options.photographs}")
    if len(found) > options.images:
        found = [found[i * len(found) // options.images]
                 for i in range(options.images)]
    return found


def copy_photographs(options, folder):
    """Copies the photographs; returns what the report says of them."""
    found = found_photographs(options)
    folder.mkdir()
    for number in range(options.images):
        shutil.copyfile(found[number % len(found)],
                        folder / f"{number:06d}.jpg")
    size = sum(path.stat().st_size for path in found) / len(found) / 1000
    return (f"{len(found)} files of --photographs, {size:.0f} kB each in the "
            f"mean; {options.images} a pass, and as many passes as an epoch "
            "needs")


def documents(text):
    """Cuts a text at ends of lines."""
    lines, size = [], 0
    for line in text.splitlines(keepends=True):
        lines.append(line)
        size += len(line.encode("utf-8"))
        if size >= DOCUMENT:
            yield "".join(lines)
            lines, size = [], 0
    if lines:
        yield "".join(lines)


def cut_texts(options, folder):
    """Writes the documents; returns what the report says of them."""
    folder.mkdir()
    number, size = 0, 0
    for path in sorted(options.texts.rglob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for document in documents(text):
            data = document.encode("utf-8")
            (folder / f"{number:06d}.txt").write_bytes(data)
            number, size = number + 1, size + len(data)
    if not number:
        sys.exit(f"compare-loaders: no *.txt files in {options.texts}")
    return f"{size / 1e6:.2f} MB of --texts in {number} documents"


def fill(options, folder):
    """Fills a new folder; returns what the report says of the data."""
    told = {}
    if options.photographs:
        told["photographs"] = copy_photographs(options, folder / "photos")
    if options.texts:
        told["texts"] = cut_texts(options, folder / "texts")
    if options.vocabulary:
        shutil.copytree(options.vocabulary, folder / "vocabulary")
    if options.graph:
        (folder / "graph").mkdir()
        shutil.copyfile(options.graph, folder / "graph" / options.graph.name)
        told["graph"] = f"{options.graph.name} of --graph"
    if options.original:
        (folder / "original").symlink_to(options.original.resolve())
    return told


def digest_of(options):
    """Changes with the names and sizes of what was given."""
    digest = hashlib.sha256(str(options.images).encode())
    for name in ("photographs", "texts", "vocabulary", "graph", "original"):
        given = getattr(options, name)
        paths = [] if not given else sorted(given.rglob("*")) or [given]
        for path in paths:
            digest.update(f"{name} {path} {path.stat().st_size}".encode())
    return digest.hexdigest()[:12]


def prepare(options):
    """The folder of the data, made if it is not there."""
    folder = options.work / f"data-{digest_of(options)}"
    if not folder.exists():
        unfinished = options.work / "unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        told = fill(options, unfinished)
        (unfinished / "told.json").write_text(json.dumps(told),
                                              encoding="utf-8")
        unfinished.rename(folder)
    return folder


def told(folder):
    """What the report says of the data."""
    text = pathlib.Path(folder / "told.json").read_text(encoding="utf-8")
    return json.loads(text)
