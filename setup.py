"""Builds the wheel: the module presto, its extension, and the program presto.

The Makefile builds the extension and the program; this only packs them.
$PRESTO_MAKE has arguments for make in place of the ones below, such as
"BUILD=build" for what is there already, or "WITHOUT=" for all libraries.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

try:
    from setuptools.command.build_scripts import build_scripts
except ImportError:  # before setuptools 71
    from distutils.command.build_scripts import build_scripts

ROOT = pathlib.Path(__file__).resolve().parent
SCRATCH = "build/python"  # setuptools' own files

# Libraries that only sources of other people's formats need stay out of the
# wheel: they would bring along most of its size.
MAKE = "BUILD=build/wheel DEBUG= WITHOUT='libarchive libhdf5 libxml2'"


def version():
    """Returns the version that the Makefile has."""
    text = (ROOT / "Makefile").read_text()
    return re.search(r"^VERSION := (\S+)", text, re.M)[1]


def arguments():
    """Returns the arguments of make, and the build folder that they name."""
    given = shlex.split(os.environ.get("PRESTO_MAKE", MAKE))
    folder = next((a[6:] for a in given if a.startswith("BUILD=")), "build")
    return given, folder


def make(target):
    """Makes a file in the build folder, and returns its path."""
    given, folder = arguments()
    target = f"{folder}/{target}"
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
            f"PYTHON={sys.executable}",
            *compiler,
            *given,
            target,
        ],
        cwd=ROOT,
        env=environment,
        check=True,
    )
    return ROOT / target


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
(ROOT / SCRATCH).mkdir(parents=True, exist_ok=True)
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
    scripts=["build/wheel/presto"],  # BuildScripts makes and finds it
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
        "build": {"build_base": SCRATCH},
        "egg_info": {"egg_base": SCRATCH},
    },
)
