"""load_original.py - the original PRESTO (SIGMOD 2022), by its own library.

The library is not on PyPI: --original of scripts/compare-loaders names a clone
of github.com/cirquit/presto, which stands in the data folder as original/.
Its own function runs and times an epoch. It is called as for the second epoch
of its system cache, so that nothing is dropped; its pauses between epochs and
its monitor are left out. The shards that it has written are linked once more
for each pass.
"""
import os
import pathlib
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402 (its log level must be set before)

import load_tf_data  # noqa: E402
import loader  # noqa: E402

RUNS = 1 << 30  # it removes its shards after the last one
# How many steps are done before an epoch.
SPLITS = {"files": None, "jpeg-records": 2, "decoded-records": 3,
          "resized-records": 4}
BYTES = tf.TensorSpec([], tf.string)
IMAGE = tf.TensorSpec([None, None, 3], tf.uint8)
RESULT = tf.TensorSpec([loader.CROP, loader.CROP, 3], tf.float32)


def resize(image):
    """The shorter side to 256, as bytes again."""
    image = tf.ensure_shape(image, [None, None, 3])
    return tf.cast(load_tf_data.shrink(image, False), tf.uint8)


def decode(data):
    """The image of a JPEG file, with TensorFlow's fast DCT."""
    return tf.io.decode_jpeg(data, channels=3)


def finish(image):
    """The middle of an image, scaled."""
    return load_tf_data.scale(load_tf_data.crop(image))


def pipeline(files):
    """The steps in the form that its library wants."""
    steps = [("list", tf.data.Dataset.from_tensor_slices(files), BYTES),
             ("read", tf.io.read_file, BYTES), ("decode", decode, IMAGE),
             ("resize", resize, IMAGE), ("finish", finish, RESULT)]
    found = []
    for name, function, output in steps:
        found.append({
            "name": name, "type": "op" if found else "source",
            "op": function, "output_schema": output,
            "input_schema": found[-1]["output_schema"] if found else None})
    return found


class Original:
    """A strategy of it, and the shards."""

    def __init__(self, task):
        sys.path.insert(0, str(task.data / "original"))
        from presto.strategy import Strategy
        self.make, self.task = Strategy, task
        self.split = SPLITS[task.form]
        self.prefix = task.work / f"original-{task.form}-{task.cores}"
        self.batch = loader.count(task, "batch", 0) or None
        self.ahead = 2 if self.batch else None
        self.linked = 1

    def strategy(self, files):
        """Its strategy over a list of files; the shards are found again."""
        made = self.make(
            pipeline(files), split_position=self.split,
            shard_count=self.task.cores, thread_count=self.task.cores,
            shard_directory_prefix=str(self.prefix))
        made._shard_directory = f"{self.prefix}/"
        return made

    def write(self):
        """Has the shards written, once."""
        mark = self.prefix / "complete"
        if self.split and not mark.exists():
            self.strategy(self.task.files).execute_offline_pipeline(
                len(self.task.files))
            mark.touch()

    def link(self, passes):
        """As many links to each shard as there are passes."""
        if not self.split:
            return
        for shard in self.prefix.glob("shard-?.tfrecord"):
            for number in range(1, passes):
                copy = pathlib.Path(f"{shard}.{number}.tfrecord")
                if not copy.exists():
                    os.link(shard, copy)
            for number in range(passes, self.linked):
                pathlib.Path(f"{shard}.{number}.tfrecord").unlink()
        self.linked = passes

    def epoch(self, passes):
        """Seconds of an epoch, by its own clock."""
        self.link(passes)
        count = len(self.task.files) * passes
        made = self.strategy(self.task.files * (1 if self.split else passes))
        made.execute_full_pipeline(1, count, RUNS, self.batch, self.ahead,
                                   system_cache_enabled=True)
        return made.meta_info["online_processing_time_s"][-1]


def answer(task, request):
    """Measures a task."""
    if task.form not in SPLITS:
        raise SystemExit("has no such strategy")
    if not (task.data / "original").exists():
        raise SystemExit("not given: --original DIR")
    original = Original(task)
    original.write()
    for old in original.prefix.glob("shard-*.tfrecord.*.tfrecord"):
        old.unlink()
    took = original.epoch(1)
    passes = request.get("passes") or loader.passes_for(
        min(0.5, request["seconds"]), took, 1)
    took, passes = loader.long_enough(original.epoch, request["seconds"],
                                      passes)
    return {"rate": passes * len(task.files) / took, "took": round(took, 3),
            "passes": passes}


def main():
    """Does as loader.main does."""
    call = loader.arguments()
    loader.pin(call.cores)
    loader.serve(call, "original PRESTO", f"TensorFlow {tf.__version__}",
                 answer)


if __name__ == "__main__":
    main()
