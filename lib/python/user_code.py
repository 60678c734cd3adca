"""
user_code.py - how presto's programs in Python come by code of the user's.

presto has this text in its program, and makes a module of it for worker.py and
for the program that runs a loader of the user's own (program.h).
"""
from __future__ import annotations

import fcntl
import importlib
import importlib.util
import inspect
import os
import select
import signal
import sys
from types import ModuleType
from typing import Any, Callable

WORDS_MOST = 900  # bytes of a message
LIBRARIES = ("site-packages", "dist-packages")


class Refusal(Exception):
    """The step cannot run, for a reason that is told in the user's words."""


def end_with_presto(lifeline: int) -> None:
    """
    Asks the kernel to kill this process group when presto's end of a pipe is
    closed, which nothing is ever written to: so it ends with presto, even
    while the user's code runs.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, getattr(fcntl, "F_SETSIG", 10), signal.SIGKILL)
    flags = fcntl.fcntl(lifeline, fcntl.F_GETFL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, flags | fcntl.FASYNC)
    poll = select.poll()
    poll.register(lifeline, 0)
    if poll.poll(0):
        os._exit(0)


# ---- where it is ----

class Folders:
    """Where the user's own modules lie, as opposed to installed ones."""

    def __init__(self, folder: str) -> None:
        self.list = [os.path.join(os.path.realpath(folder), "")]

    def add(self, folder: str) -> None:
        self.list.append(os.path.join(os.path.realpath(folder), ""))

    def find(self, path: str | None) -> str | None:
        """Returns the folder that the user's file lies below."""
        if not path or not os.path.isabs(path):
            return None
        path = os.path.realpath(path)
        if any(part in LIBRARIES for part in path.split(os.sep)):
            return None
        for folder in self.list:
            inner = [sys.prefix] if sys.prefix.startswith(folder) else []
            if path.startswith(folder) and not any(
                    path.startswith(prefix) for prefix in inner):
                return folder
        return None


def words_of(error: BaseException, folders: Folders) -> str:
    """Says which line of the user's failed, and the exception's words."""
    name = type(error).__name__
    said = " ".join(str(error).split())
    text = f"{name}: {said}" if said else name
    where = None
    trace = error.__traceback__
    while trace:
        file = trace.tb_frame.f_code.co_filename
        if folders.find(file):
            where = file, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        where = error.filename, error.lineno or 0
        text = f"{name}: {error.msg}"
    if where:
        text = f"{os.path.basename(where[0])}:{where[1]}: {text}"
    return text.encode("utf-8", "replace")[:WORDS_MOST].decode(
        "utf-8", "ignore")


def import_file(path: str) -> ModuleType:
    """Imports a file, in whose folder its own imports are found."""
    if not os.path.isfile(path):
        raise Refusal(f"there is no file {path}")
    sys.path.insert(0, os.path.dirname(path))
    name = os.path.splitext(os.path.basename(path))[0]
    known = getattr(sys, "stdlib_module_names", frozenset())
    if name in sys.modules or name in known:
        name = "presto_step_" + name
    spec = importlib.util.spec_from_file_location(name, path)
    if not spec or not spec.loader:
        raise Refusal(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def import_module(place: str, folder: str) -> ModuleType:
    sys.path.insert(0, folder)
    return importlib.import_module(place)


def find(module: ModuleType, place: str, name: str) -> Callable[..., Any]:
    """Finds a function, a class or an object that can be called."""
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            raise Refusal(f"{place} has no '{name}'")
        found = getattr(found, part)
    if not callable(found):
        raise Refusal(f"'{name}' of {place} is no function")
    return found


def signature_of(call: Callable[..., Any]) -> inspect.Signature | None:
    """Returns None for a function of an extension that does not tell."""
    try:
        return inspect.signature(call)
    except (TypeError, ValueError):
        return None


def check_options(call: Callable[..., Any], args: int,
                  options: dict[str, Any]) -> None:
    """Refuses options that the function does not take."""
    signature = signature_of(call)
    try:
        if signature:
            signature.bind(*[None] * args, **options)
    except TypeError as error:
        raise Refusal(str(error)) from None
