"""The wheel: what pip installs, packed from what is built already."""

import importlib.util
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("PRESTO_BUILT", "build")


def can_build():
    """Are setuptools and wheel there?"""
    return all(map(importlib.util.find_spec, ("setuptools", "wheel")))


@unittest.skipUnless(can_build(), "no setuptools and wheel")
class Wheel(unittest.TestCase):
    """One wheel for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="presto-wheel-"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch)
        environment = {**os.environ, "PRESTO_BUILT": BUILD}
        done = subprocess.run(
            [sys.executable, "setup.py", "-q", "bdist_wheel",
             "--dist-dir", cls.scratch],
            cwd=ROOT, env=environment, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        (cls.wheel,) = cls.scratch.glob("*.whl")
        cls.there = cls.scratch / "there"
        with zipfile.ZipFile(cls.wheel) as file:
            cls.members = file.infolist()
            file.extractall(cls.there)

    def find(self, pattern):
        """Returns the only file of the wheel that matches."""
        (path,) = self.there.glob(pattern)
        return path

    def test_it_is_for_the_stable_abi(self):
        self.assertRegex(self.wheel.name,
                         r"^presto_data-[\d.]+-cp311-abi3-linux_\w+\.whl$")

    def test_it_has_the_types_and_no_sources(self):
        names = {member.filename for member in self.members}
        self.assertLessEqual(
            {"presto/__init__.py", "presto/py.typed", "presto/_presto.pyi",
             "presto/_presto.abi3.so"}, names)
        self.assertFalse([name for name in names if name.endswith(".c")])

    def test_the_program_can_be_run(self):
        (program,) = (member for member in self.members
                      if member.filename.endswith(".data/scripts/presto"))
        self.assertTrue(program.external_attr >> 16 & stat.S_IXUSR)
        path = self.there / program.filename
        path.chmod(0o755)
        listed = subprocess.run([path, "list", "steps"], check=True,
                                capture_output=True, text=True).stdout
        self.assertIn("jpeg_decode", listed)

    def test_the_extension_exports_its_beginning_alone(self):
        shown = subprocess.run(
            ["nm", "-D", "--defined-only", self.find("presto/*.so")],
            check=True, capture_output=True, text=True).stdout
        names = [line.split()[-1] for line in shown.splitlines()]
        self.assertEqual(names, ["PyInit__presto"])

    def test_no_library_is_missing(self):
        for path in (self.find("presto/*.so"), self.find("*/scripts/presto")):
            path.chmod(0o755)
            shown = subprocess.run(["ldd", path], check=True,
                                   capture_output=True, text=True).stdout
            self.assertNotIn("not found", shown)

    def test_it_can_be_imported_where_it_is(self):
        program = "import presto; print(presto.__file__, presto.__version__)"
        shown = subprocess.run(
            [sys.executable, "-c", program], check=True, text=True,
            capture_output=True, cwd=self.scratch,
            env={**os.environ, "PYTHONPATH": str(self.there)}).stdout
        where, version = shown.split()
        self.assertTrue(where.startswith(str(self.there)), where)
        makefile = (ROOT / "Makefile").read_text()
        self.assertEqual(
            version, re.search(r"VERSION := (\S+)", makefile)[1])


class Without(unittest.TestCase):
    """Libraries that a build leaves out."""

    def test_sources_without_their_library_are_known(self):
        def libraries(*words):
            return subprocess.run(
                ["scripts/libraries", *words], cwd=ROOT, check=True,
                capture_output=True, text=True).stdout.splitlines()

        found = libraries("optional", "libarchive", "libhdf5")
        self.assertLessEqual({"flac", "sndfile"}, set(found))
        self.assertFalse({"libarchive", "hdf5"} & set(found))
        missing = libraries("missing", "datasets", *found)
        self.assertEqual(missing, ["MISSING(npz, libarchive)",
                                   "MISSING(tar, libarchive)",
                                   "MISSING(hdf5, libhdf5)"])
        self.assertIn("datasets/archives/archive.c",
                      libraries("left-out", *found))

    def test_a_library_that_is_not_known_is_refused(self):
        done = subprocess.run(
            ["make", "WITHOUT=libnothing zlib", "help"], cwd=ROOT,
            capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no optional library libnothing zlib", done.stderr)


if __name__ == "__main__":
    unittest.main()
