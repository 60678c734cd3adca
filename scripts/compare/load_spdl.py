"""load_spdl.py - SPDL in threads: FFmpeg's decoder and scaler, .npy files."""
from importlib.metadata import version

import numpy
import spdl.io
import spdl.pipeline

import loader

SHRINK = (
    f"scale=w='if(lt(iw,ih),{loader.SHORTER},-2)'"
    f":h='if(lt(iw,ih),-2,{loader.SHORTER})':flags=bilinear,"
    f"crop={loader.CROP}:{loader.CROP},format=rgb24")


def scale(images):
    """Bytes 0 to 255 to floats -1 to 1."""
    images = images.astype(numpy.float32)
    images *= numpy.float32(1 / 127.5)
    images -= numpy.float32(1)
    return images


def decode(path):
    """A photograph decoded, resized and cropped in FFmpeg."""
    packets = spdl.io.demux_image(path)
    return spdl.io.decode_packets(packets, filter_desc=SHRINK)


def convert(frames):
    """A batch of them as floats."""
    return scale(spdl.io.to_numpy(spdl.io.convert_frames(frames)))


def crop(path):
    """The middle of a resized photograph, stored by numpy."""
    return loader.centre(spdl.io.load_npy(loader.read(path)))


def stack(images):
    """A batch of them as floats."""
    return scale(numpy.stack(images))


def make(task):
    """Threads for what comes before the batch, and one for the rest."""
    if task.form == "files":
        source, load, finish = task.files, decode, convert
    elif task.form == "resized-records":
        source, load, finish = loader.npy_files(task), crop, stack
    else:
        raise SystemExit("has no record format of its own")

    threads = loader.count(task, "threads")

    def epoch(passes):
        pipeline = (spdl.pipeline.PipelineBuilder()
                    .add_source(source * passes)
                    .pipe(load, concurrency=threads)
                    .aggregate(loader.BATCH).pipe(finish).add_sink(2)
                    .build(num_threads=threads + 1))
        with pipeline.auto_stop():
            yield from pipeline

    return loader.Loader(epoch)


if __name__ == "__main__":
    loader.main("SPDL", version("spdl"), make)
