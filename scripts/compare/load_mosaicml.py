"""load_mosaicml.py - mosaicml-streaming over MDS, in PyTorch's workers."""
from importlib.metadata import version

import streaming
import torch
from streaming.base.util import clean_stale_shared_memory

import loader
from torch_steps import STEPS


class Photographs(streaming.StreamingDataset):
    """The stored photographs, with the steps that are left."""

    def __init__(self, folder, step, passes):
        stream = streaming.Stream(local=folder, repeat=passes)
        super().__init__(streams=[stream], shuffle=False,
                         batch_size=loader.BATCH)
        self.step = step

    def __getitem__(self, index):
        return self.step(super().__getitem__(index)["image"])


def folder_of(task):
    """The MDS folder of a form."""
    encoding = "bytes" if task.form == "jpeg-records" else "ndarray:uint8"

    def write(unfinished):
        with streaming.MDSWriter(out=unfinished, exist_ok=True,
                                 columns={"image": encoding}) as writer:
            for path in task.files:
                writer.write({"image": loader.read(path)
                              if task.form == "jpeg-records"
                              else loader.pixels(path, task.form)})

    return loader.once(task.work / f"mds-{task.form}", write)


def make(task):
    """A dataset of so many passes for each epoch, as its workers want."""
    if task.form not in STEPS:
        raise SystemExit("reads MDS only")
    torch.set_num_threads(1)
    folder, step = folder_of(task), STEPS[task.form]

    def epoch(passes):
        clean_stale_shared_memory()
        return torch.utils.data.DataLoader(
            Photographs(folder, step, passes), loader.BATCH,
            num_workers=loader.count(task, "workers"))

    return loader.Loader(epoch)


if __name__ == "__main__":
    loader.main("mosaicml-streaming", version("mosaicml-streaming"), make)
