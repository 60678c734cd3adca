"""work_original.py - the whole work of the original PRESTO (SIGMOD 2022).

Runs in an environment with TensorFlow, for scripts/compare-original:

    work_original.py ORIGINAL PHOTOGRAPHS WORK CORES RUNS

ORIGINAL is a clone of github.com/cirquit/presto. Its own library does the work
of its own definition of the photo pipeline: each of the five strategies with
each of three compressions is prepared once and read in RUNS epochs.

What it needs beside the work is left out: five seconds of sleep after each
run, its monitor, and dropping the page cache, which wants a file of its
container. So its first epochs are warm, to its advantage. One mistake is put
right: its crop keeps one channel of three.

Each strategy is a line of JSON on standard output.
"""
import json
import os
import pathlib
import sys
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

CODECS = ("none", "GZIP", "ZLIB")
# Steps before the split: none; read; decode; resize; center.
SPLITS = {"unprocessed": None, "read": 2, "decoded": 3, "resized": 4,
          "centered": 5}


def definition(photographs):
    """Its steps, with all channels."""
    import tensorflow as tf

    import imagenet_pipeline

    imagenet_pipeline._random_crop.__defaults__ = ((224, 224, 3),)
    steps = imagenet_pipeline.pipeline_definition(str(photographs))
    colours = tf.TensorSpec([None, None, 3], tf.uint8)
    for step in steps:
        if step["name"] == "resize image":
            step["input_schema"] = step["output_schema"] = colours
    return steps


def measure(library, steps, name, codec, task):
    """Prepares a strategy and reads it; returns what came out."""
    began = time.monotonic()
    strategy = library.Strategy(
        steps, split_position=SPLITS[name], shard_count=task["cores"],
        thread_count=task["cores"], compression_type=codec,
        shard_directory_prefix=str(task["work"] / name))
    for run in range(task["runs"]):
        strategy.execute_full_pipeline(
            run, task["count"], task["runs"], system_cache_enabled=True)
    told = strategy.meta_info
    return {
        "strategy": name,
        "codec": codec,
        "seconds": time.monotonic() - began,
        "prep_s": sum(told["offline_processing_and_save_time_s"]),
        "samples_per_s": told["throughput_sps"],
        "bytes": sum(told["shard_cum_size_MB"]) * 1e6,
    }


def main():
    """Measures all strategies, a line each."""
    original, photographs, work, cores, runs = sys.argv[1:]
    sys.path.insert(0, original)
    from presto import strategy as library

    library.drop_io_cache = lambda *_, **__: None
    folder = pathlib.Path(photographs)
    task = {
        "work": pathlib.Path(work),
        "cores": int(cores),
        "runs": int(runs),
        "count": sum(1 for _ in folder.glob("*/*.JPEG")),
    }
    steps = definition(folder)
    for codec in CODECS:
        for name in SPLITS:
            done = measure(library, steps, name, codec, task)
            print(json.dumps(done), flush=True)


if __name__ == "__main__":
    main()
