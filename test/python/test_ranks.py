"""Ranks in processes of their own: every sample once, also after a resume."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import data
import rank_worker

WORLD = 4
LONG = 120  # seconds: a process that takes so long has failed
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parents[1] / "examples" / "distributed.py"


def start(rank, *arguments):
    """Starts a rank."""
    ranks = {"RANK": str(rank), "WORLD_SIZE": str(WORLD)}
    return subprocess.Popen(
        [sys.executable, HERE / "rank_worker.py", *map(str, arguments)],
        env={**os.environ, **ranks},
        stderr=subprocess.PIPE,
        text=True,
    )


class Ranks(unittest.TestCase):
    """Four processes."""

    def run_all(self, *arguments):
        """Runs all ranks at once, to their ends."""
        ranks = [start(rank, *arguments) for rank in range(WORLD)]
        for rank in ranks:
            error = rank.communicate(timeout=LONG)[1]
            self.assertEqual(rank.returncode, 0, error)

    def check(self, stops):
        """Checks one place at which all ranks stopped, and went on."""
        everything = sorted(data.key(n) for n in range(data.SAMPLES))
        epoch = [key for stop in stops for key in stop["before"]]
        epoch += [key for stop in stops for key in stop["rest"]]
        self.assertEqual(sorted(epoch), everything)
        after = [key for stop in stops for key in stop["next"]]
        self.assertEqual(sorted(after), everything)

    def test_each_sample_comes_once_also_after_a_resume(self):
        for where in ("npy", "tar", "chance.conf"):
            with tempfile.TemporaryDirectory() as folder:
                arguments = data.folder() / where, folder
                self.run_all("save", *arguments)
                self.run_all("resume", *arguments)
                ranks = [
                    json.loads(pathlib.Path(folder, f"{r}.json").read_text())
                    for r in range(WORLD)
                ]
            self.assertEqual({len(r) for r in ranks}, {rank_worker.STOPS})
            for number, stops in enumerate(zip(*ranks)):
                with self.subTest(where=where, stop=number):
                    self.check(stops)

    @unittest.skipUnless(importlib.util.find_spec("torch"), "needs PyTorch")
    def test_the_example_over_gloo(self):
        done = subprocess.run(
            [sys.executable, EXAMPLE, data.folder() / "npy"],
            capture_output=True,
            text=True,
            timeout=LONG,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        once = f"{data.SAMPLES} samples, each once"
        self.assertEqual(done.stdout.count(once), 21, done.stdout)


if __name__ == "__main__":
    unittest.main()
