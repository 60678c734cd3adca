"""Traces datasets of Hugging Face: their rows, and the functions on them."""

import itertools
import os
import typing
from collections.abc import Iterator

from presto import tracing_arrow
from presto.tracing_file import Pipeline, TraceError, one_line, quote
from presto.tracing_folder import DECODED, JPEG, check_labels, suffixes_of
from presto.tracing_transforms import (
    CALLS,
    TAKES,
    copy_of,
    is_equal,
    kind_of,
    name_of,
    repr_of,
)

# Stages that only change the order or the form of rows.
ORDER = (
    "BufferShuffled",
    "Formatted",
    "InterleavedShards",
    "Rebatched",
    "Shuffled",
    "Typed",
)


class Files(typing.NamedTuple):
    """The files of a folder, as an ImageFolder has them."""

    samples: list[tuple[str, int]]
    column: str
    target_transform: None = None


class Function(typing.NamedTuple):
    """A function of the chain, and its place in the dataset."""

    function: typing.Any
    at: str
    is_batched: bool


def walk(dataset: typing.Any) -> tuple[typing.Any, list[Function]]:
    """Returns the rows of an IterableDataset, and the functions on them."""
    found: list[Function] = []
    node, at = dataset._ex_iterable, "_ex_iterable"
    while hasattr(node, "ex_iterable"):
        name = type(node).__name__
        if name == "MappedExamplesIterable":
            if node.with_indices or node.input_columns or node.fn_kwargs:
                raise TraceError(
                    f"map({repr_of(node.function)}) gets more than a row: "
                    "with_indices, input_columns and fn_kwargs cannot be "
                    "expressed"
                )
            found.insert(
                0, Function(node.function, f"{at}.function", node.batched)
            )
        elif not name.startswith(ORDER):
            raise TraceError(
                f"{name} works on whole rows, and steps of presto on one "
                "column: leave it to the training loop"
            )
        node, at = node.ex_iterable, f"{at}.ex_iterable"
    return node, found


def stored_rows(dataset: typing.Any) -> Iterator[typing.Any]:
    """Yields the rows of a Dataset; files are not opened."""
    table = dataset.with_format("arrow")
    for i in range(len(table)):
        behind = i + 1
        yield from table[i:behind].to_pylist()


def rows_of(
    dataset: typing.Any,
) -> tuple[Iterator[typing.Any], list[Function]]:
    """Returns rows as they are stored, and the functions on them."""
    if hasattr(dataset, "_ex_iterable"):
        node, functions = walk(dataset)
        return (row for _, row in node), functions
    functions = []
    if dataset.format["type"] == "custom":
        functions.append(
            Function(
                dataset.format["format_kwargs"]["transform"],
                "format.format_kwargs.transform",
                True,
            )
        )
    return stored_rows(dataset), functions


def path_of(value: typing.Any) -> str | None:
    """Returns the path of an image that is a file; None: it is not."""
    path = value.get("path") if isinstance(value, dict) else value
    if isinstance(value, dict) and value.get("bytes"):
        return None
    if not isinstance(path, str) or not os.path.isfile(path):
        return None
    return os.path.abspath(path)


def find_files(rows: Iterator[typing.Any]) -> Files:
    """Finds the column of files, and the files with their labels."""
    samples: list[tuple[str, typing.Any]] = []
    column = ""
    for row in rows:
        if not column:
            names = [name for name in row if path_of(row[name])]
            column = names[0] if names else ""
        path = path_of(row[column]) if column else None
        if not path:
            raise TraceError(
                "its rows are no files of images: trace a local folder, "
                "loaded as 'imagefolder', or a Dataset of load_from_disk"
            )
        samples.append((path, row.get("label", -1)))
    if not samples:
        raise TraceError("the dataset has no rows")
    words = sorted({label for _, label in samples if isinstance(label, str)})
    return Files(
        [
            (path, words.index(label) if isinstance(label, str) else label)
            for path, label in samples
        ],
        column,
    )


def open_image(file: typing.Any) -> typing.Any:
    """Opens an image as the library does: turned upright by its Exif tag.

    `file` is a path, or a file in memory.
    """
    from PIL import Image, ImageOps

    with Image.open(file) as image:
        image.load()
        return ImageOps.exif_transpose(image)


Call = tuple[dict[str, typing.Any], dict[str, typing.Any]]  # rows: in, out


def changed_column(calls: list[Call], what: str) -> str:
    """Returns the one column that a function makes, or changes at times."""
    names = {
        name: None
        for before, after in calls
        for name, value in after.items()
        if name not in before
        or (value is not before[name] and not is_equal(value, before[name]))
    }
    if len(names) != 1:
        raise TraceError(
            f"{what} changes {len(names)} columns, and a step of presto one: "
            f"{' '.join(names) or 'none'}"
        )
    return next(iter(names))


def add_function(
    pipeline: Pipeline,
    of: str | None,
    one: Function,
    column: str,
    value: typing.Any,
) -> tuple[str, typing.Any]:
    """Adds a step for a function of rows; returns its column and value."""
    what = repr_of(one.function)

    def call() -> Call:
        own = copy_of(value)
        row = {column: [own] if one.is_batched else own}
        before = dict(row)
        try:
            return before, one.function(row)
        except KeyError as error:
            raise TraceError(
                f"{what} needs the column {error}: a step of presto has "
                f"{column} alone"
            ) from error

    calls = [call() for _ in range(CALLS)]
    gives = changed_column(calls, what)
    made, *others = (
        after[gives][0] if one.is_batched else after[gives]
        for _, after in calls
    )
    draws = not all(is_equal(made, other) for other in others)
    options = f"takes={TAKES[kind_of(value)]} at={one.at}"
    options += f" column={quote(column)}"
    if gives != column:
        options += f" result={quote(gives)}"
    if one.is_batched:
        options += " batched=yes"
    if draws:
        options += " random=yes"
        pipeline.is_exact = False
    pipeline.add_python(name_of(one.function), of, options, what)
    if isinstance(made, list):  # tables keep lists
        import numpy

        made = numpy.asarray(made)
    return gives, made


def trace(dataset: typing.Any, of: str | None) -> Pipeline:
    """Returns the pipeline of the dataset, which `of` names."""
    if isinstance(dataset, dict):
        raise TraceError(
            f"it has the splits {' '.join(dataset)}: name one, as in "
            "dataset['train']"
        )
    rows, functions = rows_of(dataset)
    first = next(rows, None)
    if first is None:
        raise TraceError("the dataset has no rows")
    has_files = any(path_of(value) for value in first.values())
    if tracing_arrow.is_table(dataset) and not has_files:
        pipeline, column, value = tracing_arrow.trace(dataset, first)
        if not isinstance(value, str):
            value = open_image(value)
    else:
        rows = itertools.chain([first], rows)
        pipeline, column, value = trace_files(find_files(rows))
    for one in functions:
        column, value = add_function(pipeline, of, one, column, value)
    if not functions:
        kind = "texts" if isinstance(value, str) else "images"
        pipeline.note(f"the dataset has no function: presto delivers {kind}")
    return pipeline


def trace_files(files: Files) -> tuple[Pipeline, str, typing.Any]:
    """Returns the pipeline without functions; the column, its first value."""
    root = os.path.commonpath(
        [os.path.dirname(os.path.dirname(path)) for path, _ in files.samples]
    )
    pipeline = Pipeline("folder", [root])
    suffixes = suffixes_of(files)
    pipeline.keys["match"] = ", ".join(f"*{suffix}" for suffix in suffixes)
    has_labels = any(label >= 0 for _, label in files.samples)
    pipeline.keys["label"] = (
        check_labels(files, root) if has_labels else "none"
    )
    lower = {suffix.lower() for suffix in suffixes}
    if not lower <= DECODED:
        raise TraceError(f"presto does not decode {one_line(sorted(lower))}")
    step = "jpeg_decode" if lower <= JPEG else "image_decode"
    pipeline.add("decoded", f"{step} mode=unchanged", f"column {files.column}")
    return pipeline, files.column, open_image(files.samples[0][0])
