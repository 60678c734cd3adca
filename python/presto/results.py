"""What presto measures and recommends, as objects.

    report = presto.profile("photos.conf", samples=1000, budget="5m")
    report.trials.to_pandas()
    presto.recommend(objective="time", epochs=3).command

These run the program `presto` of this package.  Their options are the long
options of the command: `max_disk="50GB"` is `--max-disk 50GB`.  True is an
option without a value, a list becomes one with commas, and `set` takes
{"SECTION.KEY": value}.
"""

import dataclasses
import json
import os
import re
import typing
from collections.abc import Mapping, Sequence

from presto import command
from presto._presto import UsageError
from presto.command import Value
from presto.records import (
    Level,
    Machine,
    Phase,
    Ranked,
    Run,
    Session,
    StepCost,
    Storage,
    System,
    Trial,
    Versions,
    Winner,
)
from presto.tables import Row, Table

R = typing.TypeVar("R", bound=Row)


# ---- reports ----


@dataclasses.dataclass(frozen=True)
class Report:
    """A session, with all that was measured."""

    session: Session
    machine: Machine
    storage: Storage
    versions: Versions
    warnings: list[str]
    trials: Table[Trial]
    runs: Table[Run]
    steps: Table[StepCost]
    phases: Table[Phase]
    levels: Table[Level]
    system: Table[System]

    def to_pandas(self) -> typing.Any:
        """Returns the trials as a pandas.DataFrame."""
        return self.trials.to_pandas()

    def to_arrow(self) -> typing.Any:
        """Returns the trials as a pyarrow.Table."""
        return self.trials.to_arrow()


def _parts(
    kind: type[R], trials: Sequence[Mapping[str, typing.Any]], name: str
) -> Table[R]:
    """Joins the arrays that each trial has; their rows name the trial."""
    keys = (
        "strategy",
        "threads",
        "cache",
        "cache_place",
        "fetchers",
        "read_ahead",
        "shuffle",
        "batch",
        "shards",
        "source_samples",
        "trial",
    )
    return Table.read(
        kind,
        (
            {**{key: trial[key] for key in keys}, **row}
            for trial in trials
            for row in trial[name]
        ),
    )


def _report(document: Mapping[str, typing.Any]) -> Report:
    trials = document["trials"]
    return Report(
        session=Session.read(document["session"]),
        machine=Machine.read(document["machine"]),
        storage=Storage.read(document["storage"] or {}),
        versions=Versions.read(document["versions"]),
        warnings=list(document["warnings"]),
        trials=Table.read(Trial, trials),
        runs=_parts(Run, trials, "repetitions"),
        steps=_parts(StepCost, trials, "steps"),
        phases=_parts(Phase, trials, "phases"),
        levels=_parts(Level, trials, "levels"),
        system=Table.read(System, document["system"]),
    )


def _read(options: Mapping[str, Value], progress: bool) -> typing.Any:
    """Returns the JSON of `presto report`."""
    done = command.run(
        ["report", "--json", *command.words(options)], progress
    )
    if done.status:
        raise command.failure(done)
    return json.loads(done.output)


def report(
    db: str | os.PathLike[str] | None = None,
    session: int | None = None,
    *,
    progress: bool = True,
    **options: Value,
) -> Report:
    """Returns a session of the result database, by default the newest.

    db        the database; None: $PRESTO_DB, else presto.db
    session   its number
    progress  pass on to sys.stderr what the program says
    """
    return _report(_read({"db": db, "session": session, **options}, progress))


def reports(
    db: str | os.PathLike[str] | None = None, *, progress: bool = True
) -> list[Report]:
    """Returns all sessions of the result database, the oldest first."""
    return [
        _report(document)
        for document in _read({"db": db, "session": "all"}, progress)
    ]


def _session(output: bytes) -> int | None:
    """Returns the number in the title that `presto profile` prints."""
    title = output.decode("utf-8", "replace").partition("\n")[0]
    numbers = re.findall(r", session (\d+), ", title)
    return int(numbers[-1]) if numbers else None


def profile(
    conf: str | os.PathLike[str],
    *,
    db: str | os.PathLike[str] | None = None,
    progress: bool = True,
    **options: Value,
) -> Report:
    """Measures the strategies of a pipeline file, and returns the session.

    conf      the pipeline file, or a plan
    db        the database to keep the results in; None: $PRESTO_DB, else
              presto.db
    progress  pass on to sys.stderr what the program says

    The options are those of `presto profile`, such as samples=1000 or
    split=["raw", "resized"].  After an interrupt, resume=True goes on.
    """
    if options.get("dry_run"):
        raise UsageError("dry_run measures nothing, so there is no session")
    words = command.words({"db": db, **options})
    done = command.run(
        ["profile", *words, "--", os.fspath(conf)], progress
    )
    # The session is complete, also where its winner is in doubt.
    if done.status not in (0, command.INCONCLUSIVE):
        raise command.failure(done)
    return report(db, _session(done.output), progress=progress)


# ---- recommendations ----


@dataclasses.dataclass(frozen=True)
class Recommendation:
    """The winner, and the ranking.

    Attributes of the winner are here, too: `recommendation.strategy`.  What
    depends on an option is as in the program's JSON: presto-recommend(1).
    """

    winner: Winner
    ranking: Table[Ranked]
    warnings: list[str]
    sensitivity: Mapping[str, typing.Any] | None
    accelerators: Mapping[str, typing.Any] | None
    allocation: Mapping[str, typing.Any] | None
    offload: Mapping[str, typing.Any] | None

    @property
    def strategy(self) -> str:
        """The label of the winner, such as resized/tar/none."""
        return self.winner.strategy

    @property
    def command(self) -> str | None:
        """The command that writes the dataset in this strategy."""
        return self.winner.command

    @property
    def reason(self) -> str | None:
        """The reason why it wins."""
        return self.winner.reason

    @property
    def inconclusive(self) -> bool:
        """Whether a trial may be twice as good as the winner."""
        return self.winner.inconclusive

    def to_pandas(self) -> typing.Any:
        """Returns the ranking as a pandas.DataFrame."""
        return self.ranking.to_pandas()

    def to_arrow(self) -> typing.Any:
        """Returns the ranking as a pyarrow.Table."""
        return self.ranking.to_arrow()


class GateError(command.ProgramError):
    """Nothing meets what was asked for; `result` has what there is.

    result  a Recommendation; None: there is not even that
    """

    status = command.GATE
    result: Recommendation | None = None


def _recommendation(document: Mapping[str, typing.Any]) -> Recommendation:
    return Recommendation(
        winner=Winner.read(document["recommendation"]),
        ranking=Table.read(Ranked, document["ranking"]),
        warnings=list(document["warnings"]),
        sensitivity=document.get("sensitivity"),
        accelerators=document.get("accelerators"),
        allocation=document.get("allocation"),
        offload=document.get("offload"),
    )


def recommend(
    db: str | os.PathLike[str] | None = None,
    session: int | None = None,
    *,
    progress: bool = True,
    **options: Value,
) -> Recommendation:
    """Ranks the strategies of a session, by default of the newest.

    db        the database; None: $PRESTO_DB, else presto.db
    session   its number
    progress  pass on to sys.stderr what the program says

    The options are those of `presto recommend`: objective="cost",
    max_storage="300GB", weights={"prep": 1, "storage": 2}, and
    accelerators="accelerators.conf".  plan="best.plan" also writes the winner
    to that file, for presto.Loader and presto.verify.  Raises GateError if no
    strategy meets the constraints, or is enough for the accelerators.
    """
    if options.get("plan") == "-":
        raise UsageError("plan: the result is an object; name a file")
    words = command.words({"db": db, "session": session, **options})
    done = command.run(["recommend", "--format=json", *words], progress)
    if done.status not in (0, command.GATE, command.INCONCLUSIVE):
        raise command.failure(done)
    result = (
        _recommendation(json.loads(done.output)) if done.output else None
    )
    if done.status == command.GATE:
        gate = GateError(done.error)
        gate.result = result
        raise gate
    if result is None:
        raise command.failure(done)
    return result
