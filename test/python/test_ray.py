"""presto.ray: parts as tasks, by Ray where it is installed, else by a fake."""

import contextlib
import importlib
import importlib.util
import io
import os
import pathlib
import pickle
import sys
import tempfile
import types
import unittest
from unittest import mock

import data
import presto
from presto import command

HAS_RAY = importlib.util.find_spec("ray") is not None
HOW = {"strategy": "cropped/tar/none", "shuffle": 7}


class Task:
    """A task that is run when its result is asked for."""

    def __init__(self, function, retries, words):
        self.function, self.retries, self.words = function, retries, words


class Fake(types.ModuleType):
    """Ray on one machine, one task after the other."""

    def __init__(self):
        super().__init__("ray")
        self.started, self.cancelled, self.asked = False, [], {}

    def is_initialized(self):
        return self.started

    def init(self):
        self.started = True

    def nodes(self):
        return [
            {"Alive": True, "Resources": {"CPU": 1.0}},
            {"Alive": False, "Resources": {"CPU": 4.0}},
        ]

    def remote(self, **asked):
        self.asked = asked

        def wrap(function):
            return types.SimpleNamespace(
                remote=lambda words: Task(
                    function, asked["max_retries"], words
                )
            )

        return wrap

    def wait(self, tasks, num_returns):
        return tasks[:num_returns], tasks[num_returns:]

    def get(self, task):
        kinds = tuple(self.asked["retry_exceptions"])
        for left in reversed(range(task.retries + 1)):
            try:
                return task.function(task.words)
            except kinds as error:
                if not left:
                    raise pickle.loads(pickle.dumps(error)) from None
        return None

    def cancel(self, task):
        self.cancelled.append(task)


@contextlib.contextmanager
def fake():
    """Lets presto.ray find the fake in place of Ray."""
    with mock.patch.dict(sys.modules, {"ray": Fake()}):
        sys.modules.pop("presto.ray", None)
        yield importlib.import_module("presto.ray")
    sys.modules.pop("presto.ray", None)


def contents(folder):
    return {
        path.name: path.read_bytes()
        for path in pathlib.Path(folder).iterdir()
    }


class Parts(unittest.TestCase):
    """A dataset that is written by tasks."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = os.path.join(folder.name, "out")
        self.whole = os.path.join(folder.name, "whole")
        self.conf = data.folder() / "plain.conf"

    def one_process(self):
        data.run(
            "materialize", self.conf, "--strategy", HOW["strategy"],
            "--shuffle", HOW["shuffle"], "--out", self.whole,
        )
        return contents(self.whole)

    def test_parts_give_the_files_of_one_process(self):
        said = io.StringIO()
        with fake() as ray, contextlib.redirect_stderr(said):
            made = ray.materialize(
                self.conf, out=self.out, parts=3, threads=1, **HOW
            )
        self.assertEqual(contents(self.out), self.one_process())
        self.assertEqual(len(made.parts), 3)
        self.assertIn("part 2/3", made.parts[2])
        self.assertIn("complete", made.folder)
        self.assertIn("3 of 3 parts are complete", said.getvalue())

    def test_warnings_of_the_parts_are_shown(self):
        def warning(words, progress):
            return command.Done(
                0, b"it is complete\n", "", ("presto: warning: two skipped",)
            )

        said = io.StringIO()
        with fake() as ray, mock.patch.object(command, "run", warning), \
                contextlib.redirect_stderr(said):
            made = ray.materialize(
                self.conf, out=self.out, parts=1, progress=False, **HOW
            )
        self.assertEqual(made.parts, ["it is complete"])
        self.assertIn("warning: two skipped", said.getvalue())

    def test_a_failure_is_tried_again(self):
        run, left = command.run, [2]

        def failing(words, progress):
            if left[0]:
                left[0] -= 1
                return command.Done(1, b"", "the storage went away")
            return run(words, progress)

        with fake() as ray, mock.patch.object(command, "run", failing):
            ray.materialize(
                self.conf, out=self.out, parts=2, progress=False, **HOW
            )
        self.assertEqual(contents(self.out), self.one_process())

    def test_a_failure_that_stays_is_the_programs(self):
        def failing(words, progress):
            return command.Done(1, b"", "the storage went away")

        with fake() as ray, mock.patch.object(command, "run", failing):
            with self.assertRaisesRegex(presto.ProgramError, "went away"):
                ray.materialize(self.conf, out=self.out, parts=2, **HOW)

    def test_a_mistake_is_not_tried_again(self):
        with fake() as ray, contextlib.redirect_stderr(io.StringIO()):
            with self.assertRaisesRegex(presto.UsageError, "nonsense"):
                ray.materialize(
                    self.conf, out=self.out, strategy="nonsense", parts=1
                )
            with self.assertRaisesRegex(presto.UsageError, "part"):
                ray.materialize(self.conf, out=self.out, part="0/2")
            with self.assertRaisesRegex(presto.UsageError, "1 or more"):
                ray.materialize(self.conf, out=self.out, parts=0)

    @unittest.skipUnless(HAS_RAY, "there is no ray")
    def test_ray_runs_the_parts(self):
        import ray

        path = os.pathsep.join(sys.path)
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            runtime_env={"env_vars": {"PYTHONPATH": path}},
        )
        try:
            made = presto.ray.materialize(
                self.conf, out=self.out, parts=4, threads=1, **HOW
            )
        finally:
            ray.shutdown()
        self.assertEqual(contents(self.out), self.one_process())
        self.assertEqual(len(made.parts), 4)


if __name__ == "__main__":
    unittest.main()
