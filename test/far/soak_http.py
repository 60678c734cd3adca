#!/usr/bin/env python3
"""Materializes shards that lie behind a web server which fails at random.

usage: soak_http.py PRESTO FOLDER [--runs N] [--seed N]

The folder has tar shards of photographs.  Each run has other faults, of other
kinds and rates.  It must end with the bytes that a local disk gives, or with
an error that names the address, and then leave no manifest; in both cases no
temporary file stays.  The exit status is 1 when a run does not.
"""
import argparse
import hashlib
import pathlib
import random
import subprocess
import sys
import tempfile

SERVER = pathlib.Path(__file__).with_name("http_server.py")
KINDS = ["reset", "cut", "drop", "longer", "shifted", "vague", "whole",
         "s429", "s500", "s502", "s503", "s504", "garbage", "changed", "gzip"]
PIPELINE = """[dataset]
source = tar
path = {path}/{{{names}}}

[pipeline]
decoded = jpeg_decode
resized = resize shorter=64

[load]
threads = 2
"""


def sums(folder: pathlib.Path) -> dict[str, str]:
    """Returns the hash of each shard."""
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest()
            for file in sorted(folder.glob("*.tar"))}


def materialize(presto: str, conf: pathlib.Path, out: pathlib.Path,
                path: str, names: str, server: list[str]
                ) -> subprocess.CompletedProcess[str]:
    """Writes the dataset; with `server`, the words in front of the command."""
    conf.write_text(PIPELINE.format(path=path, names=names))
    command = [presto, "materialize", str(conf), "--strategy",
               "resized/tar/none", "--shuffle", "no", "--out", str(out)]
    if server:
        fill = f'sed -i "s,URL,$URL," "{conf}"; exec "$@"'
        command = [*server, "sh", "-c", fill, "sh", *command]
    return subprocess.run(command, capture_output=True, text=True,
                          check=False, timeout=600)


def judge(done: subprocess.CompletedProcess[str], out: pathlib.Path,
          wanted: dict[str, str]) -> str:
    """Returns what is wrong with a run; "": nothing."""
    left = [file.name for file in out.glob(".presto-*.tmp")]
    words = done.stderr.strip().splitlines()[-1:] or [""]
    if left:
        return f"left {left[0]}"
    if done.returncode == 0:
        return "" if sums(out) == wanted else "other bytes"
    if done.returncode != 1 or "http://" not in words[0]:
        return f"exit status {done.returncode}: {words[0]}"
    if (out / "presto.manifest").exists():
        return "a manifest in spite of an error"
    return ""


def main() -> int:
    """Runs and counts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("presto")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = ",".join(sorted(f.name for f in options.folder.glob("*.tar")))
    draw = random.Random(options.seed)
    written = wrong = 0
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        conf = scratch / "far.conf"
        materialize(options.presto, conf, scratch / "near",
                    str(options.folder.resolve()), names, [])
        wanted = sums(scratch / "near")
        for run in range(options.runs):
            etag = draw.choice(["strong", "weak", "none"])
            # Without a version nobody can tell that an object changed.
            known = [kind for kind in KINDS
                     if kind != "changed" or etag != "none"]
            kinds = draw.sample(known, draw.randint(1, 5))
            rate = draw.choice([0.02, 0.1, 0.3])
            out = scratch / f"far-{run}"
            server = [sys.executable, str(SERVER), "--rate", str(rate),
                      "--kinds", ",".join(kinds), "--seed", str(run),
                      "--etag", etag, str(options.folder)]
            done = materialize(options.presto, conf, out, "URL", names,
                               server)
            problem = judge(done, out, wanted)
            written += done.returncode == 0
            if problem or not wanted:
                wrong += 1
                print(f"run {run}: {rate} {','.join(kinds)}: {problem}")
    print(f"{options.runs} runs: {written} with the right bytes, "
          f"{options.runs - written - wrong} with an error in words, "
          f"{wrong} wrong")
    return 1 if wrong or not wanted else 0


if __name__ == "__main__":
    sys.exit(main())
