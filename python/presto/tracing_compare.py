"""Compares a traced dataset with what presto makes of its pipeline file."""

import itertools
import os
import sys
import tempfile
import typing

from presto.tracing_file import Pipeline


class Difference(typing.NamedTuple):
    """How far one sample of presto is from that of the dataset."""

    key: str
    mean: float  # of the absolute differences of all elements
    most: float
    labels: tuple[int, int]  # the dataset's, presto's

    def __str__(self) -> str:
        if self.mean != self.mean:
            return f"{self.key}: other shapes"
        text = f"{self.key}: mean {self.mean:.3g}, maximum {self.most:.3g}"
        if self.labels[0] != self.labels[1]:
            text += f"; label {self.labels[1]} in place of {self.labels[0]}"
        return text


def difference(
    key: str, wanted: typing.Any, got: typing.Any, labels: tuple[int, int]
) -> Difference:
    """Compares two arrays; NAN where their shapes differ."""
    import numpy

    nan = float("nan")
    a = numpy.asarray(wanted)
    b = numpy.asarray(got)
    if a.shape != b.shape:
        return Difference(key, nan, nan, labels)
    apart = numpy.abs(a.astype(numpy.float64) - b.astype(numpy.float64))
    if not apart.size:
        return Difference(key, 0.0, 0.0, labels)
    return Difference(key, float(apart.mean()), float(apart.max()), labels)


def read(
    pipeline: Pipeline, samples: int
) -> dict[str, tuple[typing.Any, int]]:
    """Returns the first samples of presto, by their keys."""
    import numpy

    import presto

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "traced.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(pipeline.text(folder))
        with presto.Loader(path, batch_size=1, threads=1) as loader:
            return {
                batch.sample_keys[0]: (
                    numpy.array(batch["data"][0]),
                    int(batch.labels[0]),
                )
                for batch in itertools.islice(loader, samples)
            }


def key_of(path: str, root: str) -> str:
    """Returns the key that presto gives a file of a folder."""
    return os.path.splitext(os.path.relpath(path, root))[0]


def compare_folder(
    dataset: typing.Any, pipeline: Pipeline, samples: int
) -> list[Difference]:
    """Compares samples of an ImageFolder or DatasetFolder."""
    from presto.traced import to_array

    numbers = {
        key_of(path, dataset.root): i
        for i, (path, _) in enumerate(dataset.samples)
    }
    found = []
    for key, (got, label) in read(pipeline, samples).items():
        if key not in numbers:
            continue
        wanted, number = dataset[numbers[key]]
        found.append(
            difference(key, to_array(wanted), got, (int(number), label))
        )
    return found


def compare(dataset: typing.Any, pipeline: Pipeline, samples: int) -> None:
    """Prints how far samples are apart, and notes the most in the file."""
    say = sys.stderr
    if not hasattr(dataset, "samples") or not hasattr(dataset, "root"):
        return
    if not pipeline.is_exact:
        print("presto.import: not compared: a transform draws", file=say)
        return
    try:
        found = compare_folder(dataset, pipeline, samples)
    except Exception as error:  # the file is right without a comparison
        print(f"presto.import: not compared: {error}", file=say)
        return
    for one in found:
        print(f"presto.import: {one}", file=say)
    if found:
        mean = max(one.mean for one in found)
        most = max(one.most for one in found)
        pipeline.note(
            f"compared on {len(found)} samples: absolute difference at most "
            f"{mean:.3g} in the mean of a sample, {most:.3g} in an element"
        )
