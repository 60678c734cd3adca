"""The types that the package declares, checked by mypy where it is."""

import importlib.util
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import presto

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def mypy():
    """Returns the command, or None."""
    if importlib.util.find_spec("mypy"):
        return [sys.executable, "-m", "mypy"]
    program = shutil.which("mypy")
    return [program] if program else None


@unittest.skipUnless(mypy(), "no mypy")
class Types(unittest.TestCase):
    """One run of mypy for all."""

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as cache:
            done = subprocess.run(
                [*mypy(), "--strict", "--cache-dir", cache,
                 "--config-file", ROOT / "pyproject.toml",
                 ROOT / "python" / "presto", "typed.py", "wrong.py"],
                cwd=HERE, capture_output=True, text=True)
        cls.output = done.stdout + done.stderr
        cls.errors = re.findall(r"^(\S+?):(\d+): error", done.stdout, re.M)

    def test_the_package_and_a_typed_program_have_no_mistake(self):
        others = [name for name, _ in self.errors
                  if not name.endswith("wrong.py")]
        self.assertEqual(others, [], self.output)

    def test_each_mistake_is_found(self):
        lines = (HERE / "wrong.py").read_text().splitlines()
        wanted = [n + 1 for n, line in enumerate(lines) if "  # " in line]
        found = [int(n) for name, n in self.errors
                 if name.endswith("wrong.py")]
        self.assertEqual(found, wanted, self.output)


class Names(unittest.TestCase):
    """What the package promises to have."""

    def test_every_public_name_is_there(self):
        for name in set(presto.__all__) - {"torch", "jax", "ray", "tf"}:
            self.assertTrue(hasattr(presto, name), name)
        self.assertLessEqual(set(presto.__all__), set(dir(presto)))
        with self.assertRaises(AttributeError):
            presto.Lodaer

    def test_the_package_is_marked_as_typed(self):
        there = pathlib.Path(presto.__file__).parent
        self.assertTrue((there / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
