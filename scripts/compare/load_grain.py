"""load_grain.py - Grain over files and ArrayRecord; OpenCV decodes."""
from importlib.metadata import version

import cv2
import grain
import numpy
from array_record.python.array_record_module import ArrayRecordWriter

import loader


class Files:
    """The bytes of the files, as a source at random."""

    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, index):
        return loader.read(self.paths[index])


def scale(image):
    """Bytes 0 to 255 to floats -1 to 1."""
    image = image.astype(numpy.float32)
    image *= numpy.float32(1 / 127.5)
    image -= numpy.float32(1)
    return image


def shrink(image, interpolation=cv2.INTER_AREA):
    """The shorter side to 256, the middle of it, scaled."""
    height, width = loader.shorter_side(*image.shape[:2])
    image = cv2.resize(image, (width, height), interpolation=interpolation)
    return scale(loader.centre(image))


def decode(data):
    """The image of a JPEG file."""
    image = cv2.imdecode(numpy.frombuffer(data, numpy.uint8),
                         cv2.IMREAD_COLOR)
    return cv2.cvtColor(image, cv2.COLOR_BGR2RGB)


def jpeg(data):
    """From the bytes of a JPEG file; INTER_AREA looks at all pixels."""
    return shrink(decode(data))


def jpeg_sharp(data):
    """The same, not antialiased."""
    return shrink(decode(data), cv2.INTER_LINEAR)


def array(data):
    """The image of a record: height, width, pixels."""
    height, width = numpy.frombuffer(data, numpy.int32, 2)
    return numpy.frombuffer(data, numpy.uint8, offset=8).reshape(
        height, width, 3)


STEPS = {
    "decoded-records": lambda data: shrink(array(data)),
    "resized-records": lambda data: scale(loader.centre(array(data))),
}


def array_record(task):
    """An ArrayRecord of all photographs, a record a group as Grain wants."""
    def value(path):
        if task.form == "jpeg-records":
            return loader.read(path)
        image = loader.pixels(path, task.form)
        return numpy.int32(image.shape[:2]).tobytes() + image.tobytes()

    def write(unfinished):
        writer = ArrayRecordWriter(unfinished, "group_size:1,uncompressed")
        for path in task.files:
            writer.write(value(path))
        writer.close()

    path = loader.once(task.work / f"{task.form}.array_record", write)
    return grain.sources.ArrayRecordDataSource(path)


def make(task):
    """In threads: quicker than processes here."""
    cv2.setNumThreads(0)
    source = (Files(task.files) if task.form == "files"
              else array_record(task))
    sharp = task.variant == "no-antialias"
    step = STEPS.get(task.form, jpeg_sharp if sharp else jpeg)
    files = grain.MapDataset.source(source)
    options = grain.ReadOptions(
        num_threads=loader.count(task, "threads"),
        prefetch_buffer_size=loader.count(task, "ahead", 4))

    def epoch(passes):
        samples = files.repeat(passes).map(step).batch(loader.BATCH)
        return samples.to_iter_dataset(options)

    return loader.Loader(epoch)


if __name__ == "__main__":
    loader.main("Grain", version("grain"), make)
