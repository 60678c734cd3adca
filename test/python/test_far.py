"""A loader of a folder that lies in an object store."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import data
import presto
from presto import program
from test_loader import rows

SERVER = pathlib.Path(__file__).parent.parent / "far" / "s3_server.py"


class Far(unittest.TestCase):
    """The batches of a far folder are those of a near one."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        bucket = pathlib.Path(scratch.name) / "bucket"
        for where in ("npy", "tar"):
            shutil.copytree(data.folder() / where, bucket / where)
        server = subprocess.Popen(
            [sys.executable, SERVER, scratch.name],
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.enterContext(
            mock.patch.dict(
                os.environ,
                {
                    "AWS_ENDPOINT_URL": server.stdout.readline().strip(),
                    "AWS_ACCESS_KEY_ID": "tester",
                    "AWS_SECRET_ACCESS_KEY": "word-of-the-test",
                    "AWS_REGION": "us-east-1",
                    "AWS_EC2_METADATA_DISABLED": "true",
                },
            )
        )

    def test_each_batch_is_that_of_the_folder(self):
        for where in ("npy", "tar"):
            with self.subTest(where):
                far = presto.Loader(
                    f"s3://bucket/{where}", 8, shuffle=True, seed=3
                )
                near = presto.Loader(
                    data.folder() / where, 8, shuffle=True, seed=3
                )
                self.assertEqual(far.path, f"s3://bucket/{where}")
                self.assertEqual(rows(far), rows(near))

    def test_the_state_of_a_loader_keeps_the_url(self):
        loader = presto.Loader("s3://bucket/tar", 8)
        batches = iter(loader)
        next(batches)
        again = presto.Loader("s3://bucket/tar", 8)
        again.load_state_dict(loader.state_dict())
        self.assertEqual(rows(again), rows(batches))

    def test_a_worker_keeps_what_it_has_read(self):
        with tempfile.TemporaryDirectory() as kept:
            with subprocess.Popen(
                [program.path(), "serve", "s3://bucket/tar", "--until-eof",
                 "--socket", f"{kept}/socket"],
                env={**os.environ, "PRESTO_CACHE": f"{kept} size=100MB"},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True,
            ) as worker:
                far = presto.Loader(worker.stdout.readline().strip(), 8)
                near = presto.Loader(data.folder() / "tar", 8)
                self.assertEqual(rows(far), rows(near))
            self.assertTrue(
                list(pathlib.Path(kept, "presto-cache").rglob("*-*-*")))

    def test_a_missing_folder_is_named(self):
        with self.assertRaisesRegex(presto.Error, "s3://bucket/nothing"):
            presto.Loader("s3://bucket/nothing", 8)


if __name__ == "__main__":
    unittest.main()
