"""load_webdataset.py - webdataset over tar, in PyTorch's worker processes."""
import io
import multiprocessing

import numpy
import torch
import webdataset

import loader
import torch_steps

SHARDS = 2


def jpeg(sample):
    """From the bytes of a JPEG file."""
    return (torch_steps.jpeg(sample["jpg"]),)


def decoded(sample):
    """From a decoded photograph in numpy's format."""
    return (torch_steps.decoded(numpy.load(io.BytesIO(sample["npy"]))),)


def resized(sample):
    """From a resized photograph in numpy's format."""
    image = numpy.load(io.BytesIO(sample["npy"]))
    return (torch_steps.scale(torch.from_numpy(loader.centre(image))),)


STEPS = {"jpeg-records": jpeg, "decoded-records": decoded,
         "resized-records": resized}


def write_shard(task, shard):
    """A function that writes every SHARDS-th photograph into a tar."""
    def write(unfinished):
        with open(unfinished, "wb") as file:
            with webdataset.TarWriter(file) as writer:
                for number, path in enumerate(task.files[shard::SHARDS]):
                    sample = {"__key__": f"{number:06d}"}
                    if task.form == "jpeg-records":
                        sample["jpg"] = loader.read(path)
                    else:
                        sample["npy"] = loader.pixels(path, task.form)
                    writer.write(sample)
    return write


class Passes(torch.utils.data.IterableDataset):
    """The batches of a dataset, as often as a shared number says."""

    def __init__(self, batches):
        super().__init__()
        self.batches = batches
        self.passes = multiprocessing.Value("i", 1)  # workers see it too

    def __iter__(self):
        for _ in range(self.passes.value):
            yield from self.batches


def make(task):
    """Two shards, so up to two worker processes, kept between epochs."""
    if task.form not in STEPS:
        raise SystemExit("reads tar only")
    torch.set_num_threads(1)
    shards = [loader.once(task.work / f"{task.form}-{shard}.tar",
                          write_shard(task, shard))
              for shard in range(SHARDS)]
    samples = webdataset.WebDataset(shards, shardshuffle=False,
                                    empty_check=False)
    dataset = Passes(samples.map(STEPS[task.form]).batched(loader.BATCH))
    workers = loader.count(task, "workers")
    more = ({"persistent_workers": True, "prefetch_factor":
             loader.count(task, "ahead", 2)} if workers else {})
    batches = torch.utils.data.DataLoader(dataset, batch_size=None,
                                          num_workers=workers, **more)

    def epoch(passes):
        dataset.passes.value = passes
        return batches

    return loader.Loader(epoch, lambda batch: batch[0])


if __name__ == "__main__":
    loader.main("webdataset", webdataset.__version__, make)
