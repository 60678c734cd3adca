"""presto demand of jobs that use presto.Loader."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

import data
from presto import program

LONG = 120
# The fastest a job can be that sleeps 10 ms for each batch of 8.
MOST = 8 / 0.010


def job(text):
    """Returns the words of a job."""
    return [sys.executable, "-c", textwrap.dedent(text)]


class Demand(unittest.TestCase):
    """What the program says of a job, and the file that it writes."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.file = os.path.join(scratch.name, "accelerators.conf")
        self.words = [program.path(), "demand", "--write", self.file, "--"]
        self.environment = {**os.environ, "TMPDIR": scratch.name}
        self.scratch = scratch.name

    def throughput(self):
        """Returns count and samples per second of a process."""
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        count = int(re.search(r"^count = (\d+)$", text, re.M)[1])
        return count, float(
            re.search(r"^throughput = 8:(\S+)$", text, re.M)[1]
        )

    def run_job(self, text, *arguments, status=0):
        """Runs a job under presto demand, and returns what was said."""
        done = subprocess.run(
            [*self.words, *job(text), *map(str, arguments)],
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=LONG,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertEqual(
            [n for n in os.listdir(self.scratch) if "presto-demand" in n], []
        )
        return done

    # A sleep is never shorter than asked for, and longer on a busy machine.

    def test_a_job_that_sleeps_has_the_demand_of_its_sleeps(self):
        done = self.run_job(
            """
            import sys, time, presto
            print("the job's own words")
            loader = presto.Loader(sys.argv[1], batch_size=8)
            time.sleep(0.3)
            for epoch in range(4):
                for batch in loader:
                    time.sleep(0.010 * batch.samples / 8)
                time.sleep(0.1)
            """,
            data.folder() / "npy",
        )
        count, rate = self.throughput()
        self.assertEqual(count, 1)
        self.assertTrue(0.2 * MOST < rate < 1.05 * MOST, rate)
        self.assertEqual(done.stdout, "the job's own words\n")
        self.assertIn("waited for data", done.stderr)

    def test_ranks_are_added_up(self):
        self.run_job(
            """
            import os, pathlib, subprocess, sys, time
            if "RANK" not in os.environ:
                both = [subprocess.Popen([sys.executable, *sys.orig_argv[1:]],
                        env={**os.environ, "RANK": str(r), "WORLD_SIZE": "2"})
                        for r in range(2)]
                sys.exit(max(p.wait() for p in both))
            import presto
            loader = presto.Loader(sys.argv[1], batch_size=8)
            scratch = pathlib.Path(os.environ["TMPDIR"])
            (scratch / f"rank-{loader.rank}").touch()
            for _ in range(6000):  # until both are at work
                if len(list(scratch.glob("rank-*"))) == 2:
                    break
                time.sleep(0.01)
            end = time.monotonic() + 2
            while time.monotonic() < end:
                for batch in loader:
                    time.sleep(0.010)
            """,
            data.folder() / "npy",
        )
        count, rate = self.throughput()
        self.assertEqual(count, 2)
        self.assertTrue(0 < rate < 1.05 * MOST, rate)

    def test_an_interrupted_job_has_a_demand(self):
        started = subprocess.Popen(
            [
                *self.words,
                *job("""
                    import sys, time, presto
                    loader = presto.Loader(sys.argv[1], batch_size=8)
                    while True:
                        for n, batch in enumerate(loader):
                            time.sleep(0.010)
                            if n == 5:
                                print("running", flush=True)
                """),
                str(data.folder() / "npy"),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        try:
            self.assertEqual(started.stdout.readline(), "running\n")
            time.sleep(0.3)
            started.send_signal(signal.SIGINT)
            error = started.communicate(timeout=LONG)[1]
        finally:
            started.kill()
        self.assertEqual(started.returncode, 130, error)
        self.assertIn("interrupted after", error)
        self.assertEqual(self.throughput()[0], 1)

    def test_a_killed_job_has_a_demand(self):
        done = self.run_job(
            """
            import os, signal, sys, time, presto
            for batch in presto.Loader(sys.argv[1], batch_size=8):
                time.sleep(0.010)
                if batch.samples < 8:
                    os.kill(os.getpid(), signal.SIGKILL)
            """,
            data.folder() / "npy",
            status=1,
        )
        self.assertIn("ended by signal 9", done.stderr)
        self.assertEqual(self.throughput()[0], 1)


if __name__ == "__main__":
    unittest.main()
