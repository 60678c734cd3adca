"""presto for PyTorch: batches as tensors, and an IterableDataset.

    loader = torch.utils.data.DataLoader(
        presto.torch.Dataset("train", batch_size=256, shuffle=True),
        batch_size=None, num_workers=0)
    for batch in loader:
        x, y = batch["data"], batch["label"]

A presto.Loader alone does the same: `batch.torch()` has the tensors.
"""

import functools
import os
import typing
import warnings
from collections.abc import Callable, Iterator, Mapping

import torch
import torch.utils.data
import torch.utils.dlpack

from presto._presto import Tensor, UsageError
from presto.batch import Batch
from presto.loader import Loader


@functools.cache
def _warn_of_pinning() -> None:
    warnings.warn(
        "pin_memory does nothing: this PyTorch finds no CUDA device",
        stacklevel=5,
    )


def _tensor(array: typing.Any) -> torch.Tensor:
    """Returns a tensor that shares the memory of an array."""
    if isinstance(array, Tensor):  # there is no numpy
        return torch.utils.dlpack.from_dlpack(array)
    return torch.from_numpy(array)


def convert(
    batch: Batch,
    device: torch.device | str | None = None,
    pin_memory: bool = False,
) -> dict[str, typing.Any]:
    """Returns {name: tensor}; a list where the shape varies; the keys.

    Tensors share the memory of the batch, unless they are pinned or moved to a
    device.  Pinned memory without CUDA is ordinary memory, and a warning.
    """
    if pin_memory and not torch.cuda.is_available():
        _warn_of_pinning()
        pin_memory = False

    def one(array: typing.Any) -> torch.Tensor:
        tensor = _tensor(array)
        if pin_memory:
            tensor = tensor.pin_memory()
        if device is not None:
            tensor = tensor.to(device, non_blocking=pin_memory)
        return tensor

    return batch.map(one)


class Dataset(torch.utils.data.IterableDataset[typing.Any]):
    """A presto.Loader as a dataset of PyTorch, which yields whole batches.

    It takes the arguments of presto.Loader, and `transform`, which is called
    with each batch of tensors.  Use it with DataLoader(batch_size=None,
    num_workers=0): presto's threads do what worker processes are for, and they
    would have to copy every batch.  The loader is opened at its first use, in
    the process that uses it.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        transform: Callable[[dict[str, typing.Any]], typing.Any] | None = None,
        **options: typing.Any,
    ) -> None:
        """Takes the arguments of presto.Loader."""
        super().__init__()
        self._path, self._options, self._transform = path, options, transform
        self._loader: Loader | None = None

    @property
    def loader(self) -> Loader:
        """The loader, which is opened now if it was not."""
        if self._loader is None:
            self._loader = Loader(self._path, **self._options)
        return self._loader

    def __iter__(self) -> Iterator[typing.Any]:
        if torch.utils.data.get_worker_info() is not None:
            raise UsageError(
                "presto loads with threads of its own: use num_workers=0, and "
                "threads= for their number"
            )
        for batch in self.loader:
            tensors = batch.torch()
            yield self._transform(tensors) if self._transform else tensors

    def __len__(self) -> int:
        return len(self.loader)

    def state_dict(self) -> dict[str, int]:
        """Returns where the loader is: see presto.Loader."""
        return self.loader.state_dict()

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Goes on where a dataset with the same arguments was."""
        self.loader.load_state_dict(state)
