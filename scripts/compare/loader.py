"""loader.py - what the loaders' programs share: the task, the clock, a check.

Each program `load_NAME.py` does the same tasks in one loader and prints a
line of JSON for each.  It runs alone as well:

    python load_torch.py --data DIR --work DIR --cores 2 \\
        files:pillow resized-records

A task is a form, and a variant of the program: JPEG, RGB, shorter side 256
(bilinear), centre crop 224, x / 127.5 - 1, float32, batches of 64; or what is
left of it when a later representation is stored.
"""
import argparse
import copy
import gc
import json
import os
import pathlib
import statistics
import sys
import time
from typing import Callable, Iterable, NamedTuple

BATCH = 64
SHORTER = 256
CROP = 224
# Forms, and the epochs that are timed: as many as give a figure that repeats.
FORMS = {"files": 1, "jpeg-records": 1, "decoded-records": 1,
         "resized-records": 8, "square-records": 8, "memory": 8, "text": 20,
         "audio": 8}
# Decoders and filters differ by a level or so of 255; a crop that is
# elsewhere, or other scaling, differs by more.
MEAN_TOLERANCE = 0.02


class Loader(NamedTuple):
    """How a program's loader is driven and looked at."""

    epoch: Callable[[], Iterable]  # all batches, once
    images: Callable = lambda batch: batch  # the images of a batch
    array: Callable = None  # images as a numpy array, else numpy.asarray


def arguments(argv=None):
    """What all tasks of this call share, with the sorted list of files."""
    parser = argparse.ArgumentParser(description=sys.modules[
        "__main__"].__doc__)
    parser.add_argument("--data", required=True, type=pathlib.Path,
                        help="folder of JPEG files")
    parser.add_argument("--work", required=True, type=pathlib.Path,
                        help="folder for records, which are made once")
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("tasks", nargs="+", metavar="FORM[:VARIANT]",
                        help="forms: " + ", ".join(FORMS))
    call = parser.parse_args(argv)
    for word in call.tasks:
        if word.partition(":")[0] not in FORMS:
            parser.error(f"no form '{word}'")
    call.files = sorted(str(path) for path in call.data.rglob("*.jpg"))
    if not call.files:
        parser.error(f"no *.jpg in {call.data}")
    call.work.mkdir(parents=True, exist_ok=True)
    return call


def tasks_of(call):
    """Each task of a call: the same with its form, variant and epochs."""
    tasks = []
    for word in call.tasks:
        task = copy.copy(call)
        task.form, _, variant = word.partition(":")
        task.variant = variant or "default"
        task.epochs = FORMS[task.form]
        tasks.append(task)
    return tasks


def pin(cores):
    """Keeps the process, and all that it will start, on the first cores.

    Threads that a library has started by now stay where they are, so the
    program begins anew.
    """
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < cores:
        sys.exit(f"{cores} cores wanted, {len(allowed)} may be used")
    if len(allowed) > cores:
        os.sched_setaffinity(0, allowed[:cores])
        begin_anew()


def begin_anew():
    """Runs this program again from the beginning."""
    os.execv(sys.executable, [sys.executable, *sys.argv])


def shorter_side(height, width):
    """Height and width with the shorter side 256, as torchvision has it."""
    if height <= width:
        return SHORTER, SHORTER * width // height
    return SHORTER * height // width, SHORTER


def centre(image, size=CROP):
    """The middle 224 x 224 of an array ...xHxWxC."""
    top = (image.shape[-3] - size) // 2
    left = (image.shape[-2] - size) // 2
    return image[..., top:top + size, left:left + size, :]


def read(path):
    """The bytes of a file."""
    with open(path, "rb") as file:
        return file.read()


def pixels(path, form):
    """The uint8 array that a record of this form holds, by Pillow."""
    import numpy
    from PIL import Image
    image = Image.open(path).convert("RGB")
    if form == "decoded-records":
        return numpy.asarray(image)
    height, width = shorter_side(image.height, image.width)
    image = image.resize((width, height), Image.Resampling.BILINEAR)
    if form == "square-records":
        return numpy.ascontiguousarray(centre(numpy.asarray(image), SHORTER))
    return numpy.asarray(image)


def once(path, write):
    """Calls write(temporary path) unless `path` is there; returns `path`.

    What was interrupted is made again.
    """
    if not os.path.exists(path):
        unfinished = f"{path}.part"
        write(unfinished)
        os.replace(unfinished, path)
    return str(path)


def npy_files(task):
    """A .npy file for each photograph; several loaders read the same."""
    import numpy
    folder = task.work / f"npy-{task.form}"

    def write(unfinished):
        os.makedirs(unfinished, exist_ok=True)
        for number, path in enumerate(task.files):
            numpy.save(f"{unfinished}/{number:06d}.npy",
                       pixels(path, task.form))

    once(folder, write)
    return sorted(str(path) for path in folder.glob("*.npy"))


def reference_mean(task):
    """The mean of all that an epoch delivers, by Pillow and numpy."""
    import numpy

    def write(unfinished):
        means = [float(centre(pixels(path, "resized-records")).mean())
                 for path in task.files]
        with open(unfinished, "w", encoding="utf-8") as file:
            json.dump(float(numpy.mean(means)) / 127.5 - 1, file)

    return json.loads(read(once(task.work / "mean.json", write)))


def check_batch(array):
    """Complains about anything but float32 images of the right shape."""
    shape = array.shape[1:]
    if shape not in ((CROP, CROP, 3), (3, CROP, CROP)):
        sys.exit(f"delivers images of the shape {shape}")
    if str(array.dtype) != "float32":
        sys.exit(f"delivers {array.dtype}, not float32")
    if array.min() < -1.0001 or array.max() > 1.0001:
        sys.exit(f"delivers {array.min()} to {array.max()}, not -1 to 1")


def check_epoch(task, loader):
    """One epoch of warm-up: every photograph once, and like Pillow's."""
    import numpy
    total, count = 0.0, 0
    for batch in loader.epoch():
        images = loader.images(batch)
        array = loader.array(images) if loader.array else numpy.asarray(images)
        check_batch(array)
        total += float(array.mean(dtype=numpy.float64)) * len(array)
        count += len(array)
    if count != len(task.files):
        sys.exit(f"delivers {count} of {len(task.files)} images")
    off = total / count - reference_mean(task)
    if abs(off) > MEAN_TOLERANCE:
        sys.exit(f"delivers other pixels: the mean is off by {off:.3f}")
    return off


def timed_epoch(loader):
    """Images per second of one epoch; beginning it is in the clock."""
    count = 0
    start = time.perf_counter()
    for batch in loader.epoch():
        count += len(loader.images(batch))
    return count / (time.perf_counter() - start)


def result(task, name, version, rates, **more):
    """Prints the one line of output."""
    print(json.dumps({
        "loader": name, "version": version, "form": task.form,
        "variant": task.variant, "cores": task.cores,
        "images": len(task.files), "epochs": len(rates),
        "images_per_s": round(statistics.median(rates), 1),
        "low": round(min(rates), 1), "high": round(max(rates), 1), **more,
    }), flush=True)


def run_task(task, name, version, make):
    """One task, in the clock after an epoch out of it."""
    loader = make(task)
    off = check_epoch(task, loader)
    rates = [timed_epoch(loader) for _ in range(task.epochs)]
    result(task, name, version, rates, mean_off=round(off, 4))


def failure(task, reason, **more):
    """Prints why a task has no figure."""
    print(json.dumps({"form": task.form, "variant": task.variant,
                      "failed": reason[:200], **more}), flush=True)


def main(name, version, make, prepare=None):
    """Runs a program: make(task) gives its Loader.

    prepare(tasks) is called before all of them.  One that fails does not keep
    the others from running.
    """
    call = arguments()
    pin(call.cores)
    if prepare:
        prepare(tasks_of(call))
    for task in tasks_of(call):
        try:
            run_task(task, name, version, make)
        except (Exception, SystemExit) as error:  # what it says is the result
            failure(task, (str(error).strip() or repr(error)).splitlines()[0])
        gc.collect()  # threads and workers of the last one end
