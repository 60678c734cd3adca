"""Which part of an epoch a process takes: its rank, and how many there are."""

import os
import sys

from presto._presto import UsageError


def _of_torch() -> tuple[int, int] | None:
    """Asks torch.distributed, if the program has started it."""
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available():
        return None
    if not distributed.is_initialized():
        return None
    return distributed.get_rank(), distributed.get_world_size()


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
