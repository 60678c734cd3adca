"""Where the program `presto` of this package is."""

import importlib.metadata
import os
import shutil

from presto._presto import Error


def _installed() -> str | None:
    """Returns the program that was installed with this package."""
    try:
        files = importlib.metadata.files("presto-data") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.name == "presto" and file.parent.name == "bin":
            path = os.path.normpath(os.fspath(file.locate()))
            if os.access(path, os.X_OK):
                return path
    return None


def path() -> str:
    """Returns its path: $PRESTO, the package's own, or that on the PATH."""
    found = os.environ.get("PRESTO") or _installed() or shutil.which("presto")
    if not found:
        raise Error(
            "there is no program `presto`: install presto-data, or set PRESTO"
        )
    return found
