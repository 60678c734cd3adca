"""loader.py - what the loaders' programs share: the task, the clock, a check.

Each program `load_NAME.py` does the same tasks in one loader. It is started
once, pinned to its cores, and stays: it reads a task a line, in JSON, and
answers each with a line of JSON. So a run can take turns between programs, and
none of them pays its start in a figure. By hand:

    echo '{"form": "files", "variant": "pillow", "seconds": 5}' |
        python load_torch.py --data DIR --work DIR --cores 2

The task: JPEG, RGB, shorter side 256 (bilinear), centre crop 224,
x / 127.5 - 1, float32, batches of 64 ($COMPARE_BATCH); or what is left of it
when a later representation is stored.

An epoch is several passes over the photographs, without a pause between them:
as many as take `seconds`. Where a loader can, the passes are one list of
files, so that it pays its start once an epoch.
"""
import argparse
import gc
import json
import math
import os
import pathlib
import sys
import time
from types import SimpleNamespace
from typing import Callable, Iterable, NamedTuple

BATCH = int(os.environ.get("COMPARE_BATCH", "64"))
SHORTER = 256
CROP = 224
# Decoders and filters differ by a level or so of 255; a crop that is
# elsewhere, or other scaling, differs by more.
MEAN_TOLERANCE = 0.02
TRIES = 6  # until an epoch is as long as was asked for
MORE = 1.04  # passes than the last rate promises to be enough


class Loader(NamedTuple):
    """How a program's loader is driven and looked at."""

    # All batches of so many passes. What is done before the first batch is
    # asked for is not timed.
    epoch: Callable[[int], Iterable]
    images: Callable = lambda batch: batch  # the images of a batch
    array: Callable = None  # images as a numpy array, else numpy.asarray
    amount: Callable = None  # of a batch in the form's unit, else its images
    check: Callable = None  # how far the output is off, else check_epoch
    more: dict = {}  # for the answer


def arguments():
    """What all tasks of this program share."""
    parser = argparse.ArgumentParser(description=sys.modules[
        "__main__"].__doc__)
    parser.add_argument("--data", required=True, type=pathlib.Path,
                        help="folder with photos/, texts/, vocabulary/ ...")
    parser.add_argument("--work", required=True, type=pathlib.Path,
                        help="folder for records, which are made once")
    parser.add_argument("--cores", type=int, default=1)
    call = parser.parse_args()
    call.work.mkdir(parents=True, exist_ok=True)
    call.photos = call.data / "photos"
    call.files = sorted(str(path) for path in call.photos.rglob("*.jpg"))
    return call


def task_of(call, request):
    """The task of a request, with what all tasks share."""
    task = SimpleNamespace(**vars(call))
    task.form = request["form"]
    task.variant = request.get("variant") or "default"
    task.settings = request.get("settings") or {}
    task.strategy = request.get("strategy") or ""
    task.cold = task.settings.get("words") == "cold"
    return task


def count(task, name, default="1x"):
    """A number among the settings: 4, or 2x for twice the cores."""
    text = str(task.settings.get(name, default))
    if text.endswith("x"):
        return int(text[:-1]) * task.cores
    return int(text)


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
    """One pass: every photograph once, and like Pillow's."""
    import numpy
    total, delivered = 0.0, 0
    for batch in loader.epoch(1):
        images = loader.images(batch)
        array = loader.array(images) if loader.array else numpy.asarray(images)
        check_batch(array)
        total += float(array.mean(dtype=numpy.float64)) * len(array)
        delivered += len(array)
    if delivered != len(task.files):
        sys.exit(f"delivers {delivered} of {len(task.files)} images")
    off = total / delivered - reference_mean(task)
    if abs(off) > MEAN_TOLERANCE:
        sys.exit(f"delivers other pixels: the mean is off by {off:.3f}")
    return off


def timed_epoch(loader, passes):
    """Seconds and amount of an epoch; beginning it is in the clock."""
    delivered = 0
    batches = loader.epoch(passes)
    start = time.perf_counter()
    for batch in batches:
        delivered += (loader.amount(batch) if loader.amount
                      else len(loader.images(batch)))
    return time.perf_counter() - start, delivered


def passes_for(seconds, took, passes):
    """How many passes take so long, when `passes` took `took`."""
    return max(1, math.ceil(MORE * seconds * passes / max(took, 1e-6)))


def long_enough(epoch, seconds, passes):
    """Runs epochs of more and more passes until one takes so long.

    Returns its seconds and passes. epoch(passes) returns seconds.
    """
    for _ in range(TRIES):
        took = epoch(passes)
        if took >= seconds:
            return took, passes
        passes = max(passes + 1, passes_for(seconds, took, passes))
    raise SystemExit(f"an epoch takes {took:.1f} s, not {seconds:g}, at the "
                     f"{TRIES}th try")


def measure(task, request, make):
    """An epoch of at least request["seconds"], after a warm-up of one pass.

    request["passes"] is what was enough the last time; without it, the
    warm-up tells.
    """
    seconds = request["seconds"]
    loader = make(task)
    answer = dict(loader.more)
    start = time.perf_counter()
    if request.get("check"):
        check = loader.check or check_epoch
        answer["mean_off"] = round(check(task, loader), 4)
    else:
        timed_epoch(loader, 1)
    took = time.perf_counter() - start
    passes = request.get("passes") or passes_for(min(seconds, 0.5), took, 1)
    delivered = 0

    def epoch(passes):
        nonlocal delivered
        took, delivered = timed_epoch(loader, passes)
        return took

    took, passes = long_enough(epoch, seconds, passes)
    return {**answer, "rate": delivered / took, "took": round(took, 3),
            "passes": passes}


def serve(call, name, version, answer):
    """Answers the tasks of the standard input, one after the other.

    What libraries print goes to the standard error.
    """
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            record = answer(task_of(call, request), request)
        except (Exception, SystemExit) as error:  # what it says is the result
            text = str(error).strip() or repr(error)
            record = {"failed": text.splitlines()[0][:200]}
        gc.collect()  # threads and workers of the last one end
        out.write(json.dumps({"loader": name, "version": version, **record})
                  + "\n")
        out.flush()


def main(name, version, make):
    """Runs a program: make(task) gives its Loader."""
    call = arguments()
    pin(call.cores)
    serve(call, name, version,
          lambda task, request: measure(task, request, make))
