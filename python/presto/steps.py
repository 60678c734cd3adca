"""The steps that pipeline files may name, as `presto list steps` has them."""

import typing

from presto import _presto


class Step(typing.NamedTuple):
    """One step of this build."""

    name: str
    summary: str
    takes: str
    gives: str
    random: bool
    needs: str | None  # the library that this build lacks


def steps() -> list[Step]:
    """Returns the steps of this build, in the order of their names."""
    return [Step(*row) for row in _presto.steps()]
