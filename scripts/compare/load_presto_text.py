"""load_presto_text.py - presto: tokens of texts.

With words=cold it is not the loader but its step alone, with an encoder for
each pass that has seen no word: build/test/bench/bench_bpe, on one core.
"""
import json
import os
import pathlib
import subprocess
import tempfile

import loader_presto
import loader_text

PIPELINE = """# text.conf - written by load_presto_text.py
[dataset]
source = {source}
path   = {path}
{match}
[pipeline]
tokens = bpe vocab={vocabulary}
"""
BENCH = (pathlib.Path(__file__).resolve().parents[2] / "build" / "test"
         / "bench" / "bench_bpe")
ROUND_S = 0.25  # of the side that is presto's


def from_texts(task):
    """The pipeline of the files of text."""
    return PIPELINE.format(
        source="folder", match="match  = **/*.txt\n",
        path=(task.data / "texts").resolve(),
        vocabulary=loader_text.vocabulary(task).resolve())


def cold(task, request):
    """Rounds of the benchmark, as many as take so long."""
    rounds = min(100, int(request["seconds"] / ROUND_S) + 1)
    env = {**os.environ, "BENCH_TEXTS": str(task.data / "texts"),
           "BENCH_VOCABULARY": str(loader_text.vocabulary(task))}
    with tempfile.TemporaryDirectory(dir=task.work) as work:
        done = subprocess.run(
            [str(BENCH), str(task.data), work, str(rounds)], env=env,
            capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.strip() or "bench_bpe failed")
    row = json.loads(done.stdout.splitlines()[0])
    return {"rate": row["presto"], "took": rounds * ROUND_S, "passes": rounds}


def pipeline(task):
    """The pipeline of the stored texts."""
    folder = loader_presto.materialized(task, from_texts(task),
                                        "raw/tar/none")
    return PIPELINE.format(
        source="presto", path=folder.resolve(), match="",
        vocabulary=loader_text.vocabulary(task).resolve())


def answer(task, request):
    """Measures a task."""
    if task.cold:
        return cold(task, request)
    samples = len(loader_text.files(task))
    return loader_presto.measure(
        loader_presto.Profile(task, pipeline(task), samples), request,
        loader_text.megabytes(task))


if __name__ == "__main__":
    loader_presto.main(answer)
