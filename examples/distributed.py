#!/usr/bin/env python3
"""Reads a dataset with several ranks, which talk over gloo, as DDP jobs do.

usage: distributed.py DATASET [RANKS]
       torchrun --nproc-per-node RANKS distributed.py DATASET

presto.Loader takes its rank from torch.distributed.  The program counts the
samples of each epoch over all ranks.  In every epoch but the first, it stops
at a random batch, and goes on with another loader from the state of the first.
"""

import collections
import itertools
import os
import random
import sys
import tempfile

import torch.distributed
import torch.multiprocessing

import presto

RANKS, EPOCHS = 4, 21


def keys(batches):
    """Returns the keys of the samples, and reads all of their elements."""
    found = []
    for batch in batches:
        batch.torch()["data"].float().sum()
        found += batch["key"]
    return found


def check(mine, samples, what):
    """Counts each sample over all ranks; rank 0 says how many there are."""
    parts = [None] * torch.distributed.get_world_size()
    torch.distributed.all_gather_object(parts, mine)
    counts = collections.Counter(itertools.chain(*parts))
    if set(counts.values()) != {1} or len(counts) != samples:
        sys.exit(f"{what}: a sample came twice, or did not come")
    if torch.distributed.get_rank() == 0:
        print(f"{what}: {len(counts)} samples, each once, over "
              f"{len(parts)} ranks")


def load(dataset):
    """Opens the dataset; all ranks have the same arguments."""
    return presto.Loader(dataset, batch_size=8, shuffle=True, seed=1)


def work(dataset):
    """Reads all epochs on this rank."""
    loader = load(dataset)
    check(keys(loader), loader.samples, "epoch 0")
    for epoch in range(1, EPOCHS):
        taken = int(random.Random(epoch).random() * len(loader))
        before = keys(itertools.islice(loader, taken))
        state = loader.state_dict()  # a checkpoint has it
        loader.close()
        loader = load(dataset)
        loader.load_state_dict(state)
        rest = keys(loader)
        check(before + rest, loader.samples, f"epoch {epoch}, resumed")


def rank(number, count, file, dataset):
    """One of the processes that main starts."""
    torch.distributed.init_process_group(
        "gloo", f"file://{file}", rank=number, world_size=count
    )
    work(dataset)
    torch.distributed.destroy_process_group()


def main(dataset, count=RANKS):
    """Starts the ranks; below torchrun, this process is one of them."""
    if "RANK" in os.environ and "MASTER_ADDR" in os.environ:
        torch.distributed.init_process_group("gloo")
        work(dataset)
        torch.distributed.destroy_process_group()
        return
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(
            rank, (count, f"{folder}/ranks", dataset), count
        )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
