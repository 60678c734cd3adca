"""Which part of an epoch a process takes: its rank, and how many there are."""

import datetime
import os
import sys
import typing

from presto._presto import Error, UsageError


_WAIT_S = 600  # for rank 0 to open the dataset

_opened: dict[str, int] = {}  # loaders of each name that have agreed


def _of_torch() -> tuple[int, int] | None:
    """Asks torch.distributed, if the program has started it."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available():
        return None
    if not distributed.is_initialized():
        return None
    return distributed.get_rank(), distributed.get_world_size()


def _torch_store() -> typing.Any:
    """Returns the store that all ranks of torch.distributed share, or None.

    A collective call would need the device of each rank; this needs none.
    """
    module = sys.modules.get("torch.distributed.distributed_c10d")
    try:
        return module._get_default_store() if module else None
    except (AttributeError, ValueError, RuntimeError):
        return None


def agree(path: str, version: int, rank: int, world_size: int) -> int:
    """Returns the version of the dataset that rank 0 has opened.

    An update may commit while the ranks open the dataset one after the other.
    They are those of torch.distributed, and all open it; elsewhere the version
    is returned as it is.
    """
    if world_size == 1 or _of_torch() != (rank, world_size):
        return version
    store = _torch_store()
    if store is None:
        return version
    name = os.path.basename(path.rstrip("/"))
    _opened[name] = number = _opened.get(name, 0) + 1
    key = f"presto/version/{number}/{name}"
    if rank == 0:
        store.set(key, str(version))
        return version
    try:
        store.wait([key], datetime.timedelta(seconds=_WAIT_S))
    except RuntimeError:
        raise Error(
            f"{path}: rank 0 has not opened it within {_WAIT_S} s, so "
            "which version all ranks read is not known; give "
            f"version={version}"
        ) from None
    return int(store.get(key))


def _number(name: str) -> int:
    text = os.environ[name]
    try:
        return int(text)
    except ValueError:
        raise UsageError(
            f"the environment has {name}={text}, which is no number"
        ) from None


def _of_environment() -> tuple[int, int] | None:
    """Reads RANK and WORLD_SIZE, which torchrun and others set."""
    if "RANK" not in os.environ or "WORLD_SIZE" not in os.environ:
        return None
    return _number("RANK"), _number("WORLD_SIZE")


def resolve(rank: int | None, world_size: int | None) -> tuple[int, int]:
    """Returns (rank, world_size).

    As given; else of torch.distributed; else of the environment; else 0, 1.
    """
    if (rank is None) != (world_size is None):
        raise UsageError("give both rank and world_size, or neither")
    if rank is None or world_size is None:
        return _of_torch() or _of_environment() or (0, 1)
    return rank, world_size
