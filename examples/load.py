#!/usr/bin/env python3
"""Loads a dataset as a training program does, and says how fast that is.

usage: load.py DATASET [EPOCHS]

DATASET is a folder that `presto materialize` wrote, or a pipeline file.
"""

import sys

import numpy as np

import presto


def total(arrays):
    """Returns the sum of all elements of an array, or of a list of arrays."""
    return sum(float(np.sum(array, dtype=np.float64)) for array in arrays)


def main(path, epochs=2):
    """Reads every element of every batch."""
    loader = presto.Loader(path, batch_size=64, shuffle=True, seed=1)
    for name, field in loader.fields.items():
        print(f"{name}: {field.dtype} {field.shape}")
    print(f"{loader.samples} samples, {len(loader.classes)} classes")
    before = loader.statistics()
    for epoch in range(epochs):
        sums = dict.fromkeys(loader.fields, 0.0)
        for batch in loader:
            for name in sums:
                sums[name] += total(batch[name])
        now = loader.statistics()
        samples = now.samples - before.samples
        seconds = now.wait_s + now.busy_s - before.wait_s - before.busy_s
        waited = (now.wait_s - before.wait_s) / seconds
        before = now
        print(
            f"epoch {epoch}: {samples / seconds:.0f} samples/s, waiting "
            f"{100 * waited:.0f} % of the time;",
            ", ".join(f"sum of {n}: {value:.0f}" for n, value in sums.items()),
        )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
