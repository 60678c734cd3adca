"""The loader: epochs of batches of a materialised folder or pipeline file."""

import operator
import os
import typing
from collections.abc import Iterator, Mapping

from presto import _presto, ranks
from presto._presto import Error, UsageError
from presto.batch import Batch

_U32, _U64 = 2**32 - 1, 2**64 - 1
_URLS = ("s3://", "http://", "https://", "presto://", "prestos://")


class Field(typing.NamedTuple):
    """What a sample has in one field."""

    dtype: str
    shape: tuple[int, ...]  # -1: it differs from sample to sample


class Statistics(typing.NamedTuple):
    """Sums since the loader was made."""

    samples: int
    batches: int
    bytes: int
    skipped: int  # samples that failed, with on_error = skip
    wait_s: float  # for batches
    busy_s: float  # between batches: the time of the program's own work
    filtered: int = 0  # samples that filters dropped

    @property
    def wait_share(self) -> float:
        """The part of the time, 0 to 1, that the program has waited."""
        total = self.wait_s + self.busy_s
        return self.wait_s / total if total else 0.0


def _whole(
    name: str, value: typing.SupportsIndex, least: int, most: int
) -> int:
    """Returns the number if it is in the range."""
    try:
        number = operator.index(value)
    except TypeError:
        raise UsageError(
            f"{name} must be a whole number, got {value!r}"
        ) from None
    if not least <= number <= most:
        raise UsageError(f"{name} must be {least} to {most}, got {number}")
    return number


def _absolute(path: str | bytes | os.PathLike[str]) -> str:
    """Returns the absolute path; a URL is absolute."""
    text = os.fsdecode(path)
    return text if text.startswith(_URLS) else os.path.abspath(text)


def _count(name: str, value: int | None) -> int:
    """Returns a number of threads; 0 for None."""
    return 0 if value is None else _whole(name, value, 1, _U32)


def _version(version: int | None) -> dict[str, object]:
    """Returns the setting that chooses a version of the dataset."""
    if version is None:
        return {}
    return {"dataset.version": _whole("version", version, 1, _U64)}


class Loader:
    """Delivers the samples of a dataset in batches, an epoch for each `iter`.

    path        a folder that `presto materialize` wrote, a pipeline file, or
                a plan of `presto recommend --plan`; or presto://HOST:PORT,
                what `presto serve` prints: then the steps run in its workers
    batch_size  samples of a batch
    shuffle     in another order in each epoch, which the seed decides
    seed        of the order, and of random steps; None: measure.seed of the
                pipeline file, which is 0 if it has none
    rank, world_size
                the part of this process: every sample comes once over all
                ranks.  None: of torch.distributed if it is initialised, else
                RANK and WORLD_SIZE of the environment if both are set, else
                0 of 1
    drop_last   leave out batches that are not full; all ranks then have
                equally many
    threads     that run the steps; None: as a plan says, else one for each
                processor.  Not for presto://, where the workers have threads
    fetchers    threads that read; None: as a plan says, else as many.  Not for
                presto://
    settings    {"SECTION.KEY": value} over those of the pipeline file
    pin_memory  let `batch.torch()` give pinned memory, where there is CUDA
    version     of a folder that `presto materialize --update` has changed;
                None: the newest; over several ranks of torch.distributed,
                which all make the loader: the one that rank 0 has found

    The order depends on the dataset, shuffle, seed and epoch only.  So a
    loader with the same arguments goes on exactly where another one stopped:
    `state_dict` and `load_state_dict`.  A loader belongs to one thread, and
    to the process that made it; pickled, it opens its dataset again.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        batch_size: int = 64,
        shuffle: bool = False,
        seed: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        drop_last: bool = False,
        threads: int | None = None,
        *,
        fetchers: int | None = None,
        settings: Mapping[str, object] | None = None,
        pin_memory: bool = False,
        version: int | None = None,
    ) -> None:
        """Opens the dataset.

        Raises UsageError or Error, which name the file and line, or the
        sample.
        """
        self._arguments: dict[str, typing.Any] = {
            "batch_size": _whole("batch_size", batch_size, 1, _U32),
            "shuffle": bool(shuffle),
            "seed": None if seed is None else _whole("seed", seed, 0, _U64),
            "rank": rank,
            "world_size": world_size,
            "drop_last": bool(drop_last),
            "threads": _count("threads", threads),
            "fetchers": _count("fetchers", fetchers),
            "settings": {**(settings or {}), **_version(version)},
            "pin_memory": bool(pin_memory),
        }
        self.path = _absolute(path)
        self._open()

    def _open(self) -> None:
        given = self._arguments
        rank, world_size = ranks.resolve(given["rank"], given["world_size"])
        self.world_size = _whole("world_size", world_size, 1, _U32)
        self.rank = _whole("rank", rank, 0, self.world_size - 1)
        self._loader = self._make(given["settings"])
        # The version of a folder of `presto materialize`; 0: other data.
        self.version = self._loader.version()
        if self.version and "dataset.version" not in given["settings"]:
            self._agree()
        self.fields = {
            name: Field(dtype, shape)
            for name, dtype, shape in self._loader.fields()
        }
        self._numbers = {
            name: (number, -1 not in field.shape)
            for number, (name, field) in enumerate(self.fields.items())
        }
        self._turn = 0  # of the iterator that may take batches
        self._running = 0  # the epoch of the last `iter`
        self._is_fresh = True  # the next `iter` begins where the loader is
        self._is_over = False  # the epoch has ended, and no other has begun

    def _agree(self) -> None:
        """Opens the version that rank 0 has, if it is another one."""
        version = ranks.agree(
            self.path, self.version, self.rank, self.world_size
        )
        if version == self.version:
            return
        self._loader.close()
        settings = {**self._arguments["settings"], **_version(version)}
        self._loader = self._make(settings)
        self.version = version

    def _make(self, settings: Mapping[str, object]) -> _presto.Loader:
        given = self._arguments
        return _presto.Loader(
            os.fsencode(self.path),
            tuple(
                os.fsencode(f"{key}={value}")
                for key, value in settings.items()
            ),
            given["batch_size"],
            given["shuffle"],
            given["drop_last"],
            given["seed"] is None,
            given["seed"] or 0,
            self.rank,
            self.world_size,
            given["threads"],
            given["fetchers"],
        )

    # ---- what it delivers ----

    @property
    def batch_size(self) -> int:
        """Samples of a batch."""
        return int(self._arguments["batch_size"])

    @property
    def seed(self) -> int:
        """The seed of the order, and of random steps."""
        return self._loader.seed()

    @property
    def samples(self) -> int:
        """
        Samples of an epoch, of all ranks; 0: not known in advance.

        Samples that a filter will drop online are among them.
        """
        return self._loader.samples()

    def __len__(self) -> int:
        """
        Returns the number of batches of an epoch, of this rank.

        A filter that runs online makes batches shorter.  This is then the
        number before the filter, and at most so many batches come: one that
        loses all its samples is left out.
        """
        count = self._loader.batches()
        if count == 0 and self._loader.samples() == 0:
            raise TypeError(
                "a step makes several samples of one: how many batches an "
                "epoch has is not known in advance"
            )
        return count

    def __bool__(self) -> bool:
        return True

    @property
    def classes(self) -> list[str]:
        """The names of the classes: that of label n is classes[n]."""
        names: list[str] = []
        while (name := self._loader.class_name(len(names))) is not None:
            names.append(name)
        return names

    def __repr__(self) -> str:
        return (
            f"<presto.Loader {self.path!r}: batches of {self.batch_size}, "
            f"rank {self.rank} of {self.world_size}>"
        )

    # ---- epochs ----

    def __iter__(self) -> "Epoch":
        """Begins the next epoch, or goes on where load_state_dict said."""
        if self._is_fresh or self._is_over:
            self._running = self.epoch
        else:
            self._running = self.epoch + 1
            self._loader.seek(self._running)
        self._is_fresh = self._is_over = False
        self._turn += 1
        return Epoch(self, self._turn)

    def _next(self, turn: int) -> Batch | None:
        """Returns the next batch for that `iter`; None: its epoch is over."""
        if turn != self._turn:
            raise Error("another iter() of the loader has begun since")
        raw = self._loader.next()
        if raw is None:
            self._is_over = True
            return None
        return Batch(raw, self._numbers, self._arguments["pin_memory"])

    def _position(self) -> tuple[int, int, int]:
        """Where it is: behind the end of an epoch, the next one begins."""
        epoch, position, order = self._loader.save()
        if self._is_over:
            return self._running + 1, 0, order
        return epoch, position, order

    def _go(self) -> None:
        """Notes that the loader was moved: the next `iter` begins here."""
        self._is_fresh, self._is_over = True, False
        self._turn += 1

    @property
    def epoch(self) -> int:
        """The number of this epoch; between epochs, that of the next one.

        The first is 0.  Set it to go to the beginning of an epoch.
        """
        return self._position()[0]

    @epoch.setter
    def epoch(self, number: int) -> None:
        self._loader.seek(_whole("epoch", number, 0, _U32))
        self._go()

    # ---- state ----

    def state_dict(self) -> dict[str, int]:
        """Returns where the loader is: numbers that can be stored anywhere.

        A batch counts as done once it was taken.
        """
        epoch, position, order = self._position()
        return {
            "version": 1,
            "epoch": epoch,
            "position": position,
            "order": order,
            "dataset_version": self.version,
        }

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Goes on where a loader with the same arguments was.

        The next `iter` begins there.  Raises UsageError if the dataset,
        batch_size, shuffle, seed, rank, world_size or drop_last differ.  The
        state names the version of the dataset, which must be the same.
        """
        names = ("version", "epoch", "position", "order")
        try:
            version, epoch, position, order = (
                _whole(name, state[name], 0, _U64) for name in names
            )
            theirs = state.get("dataset_version", 0)
        except (AttributeError, KeyError, TypeError):
            raise UsageError(
                f"this is no state of a loader: {state!r}"
            ) from None
        if version != 1:
            raise UsageError(
                f"the state is of version {version}, and presto knows 1"
            )
        theirs = _whole("dataset_version", theirs, 0, _U64)
        if theirs and self.version and theirs != self.version:
            raise UsageError(
                f"the state is that of version {theirs} of the dataset, and "
                f"this loader reads version {self.version}: make it with "
                f"version={theirs}"
            )
        self._loader.restore(epoch, position, order)
        self._go()

    def _fixed(self) -> dict[str, typing.Any]:
        """Returns its arguments, with the version that it has opened."""
        if not self.version:
            return self._arguments
        settings = {**self._arguments["settings"], **_version(self.version)}
        return {**self._arguments, "settings": settings}

    def __getstate__(self) -> dict[str, typing.Any]:
        """Returns what opens the loader again, elsewhere."""
        epoch, position, _ = self._position()
        return {
            "path": self.path,
            "arguments": self._fixed(),
            "state": self.state_dict() if epoch or position else None,
        }

    def __setstate__(self, state: dict[str, typing.Any]) -> None:
        self.path, self._arguments = state["path"], state["arguments"]
        self._open()
        if state["state"]:
            self.load_state_dict(state["state"])

    # ---- the rest ----

    def statistics(self) -> Statistics:
        """Returns what was delivered, and how long was waited for it."""
        *counts, wait_ns, busy_ns, filtered = self._loader.statistics()
        samples, batches, octets, skipped = counts
        return Statistics(
            samples,
            batches,
            octets,
            skipped,
            wait_ns / 1e9,
            busy_ns / 1e9,
            filtered,
        )

    def close(self) -> None:
        """Ends the loader's threads.  Batches that were taken stay."""
        self._loader.close()

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *ignored: object) -> None:
        self.close()


class Epoch(Iterator[Batch]):
    """One epoch of a loader."""

    def __init__(self, loader: Loader, turn: int) -> None:
        """Belongs to one call of `iter`."""
        self._loader: Loader | None = loader
        self._turn = turn

    def __next__(self) -> Batch:
        batch = self._loader._next(self._turn) if self._loader else None
        if batch is None:
            self._loader = None  # it goes on to end
            raise StopIteration
        return batch
