"""load_torch.py - PyTorch's DataLoader over files and .npy files."""
import cv2
import numpy
import torch
import torchvision
from PIL import Image
from torchvision.io import ImageReadMode, decode_jpeg, read_file
from torchvision.transforms import v2

import loader
from torch_steps import scale


class Photographs(torch.utils.data.Dataset):
    """The photographs of a list of paths, each read by `load`."""

    def __init__(self, paths, load):
        self.paths = paths
        self.load = load

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return self.load(self.paths[index])


class Passes(torch.utils.data.Sampler):
    """The numbers of the photographs, as often as there are passes."""

    def __init__(self, count):
        super().__init__()
        self.count = count
        self.passes = 1

    def __len__(self):
        return self.count * self.passes

    def __iter__(self):
        for _ in range(self.passes):
            yield from range(self.count)


class Mapped(torch.utils.data.Dataset):
    """One array of all photographs, memory-mapped; a batch is cut at once."""

    def __init__(self, task):
        self.task = task
        self.path = mapped(task)
        self.array = None  # each worker maps its own

    def __len__(self):
        return len(self.task.files)

    def __getitem__(self, numbers):
        if self.array is None:
            self.array = numpy.load(self.path, mmap_mode="r")
        cut = numpy.ascontiguousarray(loader.centre(self.array[
            numbers[0]:numbers[-1] + 1]))
        return scale(torch.from_numpy(cut))


def mapped(task):
    """The file of that array."""
    def write(unfinished):
        array = numpy.lib.format.open_memmap(
            unfinished, "w+", numpy.uint8,
            (len(task.files), loader.SHORTER, loader.SHORTER, 3))
        for number, path in enumerate(task.files):
            array[number] = loader.pixels(path, task.form)
        array.flush()

    return loader.once(task.work / f"{task.form}.npy", write)


PILLOW = torchvision.transforms.Compose([
    torchvision.transforms.Resize(loader.SHORTER),
    torchvision.transforms.CenterCrop(loader.CROP),
    torchvision.transforms.ToTensor(),
    torchvision.transforms.Normalize([0.5] * 3, [0.5] * 3),
])
SHRINK = v2.Compose([v2.Resize(loader.SHORTER, antialias=True),
                     v2.CenterCrop(loader.CROP)])
SHRINK_SHARP = v2.Compose([v2.Resize(loader.SHORTER, antialias=False),
                           v2.CenterCrop(loader.CROP)])


def pillow(path):
    """The usual recipe."""
    return PILLOW(Image.open(path).convert("RGB"))


def tensors(path):
    """The quicker recipe: nothing but tensors."""
    return scale(SHRINK(decode_jpeg(read_file(path), ImageReadMode.RGB)))


def tensors_sharp(path):
    """The same, not antialiased."""
    return scale(SHRINK_SHARP(decode_jpeg(read_file(path),
                                          ImageReadMode.RGB)))


def opencv(path):
    """OpenCV's decoder, and its filter that looks at all pixels."""
    cv2.setNumThreads(0)
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    height, width = loader.shorter_side(*image.shape[:2])
    image = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return scale(torch.from_numpy(loader.centre(image)))


def decoded(path):
    """A decoded photograph, stored by numpy."""
    image = torch.from_numpy(numpy.load(path)).permute(2, 0, 1)
    return scale(SHRINK(image))


def resized(path):
    """A resized photograph, stored by numpy; only the crop is copied."""
    return scale(torch.from_numpy(loader.centre(numpy.load(path))))


FILES = {"pillow": pillow, "opencv": opencv, "no-antialias": tensors_sharp}
RECORDS = {"decoded-records": decoded, "resized-records": resized}


def make(task):
    """Worker processes, kept from epoch to epoch."""
    torch.set_num_threads(1)
    order = Passes(len(task.files))
    batching = {"batch_size": loader.BATCH, "sampler": order}
    if task.form == "square-records":
        dataset = Mapped(task)
        batching = {"batch_size": None, "sampler":
                    torch.utils.data.BatchSampler(order, loader.BATCH,
                                                  False)}
    elif task.form == "files":
        dataset = Photographs(task.files, FILES.get(task.variant, tensors))
    elif task.form in RECORDS:
        dataset = Photographs(loader.npy_files(task), RECORDS[task.form])
    else:
        raise SystemExit("has no record format of its own: see webdataset")
    workers = loader.count(task, "workers")
    if workers:
        batching.update(persistent_workers=True, prefetch_factor=2)
    batches = torch.utils.data.DataLoader(dataset, num_workers=workers,
                                          **batching)

    def epoch(passes):
        order.passes = passes
        return batches

    return loader.Loader(epoch)


if __name__ == "__main__":
    loader.main("torch DataLoader", torch.__version__.split("+")[0], make)
