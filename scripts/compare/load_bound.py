"""load_bound.py - no loader: threads write batches, and do nothing else.

No loader can be faster than the memory that takes its batches. The program
build/test/bench/bench_fill writes as many into a ring of buffers, a batch
each, with as many threads as cores.
"""
import pathlib
import subprocess

import loader

FILL = (pathlib.Path(__file__).resolve().parents[2] / "build" / "test"
        / "bench" / "bench_fill")


def written(process):
    """The images of each batch."""
    with process:
        process.stdin.close()  # it begins
        while process.stdout.read(1):
            yield loader.BATCH


def check(task, this):
    """Complains unless a pass has all images."""
    count = sum(this.epoch(1))
    if count != len(task.files):
        raise SystemExit(f"writes {count} of {len(task.files)} images")
    return 0


def make(task):
    """The way of writing is the variant."""
    def epoch(passes):
        batches = passes * len(task.files) // loader.BATCH
        process = subprocess.Popen(
            [str(word) for word in (
                FILL, task.variant, task.cores,
                loader.count(task, "buffers"), loader.BATCH, batches)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.read(1)  # its memory is there
        return written(process)

    return loader.Loader(epoch, amount=int, check=check)


if __name__ == "__main__":
    loader.main("writing alone", "", make)
