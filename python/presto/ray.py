"""presto on a Ray cluster: a dataset is written by a task for each part.

    import presto.ray

    presto.ray.materialize("photos.conf", strategy="resized/tar/none",
                           out="/shared/train", parts=8, threads=4)

The tasks run the program `presto`, which has to be installed on all machines.
The pipeline file, the dataset and `out` have the same paths there, on a shared
file system or at S3.  A part that died with its machine is run again on
another one, and keeps the shards that it had finished.
"""

import dataclasses
import os
import sys
import typing

import ray

from presto import command
from presto._presto import Error, UsageError
from presto.command import ProgramError, Value

_FAILED = 1  # the status of a failure that another try may pass


class _Again(Exception):
    """A part that failed, and may be tried again: its text."""


@dataclasses.dataclass(frozen=True)
class Materialized:
    """A dataset that was written in parts.

    folder  the program's line about the complete folder
    parts   its line about each part
    """

    out: str
    folder: str
    parts: list[str]


def _run(words: list[str]) -> str:
    """Runs the program in a task, and returns what it printed.

    Its warnings are printed, and Ray shows them.
    """
    done = command.run(["materialize", *words], progress=False)
    for warning in done.warnings:
        print(warning, file=sys.stderr, flush=True)
    if done.status == 0:
        return done.output.decode("utf-8", "replace").strip()
    if done.status == _FAILED or done.status < 0:
        raise _Again(done.error or f"presto ended with {done.status}")
    raise command.failure(done)


def _nodes() -> list[dict[str, typing.Any]]:
    """Returns the machines of the cluster that have processors."""
    return [
        node
        for node in ray.nodes()
        if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
    ]


def _await(tasks: dict[typing.Any, int], progress: bool) -> dict[int, str]:
    """Waits for all tasks; returns what each part printed."""
    said: dict[int, str] = {}
    waiting = list(tasks)
    while waiting:
        ready, waiting = ray.wait(waiting, num_returns=1)
        for one in ready:
            said[tasks[one]] = ray.get(one)
            if progress:
                print(
                    f"presto: {len(said)} of {len(tasks)} parts are complete",
                    file=sys.stderr,
                )
    return said


def _get(tasks: dict[typing.Any, int], progress: bool) -> dict[int, str]:
    """The same, with the program's own error in place of Ray's."""
    try:
        return _await(tasks, progress)
    except BaseException as error:
        for one in tasks:
            ray.cancel(one)
        cause = getattr(error, "cause", None) or error
        if isinstance(cause, _Again):
            raise ProgramError(str(cause)) from error
        if isinstance(cause, Error):
            raise cause from error
        raise


def materialize(
    pipeline: str | os.PathLike[str] | None = None,
    *,
    out: str | os.PathLike[str],
    parts: int | None = None,
    threads: int | None = None,
    retries: int = 3,
    progress: bool = True,
    **options: Value,
) -> Materialized:
    """Writes a dataset by tasks of a Ray cluster, and waits for it.

    The keywords are the long options of `presto materialize`.  Without
    `pipeline` a plan or a session has it, as there.

    parts     how many tasks there are; default: one for each machine
    threads   processors and threads of a task; default: those of the smallest
              machine
    retries   how often a part that failed is run again
    progress  tell on sys.stderr how many parts are complete

    A Ray that runs is used; else it is started, or joined at $RAY_ADDRESS.
    """
    for ours in ("part", "finish", "dry_run"):
        if ours in options:
            raise UsageError(f"{ours}: materialize divides the work itself")
    if not ray.is_initialized():
        ray.init()
    nodes = _nodes()
    if not nodes and (threads is None or parts is None):
        raise UsageError(
            "no machine of the cluster has a processor now: "
            "give parts and threads"
        )
    if threads is None:
        threads = int(min(node["Resources"]["CPU"] for node in nodes))
    count = len(nodes) if parts is None else parts
    if count < 1 or threads < 1:
        raise UsageError("parts and threads must be 1 or more")
    place = os.fspath(out)
    first = [os.fspath(pipeline)] if pipeline is not None else []
    common = [*command.words(options), f"--out={place}"]
    task = ray.remote(
        num_cpus=threads, max_retries=retries, retry_exceptions=[_Again]
    )(_run)
    mine = [*first, *common, f"--threads={threads}"]
    made = _get(
        {task.remote([*mine, f"--part={i}/{count}"]): i for i in range(count)},
        progress,
    )
    # The part that was last has joined all, if it lived to do so.
    finished = _get({task.remote([*first, *common, "--finish"]): 0}, False)
    return Materialized(
        out=place,
        folder=finished[0],
        parts=[made[i].partition("\n")[0] for i in range(count)],
    )
