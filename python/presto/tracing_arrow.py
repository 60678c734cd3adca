"""Traces datasets of Hugging Face whose rows are in files of Arrow."""

import io
import json
import os
import tempfile
import typing

from presto.tracing_file import Pipeline, TraceError
from presto.tracing_folder import JPEG

# Columns that are the sample if there are several of their kind.
USUAL = ("image", "img", "text", "content")
LABELS = ("label", "labels")
SAVED = "save it with save_to_disk, and trace what load_from_disk returns"


class Column(typing.NamedTuple):
    """The column that is the sample, and its value in the first row."""

    name: str
    value: typing.Any  # an image's file as io.BytesIO, or a text


def is_table(dataset: typing.Any) -> bool:
    """Has it rows in files of Arrow, or in memory?"""
    return hasattr(dataset, "cache_files") and hasattr(dataset, "features")


def find_files(dataset: typing.Any) -> list[str]:
    """Returns its files, or the folder that has just these by its state."""
    if getattr(dataset, "_indices", None) is not None:
        raise TraceError(
            "its rows are chosen or sorted by select, filter or shuffle: "
            + SAVED
        )
    files = [os.path.abspath(one["filename"]) for one in dataset.cache_files]
    if not files:
        raise TraceError(f"its rows are in memory: {SAVED}")
    folder = os.path.dirname(files[0])
    state = os.path.join(folder, "state.json")
    if os.path.exists(state):
        with open(state, encoding="utf-8") as file:
            named = json.load(file).get("_data_files", [])
        if files == [os.path.join(folder, one["filename"]) for one in named]:
            return [folder]
    return files


def is_text(feature: typing.Any) -> bool:
    """Is it a column of texts?"""
    return getattr(feature, "dtype", None) in ("string", "large_string")


def is_image(feature: typing.Any) -> bool:
    """Is it a column of images?"""
    return type(feature).__name__ == "Image"


def find_column(dataset: typing.Any, row: typing.Any) -> Column:
    """Finds the column of images, or else that of texts."""
    for is_one in (is_image, is_text):
        names = [n for n, one in dataset.features.items() if is_one(one)]
        usual = [name for name in USUAL if name in names]
        if len(names) > 1 and not usual:
            raise TraceError(
                f"which column is the sample: {' '.join(names)}? "
                "Keep one with select_columns"
            )
        if names:
            return first_value((usual or names)[0], row)
    raise TraceError(
        f"no column is of images or texts: {' '.join(dataset.features)}"
    )


def first_value(name: str, row: typing.Any) -> Column:
    """Returns the column with the value of the row."""
    value = row[name]
    if isinstance(value, dict):
        value = value.get("bytes")
    if value is None:
        raise TraceError(
            f"the column '{name}' has no value in the first row; images "
            "must be in the table, or files on this machine"
        )
    if isinstance(value, bytes):
        value = io.BytesIO(value)
    return Column(name, value)


def has_jpeg_only(dataset: typing.Any, column: str) -> bool:
    """Do the names of all images end like those of JPEG files?"""
    return all(
        os.path.splitext(path or "")[1].lower() in JPEG
        for chunk in dataset.data.column(column).chunks
        for path in chunk.field("path").to_pylist()
    )


def find_label(dataset: typing.Any) -> str:
    """Returns the column of whole numbers that is the label; or "none"."""
    for name in LABELS:
        kind = getattr(dataset.features.get(name), "dtype", "")
        if isinstance(kind, str) and kind.lstrip("u").startswith("int"):
            return name
    return "none"


def count(pipeline: Pipeline) -> int:
    """Returns how many samples presto finds."""
    import presto

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "traced.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(pipeline.text(folder))
        with presto.Loader(path, batch_size=1, threads=1) as loader:
            return loader.samples


def trace(
    dataset: typing.Any, row: typing.Any
) -> tuple[Pipeline, str, typing.Any]:
    """Returns the pipeline without functions; the column, its first value."""
    pipeline = Pipeline("arrow", find_files(dataset))
    column = find_column(dataset, row)
    pipeline.keys["fields"] = f"data:{column.name}"
    pipeline.keys["label"] = find_label(dataset)
    samples = count(pipeline)
    if samples != len(dataset):
        raise TraceError(
            f"it has {len(dataset)} of the {samples} rows of its files: "
            + SAVED
        )
    if isinstance(column.value, str):
        return pipeline, column.name, column.value
    is_jpeg = has_jpeg_only(dataset, column.name)
    step = "jpeg_decode" if is_jpeg else "image_decode"
    pipeline.add("decoded", f"{step} mode=unchanged", f"column {column.name}")
    return pipeline, column.name, column.value
