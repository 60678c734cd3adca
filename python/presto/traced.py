"""Transforms of a traced dataset, as steps of a pipeline file.

    own = python presto.traced:Transform takes=torch at=transform.transforms.4
          of=my_dataset.py:dataset

(in one line) runs number 4 of the transforms of `dataset`, which my_dataset.py
makes.  So any callable can be a step: a function, a lambda, a module of torch.
"""

import contextlib
import functools
import importlib
import importlib.util
import inspect
import os
import sys
import tempfile
import typing

Function = typing.Callable[[typing.Any], typing.Any]


class MissingError(AttributeError):
    """A module has no object of that name."""


def load_module(target: str) -> typing.Any:
    """Imports FILE.py under its own name, or package.module."""
    if not target.endswith(".py"):
        if "" not in sys.path and os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())
        return importlib.import_module(target)
    folder, base = os.path.split(os.path.abspath(target))
    name = base[: -len(".py")]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, base)
    )
    if not spec or not spec.loader:
        raise ImportError(f"{target} is no file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def load(of: str, folder: str = "") -> typing.Any:
    """Returns the object that "FILE.py:NAME" is, once for a process.

    A function is called, for what it returns.  The module is imported in the
    folder, where it finds its data.
    """
    target, _, name = of.rpartition(":")
    if target.endswith(".py"):
        target = os.path.abspath(target)
    with contextlib.chdir(folder or "."):
        found = load_module(target)
        for word in name.split("."):
            if not hasattr(found, word):
                raise MissingError(f"{target} has no {name}")
            found = getattr(found, word)
        return found() if inspect.isroutine(found) else found


def pick(found: typing.Any, at: str) -> typing.Any:
    """Goes down by names and numbers: "transform.2", "0.1".

    A slash stands for a dot in the key of a dict: "kw.left/jpg".
    """
    for word in at.split(".") if at else ():
        if isinstance(found, dict):
            found = found[word.replace("/", ".")]
        elif not word.isdigit():
            found = getattr(found, word)
        elif hasattr(found, "transforms"):
            found = found.transforms[int(word)]
        else:
            found = found[int(word)]
    return found


def to_array(value: typing.Any) -> typing.Any:
    """Makes an array of a tensor, an image or a number."""
    import numpy

    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    return numpy.ascontiguousarray(value)


def from_array(array: typing.Any, takes: str) -> typing.Any:
    """Makes what the callable takes of an array."""
    if takes == "torch":
        import numpy
        import torch

        # A batch of presto's is used again: the callable may keep its input.
        return torch.from_numpy(numpy.array(array))
    if takes == "pil":
        import numpy
        from PIL import Image

        if array.ndim == 3 and array.shape[2] == 1:
            array = array[:, :, 0]
        return Image.fromarray(numpy.ascontiguousarray(array))
    if takes == "text":
        return bytes(array).decode()
    return bytes(array) if takes == "bytes" else array


class Transform:
    """One transform of a dataset, which runs on one array.

    of      the dataset: "my_dataset.py:dataset"
    at      the place of the callable in it: "transform.4"
    takes   "torch", "pil", "text", "bytes", "numpy"; "file": the path of a
            file with the bytes
    folder  where the module is imported
    column  the callable takes a row of a table, and this is its column
    result  the column of what it returns, if that is another one
    batched "yes": it takes rows of lists

    The dataset is made with the object, so that its code is a part of what
    identifies the step.
    """

    def __init__(
        self,
        of: str,
        at: str = "",
        takes: str = "torch",
        folder: str = "",
        column: str = "",
        result: str = "",
        batched: str = "no",
    ) -> None:
        """Finds the callable."""
        self.function: Function = pick(load(of, folder), at)
        self.takes = takes
        self.column = column
        self.result = result or column
        self.is_batched = batched == "yes"

    def _row(self, value: typing.Any) -> typing.Any:
        """Calls a function of rows of a table."""
        row = self.function(
            {self.column: [value] if self.is_batched else value}
        )
        made = row[self.result]
        return made[0] if self.is_batched else made

    def _file(self, array: typing.Any) -> typing.Any:
        """Calls a loader that takes the path of a file."""
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(array))
            file.flush()
            return to_array(self.function(file.name))

    def __call__(self, x: typing.Any) -> typing.Any:
        """Returns an array."""
        if self.takes == "file":
            return self._file(x)
        value = from_array(x, self.takes)
        return to_array(
            self._row(value) if self.column else self.function(value)
        )
