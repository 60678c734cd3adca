"""`python -m presto.import FILE.py:DATASET` writes a pipeline file.

    python -m presto.import my_dataset.py:dataset --out pipeline.conf
"""

import argparse
import os
import sys
from collections.abc import Sequence

from presto import traced
from presto.tracing import trace_pipeline
from presto.tracing_file import Pipeline, TraceError


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m presto.import",
        description="Write a pipeline file from a dataset of torchvision, "
        "Hugging Face or webdataset.",
    )
    parser.add_argument(
        "dataset",
        metavar="FILE.py:NAME",
        help="the dataset, or a function without arguments that returns it; "
        "package.module:NAME as well",
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE.conf",
        help="write to this file (default: standard output, for a file in "
        "the current folder)",
    )
    parser.add_argument(
        "-c",
        "--compare",
        metavar="N",
        type=int,
        default=4,
        help="compare N samples of both (default: 4; 0: none)",
    )
    return parser.parse_args(arguments)


def name_target(given: str) -> str:
    """Makes the path of a file absolute: the current folder may change."""
    target, colon, name = given.rpartition(":")
    if not colon or not target or not name:
        raise TraceError(f"name the dataset as FILE.py:NAME, not '{given}'")
    if not target.endswith(".py"):
        return given
    if not os.path.exists(target):
        raise TraceError(f"there is no file {target}")
    return f"{os.path.abspath(target)}:{name}"


def compare(dataset: object, pipeline: Pipeline, samples: int) -> None:
    """Prints how far apart both are, and notes it in the file."""
    try:
        from presto import tracing_compare
    except ImportError as error:
        print(f"presto.import: not compared: {error}", file=sys.stderr)
        return
    tracing_compare.compare(dataset, pipeline, samples)


def run(options: argparse.Namespace) -> None:
    """Traces, compares and writes."""
    target = name_target(options.dataset)
    try:
        dataset = traced.load(target)
    except traced.MissingError as error:
        raise TraceError(str(error)) from error
    pipeline = trace_pipeline(dataset, target)
    if options.compare > 0:
        compare(dataset, pipeline, options.compare)
    if not options.out:
        sys.stdout.write(pipeline.text(os.getcwd()))
        return
    folder = os.path.dirname(os.path.abspath(options.out))
    text = pipeline.text(folder)
    with open(options.out, "w", encoding="utf-8") as file:
        file.write(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit status, as presto has them."""
    try:
        run(parse(arguments))
    except (TraceError, OSError) as error:
        print(f"presto.import: {error}", file=sys.stderr)
        return 2 if isinstance(error, TraceError) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
