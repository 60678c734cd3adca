"""Pipeline files from datasets of torchvision, Hugging Face and webdataset.

`trace` writes the text, and `python -m presto.import` prints it.
"""

import importlib
import os
import sys
import typing

from presto.tracing_file import Pipeline, TraceError

# Which module traces the datasets of which library.
TRACERS = {
    "torchvision": "presto.tracing_folder",
    "webdataset": "presto.tracing_webdataset",
    "datasets": "presto.tracing_huggingface",
}


def find_name(dataset: object) -> str | None:
    """Finds the module and the name of a dataset: "my_dataset.py:dataset"."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None)
        if not file or not file.endswith(".py"):
            continue
        for name, value in list(vars(module).items()):
            if value is dataset:
                return f"{os.path.abspath(file)}:{name}"
    return None


def library_of(dataset: object) -> str:
    """Returns the library whose class it is or is derived from; or ""."""
    for base in type(dataset).__mro__:
        library = base.__module__.partition(".")[0]
        if library in TRACERS:
            return library
    return ""


def trace_pipeline(dataset: typing.Any, of: str | None = None) -> Pipeline:
    """Returns the pipeline of a dataset; see trace."""
    library = library_of(dataset)
    if not library:
        raise TraceError(
            f"the type {type(dataset).__name__} cannot be traced: it must be "
            "an ImageFolder or DatasetFolder of torchvision, a dataset of "
            "Hugging Face, or a pipeline of webdataset"
        )
    tracer = importlib.import_module(TRACERS[library])
    pipeline: Pipeline = tracer.trace(dataset, of or find_name(dataset))
    return pipeline


def trace(
    dataset: typing.Any,
    of: str | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> str:
    """Returns a pipeline file that makes the samples of a dataset.

    Known transforms become steps of presto with equal parameters.  Others
    become `python` steps, which take the callable out of the dataset:

    of      where the dataset is: "my_dataset.py:dataset".  By default it is
            looked for in the modules that are loaded
    folder  where the file will lie, by default the current folder: paths in
            the file are relative to it

    Raises TraceError, which says what cannot be expressed.
    """
    place = os.getcwd() if folder is None else os.path.abspath(folder)
    return trace_pipeline(dataset, of).text(place)
