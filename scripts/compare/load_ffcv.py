"""load_ffcv.py - FFCV over its .beton files."""
import multiprocessing
from importlib.metadata import version

import numpy
from ffcv.fields import IntField, RGBImageField
from ffcv.fields.rgb_image import CenterCropRGBImageDecoder
from ffcv.loader import Loader, OrderOption
from ffcv.loader.loader import ORDER_MAP
from ffcv.transforms import NormalizeImage, ToTensor
from ffcv.writer import DatasetWriter
from PIL import Image

import loader


# Of the writer's: 8 MiB, as it takes without this, has no room for the pixels
# of a photograph of 3 million.  A process of it that fails is waited for.
PAGE = 64 << 20
WRITING = 600  # seconds


class Photographs:
    """What the writer stores: an image, and a label since it wants one."""

    def __init__(self, task):
        self.task = task

    def __len__(self):
        return len(self.task.files)

    def __getitem__(self, index):
        path = self.task.files[index]
        if self.task.form == "jpeg-records":
            return Image.open(path).convert("RGB"), 0
        return loader.pixels(path, self.task.form), 0


def beton(task):
    """The file of a form; JPEG is encoded anew, at FFCV's quality of 90."""
    if task.form == "jpeg-records":
        image = RGBImageField(write_mode="jpg", jpeg_quality=90)
    else:
        image = RGBImageField(write_mode="raw")

    def write(unfinished):
        writer = DatasetWriter(unfinished,
                               {"image": image, "label": IntField()},
                               num_workers=2, page_size=PAGE)
        writer.from_indexed_dataset(Photographs(task))

    def write_apart(unfinished):
        process = multiprocessing.Process(target=write, args=(unfinished,))
        process.start()
        process.join(WRITING)
        if process.exitcode is None:
            process.kill()
            raise SystemExit(f"the writer has not ended in {WRITING} s")
        if process.exitcode:
            raise SystemExit(f"the writer ended with {process.exitcode}")

    # A process that has written cannot read.
    return loader.once(task.work / f"{task.form}.beton", write_apart)


LOADERS = {}  # by form and settings: to compile one takes seconds


def batches_of(task):
    """FFCV's loader of a task; only the crop is cut out and scaled."""
    key = task.form, tuple(task.settings.items())
    if key not in LOADERS:
        half = numpy.full(3, 127.5)
        crop = CenterCropRGBImageDecoder((loader.CROP, loader.CROP),
                                         ratio=loader.CROP / loader.SHORTER)
        normalize = NormalizeImage(half, half, numpy.float32)
        LOADERS[key] = Loader(
            beton(task), batch_size=loader.BATCH,
            num_workers=loader.count(task, "threads"),
            batches_ahead=loader.count(task, "ahead", 3),
            order=OrderOption.SEQUENTIAL, os_cache=True, drop_last=False,
            pipelines={"image": [crop, normalize, ToTensor()],
                       "label": None})
    return LOADERS[key]


def make(task):
    """The numbers of the photographs once a pass; compiled in the first."""
    if task.form == "files":
        raise SystemExit("reads its own .beton only")
    batches = batches_of(task)

    def epoch(passes):
        numbers = numpy.arange(len(task.files), dtype=numpy.uint64)
        batches.indices = numpy.tile(numbers, passes)
        batches.traversal_order = ORDER_MAP[OrderOption.SEQUENTIAL](batches)
        batches.first_traversal_order = batches.next_traversal_order()
        return batches

    return loader.Loader(epoch, lambda batch: batch[0])


if __name__ == "__main__":
    loader.main("FFCV", version("ffcv"), make)
