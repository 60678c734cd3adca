"""load_litdata.py - litdata over its chunks, in PyTorch's workers."""
import functools
from importlib.metadata import version

import litdata
import torch

import loader
from torch_steps import STEPS


def value(form, path):
    """What is stored of a photograph."""
    if form == "jpeg-records":
        return {"image": loader.read(path)}
    return {"image": loader.pixels(path, form)}


class Photographs(litdata.StreamingDataset):
    """The stored photographs, with the steps that are left."""

    def __init__(self, folder, step):
        super().__init__(folder, shuffle=False)
        self.step = step

    def __getitem__(self, index):
        return self.step(super().__getitem__(index)["image"])


def folder_of(task):
    """The folder of chunks of a form."""
    def write(unfinished):
        litdata.optimize(
            functools.partial(value, task.form), task.files, unfinished,
            chunk_bytes="64MB", num_workers=1, mode="overwrite")

    return loader.once(task.work / f"litdata-{task.form}", write)


def make(task):
    """Worker processes, kept from pass to pass."""
    if task.form not in STEPS:
        raise SystemExit("reads its own chunks only")
    torch.set_num_threads(1)
    batches = litdata.StreamingDataLoader(
        Photographs(folder_of(task), STEPS[task.form]),
        batch_size=loader.BATCH, num_workers=loader.count(task, "workers"),
        persistent_workers=True)

    def epoch(passes):
        for _ in range(passes):
            yield from batches

    return loader.Loader(epoch)


if __name__ == "__main__":
    loader.main("litdata", version("litdata"), make)
