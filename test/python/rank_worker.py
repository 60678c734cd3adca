"""One rank of test_ranks.py: RANK and WORLD_SIZE are in the environment.

usage: rank_worker.py save|resume DATASET FOLDER

`save` stops in the middle of epochs, and writes the states and the keys that
it had to FOLDER/RANK.json.  `resume` goes on from each of these states in
another process, and writes the keys of the rest and of the next epoch.
"""

import itertools
import json
import os
import pathlib
import random
import sys

import presto

BATCH, EPOCHS, STOPS = 2, 3, 20


def load(dataset):
    """Opens the loader, whose rank is that of the environment."""
    return presto.Loader(dataset, BATCH, shuffle=True, seed=11)


def keys(batches):
    """Returns the keys of all samples."""
    return [key for batch in batches for key in batch["key"]]


def places(samples):
    """Returns STOPS random places: an epoch, and batches of it."""
    chance = random.Random(5)
    most = samples // (BATCH * int(os.environ["WORLD_SIZE"]))
    return [
        (chance.randrange(EPOCHS), chance.randrange(most + 1))
        for _ in range(STOPS)
    ]


def save(dataset):
    """Returns, for each place, the keys until there and the state."""
    stops = []
    for epoch, taken in places(load(dataset).samples):
        loader = load(dataset)
        for _ in range(epoch):
            keys(loader)
        before = keys(itertools.islice(loader, taken))
        stops.append({"before": before, "state": loader.state_dict()})
    return stops


def resume(dataset, stops):
    """Returns, for each state, the keys of the rest and of the next epoch."""
    for stop in stops:
        loader = load(dataset)
        loader.load_state_dict(stop["state"])
        # Where no batch of an epoch is left, its rest is nothing.
        stop["rest"] = keys(loader)
        stop["next"] = keys(loader)
    return stops


def main(what, dataset, folder):
    """Writes what test_ranks.py compares."""
    path = pathlib.Path(folder) / f"{os.environ['RANK']}.json"
    if what == "save":
        stops = save(dataset)
    else:
        stops = resume(dataset, json.loads(path.read_text()))
    path.write_text(json.dumps(stops))


if __name__ == "__main__":
    main(*sys.argv[1:])
