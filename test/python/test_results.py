"""presto.profile, recommend and report: objects of what the program says."""

import contextlib
import csv
import dataclasses
import functools
import importlib.util
import io
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
import unittest
from unittest import mock

import data
import presto
from presto import command, program, records, results, tables

LONG = 120
OPTIONS = {
    "split": ["cropped"],
    "store": "npy",
    "codec": ("none",),
    "runs": 2,
    "set": {"measure.min_run_time": 0, "measure.probe": "no"},
}


@functools.cache
def measured():
    """Profiles the images once; returns the database and the report."""
    db = data.folder() / "results.db"
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        report = presto.profile(data.folder() / "plain.conf", db=db, **OPTIONS)
    return db, report, said.getvalue()


def columns(*words):
    """Returns the columns that the program prints as CSV."""
    text = data.run("report", "--csv", "--db", measured()[0], *words)
    return next(csv.reader(io.StringIO(text)))


def names(kind):
    """Returns the columns of a kind of rows."""
    return [field.name for field in dataclasses.fields(kind)]


class Reports(unittest.TestCase):
    """What was measured."""

    def test_profile_returns_the_session(self):
        db, report, said = measured()
        self.assertEqual(report.session.pipeline, "plain")
        self.assertEqual(report.session.state, "done")
        self.assertEqual(report.session.samples, data.SAMPLES)
        self.assertEqual(
            {trial.strategy for trial in report.trials},
            {"unprocessed", "cropped/npy/none"},
        )
        for trial in report.trials:
            self.assertEqual(trial.status, "done")
            self.assertEqual(trial.equivalent, "yes")
            self.assertEqual(trial.samples, data.SAMPLES)
            self.assertGreater(trial.throughput_samples_per_s, 0)
        self.assertEqual(report, presto.report(db))
        self.assertTrue(said)

    def test_the_columns_are_those_of_the_program(self):
        own = names(records.Trial)
        self.assertEqual(own[: len(columns())], columns())
        for what, kind in (
            ("runs", records.Run),
            ("steps", records.StepCost),
            ("phases", records.Phase),
            ("levels", records.Level),
            ("system", records.System),
        ):
            with self.subTest(what):
                got = columns("--what", what)
                self.assertEqual(names(kind), got[1:])  # without the session

    def test_parts_name_their_trial(self):
        report = measured()[1]
        known = ("unprocessed", "cropped/npy/none")
        for part in (report.runs, report.steps, report.levels):
            self.assertTrue(len(part))
            for row in part:
                self.assertIn(row.strategy, known)
                self.assertGreater(row.threads, 0)
        self.assertIsInstance(report.runs[0].warmup, bool)
        self.assertGreater(report.machine.cores, 0)
        self.assertEqual(report.versions.presto, presto.__version__)

    def test_all_sessions(self):
        db, report, _ = measured()
        self.assertEqual(presto.reports(db), [report])
        self.assertEqual(presto.report(db, report.session.id), report)

    def test_the_session_is_read_from_the_title(self):
        for title, number in (
            (b"photos, session 7, 2026-11-23 10:00:00, done\nmore\n", 7),
            (b"a, session 3, b, session 8, 2026, done\n", 8),
            (b"nothing\nx, session 7, 2026\n", None),
            (b"", None),
        ):
            self.assertEqual(results._session(title), number)


class Recommendations(unittest.TestCase):
    """What is recommended."""

    def test_the_winner_and_the_ranking(self):
        db, report, _ = measured()
        found = presto.recommend(db, readable_by="any")
        self.assertEqual(found.strategy, found.winner.strategy)
        self.assertEqual(len(found.ranking), len(report.trials))
        self.assertIsInstance(found.ranking[0].tied, bool)
        self.assertIsInstance(found.warnings, list)
        self.assertIsNone(found.accelerators)

    def test_columns_are_those_of_the_program(self):
        words = ["recommend", "--db", measured()[0], "--format", "csv"]
        done = subprocess.run(  # noise may leave the winner open: 4
            [program.path(), *words], capture_output=True, text=True
        )
        header = next(csv.reader(io.StringIO(done.stdout)))
        self.assertEqual(names(records.Ranked), header)

    def test_a_gate_has_what_there_is(self):
        db = measured()[0]
        with self.assertRaises(presto.GateError) as caught:
            presto.recommend(db, min_throughput=10**12, progress=False)
        self.assertEqual(caught.exception.status, 3)
        self.assertIn("--min-throughput", str(caught.exception))
        conf = data.folder() / "gpu.conf"
        conf.write_text("[job]\nbatch = 8\n[GPU]\nthroughput = 8:1e15\n")
        with self.assertRaises(presto.GateError) as caught:
            presto.recommend(db, accelerators=conf, progress=False)
        needed = caught.exception.result.accelerators
        self.assertAlmostEqual(
            needed["required_samples_per_s"] / 1e15, 1, places=6
        )

    def test_weights_are_a_mapping(self):
        db = measured()[0]
        found = presto.recommend(
            db,
            weights={"prep": 1, "storage": 2, "throughput": 1},
            progress=False,
        )
        self.assertTrue(found.strategy)


class Mistakes(unittest.TestCase):
    """Errors have the program's text and its status."""

    def test_usage(self):
        for call in (
            lambda: presto.report(data.folder() / "none.db", progress=False),
            lambda: presto.report(measured()[0], 99, progress=False),
            lambda: presto.profile("nosuch.conf", progress=False),
            lambda: presto.profile("a.conf", sampels=3, progress=False),
        ):
            with self.assertRaises(presto.UsageError) as caught:
                call()
            self.assertIsInstance(caught.exception, presto.ProgramError)
            self.assertEqual(caught.exception.status, 2)
        self.assertIn("--samples", str(caught.exception))

    def test_options_that_print_are_refused(self):
        for name in ("json", "format", "output", "what"):
            with self.assertRaisesRegex(presto.UsageError, name):
                presto.report(measured()[0], **{name: "x"})
        with self.assertRaisesRegex(presto.UsageError, "dry_run"):
            presto.profile("a.conf", dry_run=True)

    def test_a_program_that_cannot_be_run(self):
        with mock.patch.dict(os.environ, PRESTO="/nowhere/presto"):
            with self.assertRaisesRegex(presto.Error, "/nowhere/presto"):
                presto.report()

    def test_progress_can_be_left_out(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            with self.assertRaises(presto.ProgramError):
                presto.report(data.folder() / "none.db", progress=False)
        self.assertEqual(said.getvalue(), "")

    def test_an_interrupt_ends_the_program_in_order(self):
        text = """
            import sys, presto
            print("measuring", flush=True)
            presto.profile(sys.argv[1], db=sys.argv[2], work_dir=sys.argv[3],
                           set={"measure.min_run_time": "1000s"})
        """
        work = data.folder() / "work"
        work.mkdir()
        started = subprocess.Popen(
            [
                *(sys.executable, "-c", textwrap.dedent(text)),
                *(data.folder() / "plain.conf", data.folder() / "x.db", work),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            started.stdout.readline()
            end = time.monotonic() + LONG
            while not any(work.iterdir()) and time.monotonic() < end:
                self.assertIsNone(started.poll(), "it has ended early")
                time.sleep(0.05)
            started.send_signal(signal.SIGINT)
            error = started.communicate(timeout=LONG)[1]
        finally:
            started.kill()
        self.assertIn("KeyboardInterrupt", error)
        self.assertEqual(list(work.iterdir()), [])


class Words(unittest.TestCase):
    """Keywords as options."""

    def test_options(self):
        options = {
            "max_disk": "1GB",
            "no_reuse": True,
            "keep": False,
            "name": None,
            "from_": "a.csv",
            "split": ["raw", "cropped"],
            "runs": 3,
            "weights": {"prep": 1, "storage": 0.5},
            "set": {"load.threads": [1, 2], "load.cache": "none"},
        }
        self.assertEqual(
            list(command.words(options)),
            [
                "--max-disk=1GB",
                "--no-reuse",
                "--from=a.csv",
                "--split=raw,cropped",
                "--runs=3",
                "--weights=prep=1,storage=0.5",
                "--set=load.threads=1,2",
                "--set=load.cache=none",
            ],
        )


class Tables(unittest.TestCase):
    """Rows and columns."""

    def setUp(self):
        objects = [
            {"strategy": "a", "threads": 1, "cache": "none", "level": "read",
             "samples": 5, "wall_s": 1, "new": 3},
            {"strategy": "b", "threads": 2, "cache": "none", "level": "all"},
        ]
        self.table = tables.Table.read(records.Level, objects)

    def test_rows_are_typed(self):
        first, second = self.table
        self.assertEqual((first.samples, first.wall_s), (5, 1.0))
        self.assertIsInstance(first.wall_s, float)
        self.assertIsNone(second.samples)
        self.assertEqual(self.table[1:][0], second)
        self.assertEqual(self.table[-1], second)
        self.assertIn("2 rows: Level", repr(self.table))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            first.samples = 6

    def test_columns(self):
        columns = self.table.columns()
        self.assertEqual(list(columns), names(records.Level))
        self.assertEqual(columns["samples"], [5, None])
        empty = tables.Table(records.Level).columns()
        self.assertEqual(empty["samples"], [])

    def test_a_missing_package_is_named(self):
        with mock.patch.dict(sys.modules, pandas=None, pyarrow=None):
            with self.assertRaisesRegex(ImportError, "needs pandas"):
                self.table.to_pandas()
            with self.assertRaisesRegex(ImportError, "needs pyarrow"):
                self.table.to_arrow()

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def test_pandas(self):
        frame = self.table.to_pandas()
        self.assertEqual(list(frame.columns), names(records.Level))
        self.assertEqual(frame["samples"].sum(), 5)
        self.assertEqual(str(frame["samples"].dtype), "Int64")
        report = measured()[1]
        self.assertEqual(len(report.to_pandas()), len(report.trials))

    @unittest.skipUnless(importlib.util.find_spec("pyarrow"), "needs pyarrow")
    def test_arrow(self):
        table = self.table.to_arrow()
        self.assertEqual(table.column_names, names(records.Level))
        self.assertEqual(table["samples"].null_count, 1)
        report = measured()[1]
        self.assertEqual(report.to_arrow().num_rows, len(report.trials))


def fastest(label):
    """Returns a copy of the results in which this strategy is the fastest."""
    db = data.folder() / "fastest.db"
    shutil.copy(measured()[0], db)
    with contextlib.closing(sqlite3.connect(db)) as results:
        results.execute("UPDATE run SET wall_ns = wall_ns * 1000")
        results.execute(
            "UPDATE run SET wall_ns = 1000 WHERE trial IN (SELECT trial.id "
            "FROM trial JOIN strategy ON strategy.id = strategy "
            "WHERE label = ?)", (label,),
        )
        results.commit()
    return db


class Plans(unittest.TestCase):
    """A recommendation that is kept in a file."""

    def test_a_plan_is_written_opened_and_verified(self):
        plan = data.folder() / "best.plan"
        presto.recommend(measured()[0], plan=plan, progress=False)
        batch = next(iter(presto.Loader(plan, batch_size=4)))
        self.assertEqual(batch["data"].shape, (4, data.CROP, data.CROP, 3))
        found = presto.verify(plan, budget="3s", progress=False)
        self.assertEqual(
            {row.strategy for row in found.trials},
            {"unprocessed", "cropped/npy/none"},
        )
        self.assertIn(found.verdict, ("wins", "as good", "beaten", "noise"))
        self.assertEqual(found.wins, found.verdict in ("wins", "as good"))
        self.assertEqual(
            [row.strategy for row in found.trials if row.role == "plan"],
            [found.strategy],
        )

    def test_a_plan_takes_other_data_where_settings_say_so(self):
        plan = data.folder() / "other.plan"
        presto.recommend(measured()[0], plan=plan, progress=False)
        fewer = data.folder() / "fewer"
        shutil.copytree(data.folder() / "images", fewer)
        next(path for path in fewer.rglob("*") if path.is_file()).unlink()
        loader = presto.Loader(
            plan, batch_size=4, settings={"dataset.path": fewer}
        )
        self.assertEqual(len(next(iter(loader))["data"]), 4)

    def test_a_plan_may_name_a_folder(self):
        home = data.folder()
        plan, named = home / "folder.plan", home / "named.plan"
        presto.recommend(
            fastest("cropped/npy/none"), plan=plan, progress=False,
        )
        text = plan.read_text()
        data.run("materialize", "--plan", plan, "--out", home / "of plan")
        named.write_text(text.replace("[plan]", "[plan]\ndata = of plan", 1))
        batch = next(iter(presto.Loader(named, batch_size=4)))
        self.assertEqual(batch["data"].shape, (4, data.CROP, data.CROP, 3))
        named.write_text(text.replace("[plan]", "[plan]\ndata = images", 1))
        with self.assertRaisesRegex(presto.Error, "images"):
            presto.Loader(named)

    def test_a_plan_is_a_file(self):
        with self.assertRaisesRegex(presto.UsageError, "name a file"):
            presto.recommend(measured()[0], plan="-")
        with self.assertRaisesRegex(presto.UsageError, "is no plan"):
            presto.verify(data.folder() / "plain.conf", progress=False)


if __name__ == "__main__":
    unittest.main()
