"""Batches: arrays by name, in memory that the loader uses again."""

import functools
import importlib
import typing
from collections.abc import Callable, Iterator, Mapping

from presto._presto import Batch as RawBatch
from presto._presto import Error


@functools.cache
def _as_array() -> Callable[[typing.Any], typing.Any]:
    """Returns numpy.asarray; without numpy, tensors are passed as they are."""
    try:
        import numpy
    except ImportError:
        return lambda tensor: tensor
    as_array: Callable[[typing.Any], typing.Any] = numpy.asarray
    return as_array


class Batch(Mapping[str, typing.Any]):
    """Some samples: `batch["data"]`, `batch["label"]`, `batch["key"]`.

    A field whose shape is fixed is one numpy array with the samples first.
    Any other field is a list of arrays, one for each sample.  `label` is an
    array of int64, -1 for no label; `key` is a list of str.  A field called
    `label` or `key` takes the place of these; `labels` and `sample_keys` are
    always there.

    Arrays are views of the loader's memory and may be written into.  The
    memory is used again when no array of the batch is left, and not before.
    """

    __slots__ = ("_raw", "_fields", "_made", "_pin_memory")

    def __init__(
        self,
        raw: RawBatch,
        fields: Mapping[str, tuple[int, bool]],
        pin_memory: bool,
    ) -> None:
        """Takes a number for each field, and whether its shape is fixed."""
        self._raw = raw
        self._fields = fields
        self._made: dict[str, typing.Any] = {}
        self._pin_memory = pin_memory

    @property
    def samples(self) -> int:
        """The number of samples."""
        return len(self._raw)

    @property
    def labels(self) -> typing.Any:
        """The labels of the samples: an array of int64, -1 for none."""
        return _as_array()(self._raw.labels())

    @property
    def sample_keys(self) -> list[str]:
        """The keys of the samples."""
        return self._raw.keys()

    def _make(self, name: str) -> typing.Any:
        as_array = _as_array()
        if name in self._fields:
            number, is_fixed = self._fields[name]
            tensor = self._raw.field(number) if is_fixed else None
            if tensor is not None:
                return as_array(tensor)
            return [as_array(one) for one in self._raw.samples_of(number)]
        if name == "label":
            return self.labels
        if name == "key":
            return self.sample_keys
        raise KeyError(name)

    def stack(self, name: str) -> typing.Any:
        """Returns a field as one array, also where its shape may vary.

        It is a copy then.  Raises Error if the samples differ in shape.
        """
        if name not in self._fields:
            raise KeyError(name)
        tensor = self._raw.field(self._fields[name][0])
        if tensor is None:
            raise Error(f"field '{name}': the samples differ in shape")
        return _as_array()(tensor)

    def __getitem__(self, name: str) -> typing.Any:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._fields
        yield from (n for n in ("label", "key") if n not in self._fields)

    def __len__(self) -> int:
        return len({"label", "key", *self._fields})

    def __contains__(self, name: object) -> bool:
        return name in self._fields or name in ("label", "key")

    def __repr__(self) -> str:
        return f"<presto.Batch of {self.samples} samples: {', '.join(self)}>"

    def map(
        self, one: Callable[[typing.Any], typing.Any]
    ) -> dict[str, typing.Any]:
        """Returns {name: one(array)}, or a list of these; and the keys."""
        result: dict[str, typing.Any] = {}
        for name in self:
            value = self[name]
            if name == "key" and name not in self._fields:
                result[name] = value
            elif isinstance(value, list):
                result[name] = [one(array) for array in value]
            else:
                result[name] = one(value)
        return result

    def _convert(
        self, framework: str, **options: typing.Any
    ) -> dict[str, typing.Any]:
        module = importlib.import_module(f"presto.{framework}")
        result: dict[str, typing.Any] = module.convert(self, **options)
        return result

    def torch(self, device: typing.Any = None) -> dict[str, typing.Any]:
        """Returns {name: tensor} of PyTorch, without a copy (presto.torch)."""
        return self._convert(
            "torch", device=device, pin_memory=self._pin_memory
        )

    def jax(self, device: typing.Any = None) -> dict[str, typing.Any]:
        """Returns {name: array} of JAX (presto.jax)."""
        return self._convert("jax", device=device)

    def tf(self) -> dict[str, typing.Any]:
        """Returns {name: tensor} of TensorFlow (presto.tf)."""
        return self._convert("tf")
