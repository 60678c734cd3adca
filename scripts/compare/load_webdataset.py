"""load_webdataset.py - webdataset over tar, in PyTorch's worker processes."""
import io

import numpy
import torch
import webdataset
from torchvision.io import ImageReadMode, decode_jpeg
from torchvision.transforms import v2

import loader

SHARDS = 2
SHRINK = v2.Compose([v2.Resize(loader.SHORTER, antialias=True),
                     v2.CenterCrop(loader.CROP)])


def scale(image):
    """A tensor of bytes 0 to 255 to floats -1 to 1."""
    return image.to(torch.float32).mul_(1 / 127.5).sub_(1)


def jpeg(sample):
    """From the bytes of a JPEG file."""
    data = torch.frombuffer(bytearray(sample["jpg"]), dtype=torch.uint8)
    return (scale(SHRINK(decode_jpeg(data, ImageReadMode.RGB))),)


def decoded(sample):
    """From a decoded photograph in numpy's format."""
    image = torch.from_numpy(numpy.load(io.BytesIO(sample["npy"])))
    return (scale(SHRINK(image.permute(2, 0, 1))),)


def resized(sample):
    """From a resized photograph in numpy's format."""
    image = numpy.load(io.BytesIO(sample["npy"]))
    return (scale(torch.from_numpy(loader.centre(image))),)


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


def make(task):
    """A shard a worker, worker processes as many as cores."""
    if task.form not in STEPS:
        raise SystemExit("reads tar only")
    torch.set_num_threads(1)
    shards = [loader.once(task.work / f"{task.form}-{shard}.tar",
                          write_shard(task, shard))
              for shard in range(SHARDS)]
    samples = webdataset.WebDataset(shards, shardshuffle=False,
                                    empty_check=False)
    batches = torch.utils.data.DataLoader(
        samples.map(STEPS[task.form]).batched(loader.BATCH), batch_size=None,
        num_workers=task.cores, persistent_workers=True, prefetch_factor=2)
    return loader.Loader(lambda: batches, lambda batch: batch[0])


if __name__ == "__main__":
    loader.main("webdataset", webdataset.__version__, make)
