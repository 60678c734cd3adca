"""Plans: whether a strategy that was recommended still wins, as objects.

    presto.recommend("presto.db", plan="best.plan")
    presto.verify("best.plan", budget="20s").wins

`presto.Loader("best.plan")` opens a plan, and `presto.profile("best.plan")`
measures it.
"""

import dataclasses
import json
import os
import typing
from collections.abc import Mapping

from presto import command
from presto.command import Value
from presto.tables import Row, Table


@dataclasses.dataclass(frozen=True, kw_only=True)
class Contender(Row):
    """A strategy of a plan: what was expected of it, and what came out."""

    strategy: str
    threads: int | None
    cache: str | None
    role: str
    rank: int | None
    runs: float | None
    expected_samples_per_s: float | None
    expected_low_samples_per_s: float | None
    expected_high_samples_per_s: float | None
    samples_per_s: float | None
    low_samples_per_s: float | None
    high_samples_per_s: float | None


@dataclasses.dataclass(frozen=True)
class Verification:
    """Whether a plan still wins, and the strategies that it was held to.

    verdict  "wins", "as good", "beaten" or "noise"
    rival    the best other strategy; None: there is none
    ratio    how many times as good the better of the two is
    risk     the most by which the rival may be better
    """

    plan: str
    strategy: str
    verdict: str
    rival: str | None
    ratio: float | None
    risk: float | None
    summary: str
    trials: Table[Contender]

    @property
    def wins(self) -> bool:
        """Whether it is the best, or as good as the best."""
        return self.verdict in ("wins", "as good")


def _verification(document: Mapping[str, typing.Any]) -> Verification:
    return Verification(
        plan=document["plan"],
        strategy=document["strategy"],
        verdict=document["verdict"],
        rival=document["rival"],
        ratio=document["ratio"],
        risk=document["risk"],
        summary=document["summary"],
        trials=Table.read(Contender, document["trials"]),
    )


def verify(
    plan: str | os.PathLike[str], *, progress: bool = True, **options: Value
) -> Verification:
    """Measures a plan against its runners-up, and returns the verdict.

    plan      a file that `presto recommend --plan` wrote
    progress  pass on to sys.stderr what the program says

    The options are those of `presto verify`, such as budget="20s".  A plan
    that does not win is no exception: ask `wins` or `verdict`.  A plan for
    other data or other code, or one that was edited, is a UsageError.
    """
    words = command.words(options)
    done = command.run(
        ["verify", "--format=json", *words, "--", os.fspath(plan)], progress
    )
    decided = (0, command.GATE, command.INCONCLUSIVE)
    if done.status not in decided or not done.output:
        raise command.failure(done)
    return _verification(json.loads(done.output))
