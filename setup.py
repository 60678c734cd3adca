"""Builds the wheel: the module presto, its extension, and the program presto.

The Makefile builds the extension and the program; this only packs them.
$PRESTO_MAKE has more arguments for make, such as "WITHOUT=" for all libraries;
$PRESTO_BUILT names a folder where make has built both already.
"""

import atexit
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

from distutils.command.build_scripts import build_scripts  # of setuptools

ROOT = pathlib.Path(__file__).resolve().parent

# Libraries that only sources of other people's formats need stay out of the
# wheel: they would bring along most of its size.
WITHOUT = "WITHOUT=libarchive libhdf5 libxml2"
BUILD = "build/wheel"


def version():
    """Returns the version that the Makefile has."""
    text = (ROOT / "Makefile").read_text()
    return re.search(r"^VERSION := (\S+)", text, re.M)[1]


def make(target):
    """Makes a file, and returns its path."""
    built = os.environ.get("PRESTO_BUILT")
    if built:
        return ROOT / built / target
    environment = dict(os.environ)
    # The descriptors of another make's job server are not passed on to here.
    flags = environment.pop("MAKEFLAGS", "")
    jobs = re.search(r"(?:^|\s)-j\s*(\d+)", flags)
    compiler = [f"CC={environment['CC']}"] if environment.get("CC") else []
    subprocess.run(
        [
            "make",
            "--no-print-directory",
            f"-j{jobs[1] if jobs else len(os.sched_getaffinity(0))}",
            f"BUILD={BUILD}",
            "DEBUG=",
            WITHOUT,
            f"PYTHON={sys.executable}",
            *compiler,
            *shlex.split(environment.get("PRESTO_MAKE", "")),
            f"{BUILD}/{target}",
        ],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    return ROOT / BUILD / target


class BuildExtension(build_ext):
    """The extension, by make."""

    def build_extension(self, ext):
        made = make("python/presto/_presto.abi3.so")
        to = pathlib.Path(self.get_ext_fullpath(ext.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, to)
        subprocess.run(["strip", "--strip-unneeded", to], check=True)


class BuildScripts(build_scripts):
    """The program, by make, beside the scripts of the environment."""

    def get_source_files(self):
        return []  # of a source distribution

    def run(self):
        self.mkpath(self.build_dir)
        to = os.path.join(self.build_dir, "presto")
        shutil.copyfile(make("presto"), to)
        os.chmod(to, 0o755)
        subprocess.run(["strip", to], check=True)


os.chdir(ROOT)
os.makedirs("build", exist_ok=True)
# Files of setuptools itself: no other call of this program meets them.
scratch = tempfile.mkdtemp(prefix="setuptools-", dir="build")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
setup(
    name="presto-data",
    version=version(),
    description="Find the best way to store a dataset for training; load it",
    long_description=(ROOT / "README.md").read_text(),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=find_packages("python", include=["presto", "presto.*"]),
    package_dir={"": "python"},
    package_data={"presto": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("presto._presto", [], py_limited_api=True)],
    scripts=[f"{BUILD}/presto"],  # BuildScripts makes and finds it
    extras_require={
        "numpy": ["numpy>=1.23"],
        "torch": ["numpy>=1.23", "torch"],
    },
    cmdclass={
        "build_ext": BuildExtension,
        "build_scripts": BuildScripts,
    },
    options={
        "bdist_wheel": {"py_limited_api": "cp311"},
        "build": {"build_base": scratch},
        "egg_info": {"egg_base": scratch},
    },
)
