"""load_dali.py - NVIDIA DALI on the processor: files, tar, .npy files."""
import tarfile

from nvidia import dali
from nvidia.dali import fn, types

import loader


def write_tar(task):
    """A function that writes all photographs into one tar."""
    def write(unfinished):
        with tarfile.open(unfinished, "w", format=tarfile.USTAR_FORMAT) as tar:
            for number, path in enumerate(task.files):
                tar.add(path, f"{number:06d}.jpg")
    return write


def encoded(task):
    """The bytes of the JPEG files."""
    if task.form == "files":
        return fn.readers.file(files=task.files)[0]
    tar = loader.once(task.work / "jpeg.tar", write_tar(task))
    return fn.readers.webdataset(paths=[tar], ext=["jpg"],
                                 missing_component_behavior="error")


def image(task, npy):
    """A decoded or stored image, with its shorter side 256."""
    if npy:
        stored = fn.readers.numpy(files=npy)
        decoded = fn.reshape(stored, layout="HWC")
        if task.form != "decoded-records":
            return decoded
    else:
        decoded = fn.decoders.image(encoded(task), device="cpu",
                                    output_type=types.RGB)
    return fn.resize(decoded, resize_shorter=loader.SHORTER,
                     interp_type=types.INTERP_LINEAR,
                     antialias=task.variant != "no-antialias")


def make(task):
    """The reader goes on with the first file behind the last one."""
    npy = (loader.npy_files(task)
           if task.form not in ("files", "jpeg-records") else [])

    @dali.pipeline_def(batch_size=loader.BATCH,
                       num_threads=loader.count(task, "threads"),
                       device_id=None,
                       prefetch_queue_depth=loader.count(task, "ahead", 2))
    def photographs():
        return fn.crop_mirror_normalize(
            image(task, npy), crop=(loader.CROP, loader.CROP),
            mean=[127.5] * 3, std=[127.5] * 3, output_layout="HWC")

    pipeline = photographs()
    pipeline.build()
    full, rest = divmod(len(task.files), loader.BATCH)
    if rest:
        raise SystemExit(f"wants a multiple of {loader.BATCH} images")

    def epoch(passes):
        for _ in range(full * passes):
            yield pipeline.run()[0]

    return loader.Loader(epoch, array=lambda images: images.as_array())


if __name__ == "__main__":
    loader.main("DALI", dali.__version__, make)
