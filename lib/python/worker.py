"""
worker.py - runs a function of the user's own for presto.

presto has this text in its program, and starts an interpreter with it for each
worker process (worker.h).  Arrays lie in two files in memory, which both
processes map: presto writes the inputs, this program the outputs.  Messages of
a few bytes go through stdin and stdout.  The layout of the files and of the
messages is that of worker.c.

Arguments: the target, the folder of the pipeline file, the flags, and the
options of the function as NAME=VALUE.
"""
from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib
import importlib.util
import inspect
import mmap
import os
import platform
import random
import select
import signal
import struct
import sys
from types import ModuleType
from typing import Any, Callable, NoReturn

# One worker runs for each thread of presto, so its libraries need no threads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

IN_FILE, OUT_FILE, LIFELINE, SCREEN = 3, 4, 5, 6

SLOT, HEAD = 128, 8192  # bytes of a record, and of all records of a file
RECORD = struct.Struct("<II8qQQ")  # dtype, rank, dims, offset, bytes
FORM = struct.Struct("<I")  # behind the record
DRAW = struct.Struct("<QQ")
DRAW_AT = 96
DIMS = 8

REQUEST = struct.Struct("<QQQ")  # samples, bytes of either file
REPLY = struct.Struct("<IIQ")  # kind, samples, bytes
DONE, ROOM, READY, REFUSED = 1, 2, 3, 4
ARRAY, BYTES, TEXT, FAILURE = 0, 1, 2, 3

DTYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64",
          "int64", "float16", "float32", "float64"]
VIEWS_MOST = 1024  # views that are kept for the next call
WORDS_MOST = 900  # bytes of a message
LIBRARIES = ("site-packages", "dist-packages")


class Refusal(Exception):
    """The step cannot run, for a reason that is told in the user's words."""


class Channel:
    """The messages from presto and to it."""

    def __init__(self, screen: bool) -> None:
        nothing = os.open(os.devnull, os.O_RDWR)
        self.requests, self.replies = os.dup(0), os.dup(1)
        os.dup2(nothing, 0)
        os.dup2(SCREEN if screen else nothing, 1)
        if screen:
            os.dup2(SCREEN, 2)
        os.close(nothing)
        for file in (IN_FILE, OUT_FILE, LIFELINE, SCREEN):
            os.set_inheritable(file, False)

    def receive(self) -> tuple[int, int, int]:
        """Waits for a request; ends the process when presto has ended."""
        message = os.read(self.requests, REQUEST.size)
        if len(message) != REQUEST.size:
            os._exit(0)
        return REQUEST.unpack(message)

    def send(self, kind: int, count: int = 0, size: int = 0) -> None:
        os.write(self.replies, REPLY.pack(kind, count, size))


class Memory:
    """A file in memory that both processes map."""

    def __init__(self, file: int) -> None:
        self.file = file
        self.views: dict[Any, Any] = {}
        self.resize(os.fstat(file).st_size)

    def resize(self, size: int) -> None:
        self.views.clear()
        self.map = mmap.mmap(self.file, size)
        self.size = size

    def remember(self, key: Any, view: Any) -> Any:
        if len(self.views) >= VIEWS_MOST:
            self.views.clear()
        self.views[key] = view
        return view

    def write_text(self, text: str) -> int:
        """Writes a text behind the records; returns its bytes."""
        data = text.encode("utf-8", "replace")[:self.size - HEAD]
        self.map[HEAD:HEAD + len(data)] = data
        return len(data)


def end_with_presto() -> None:
    """
    Asks the kernel for SIGKILL when presto's end of this pipe is closed, which
    nothing is ever written to: so the process ends with presto, even while
    the function runs.
    """
    fcntl.fcntl(LIFELINE, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(LIFELINE, getattr(fcntl, "F_SETSIG", 10), signal.SIGKILL)
    flags = fcntl.fcntl(LIFELINE, fcntl.F_GETFL)
    fcntl.fcntl(LIFELINE, fcntl.F_SETFL, flags | fcntl.FASYNC)
    poll = select.poll()
    poll.register(LIFELINE, 0)
    if poll.poll(0):
        os._exit(0)


# ---- the user's code ----

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


class Generator:
    """A numpy generator that is set to a draw of presto's."""

    def __init__(self) -> None:
        self.bits = np.random.Philox(0)
        self.state = self.bits.state
        self.random = np.random.Generator(self.bits)

    def seed(self, low: int, high: int) -> None:
        self.state["state"]["key"][:] = low, high
        self.bits.state = self.state


def seed_all(low: int, high: int) -> None:
    """Seeds the generators that functions without rng may draw from."""
    random.seed(low)
    np.random.seed([low & 0xffffffff, low >> 32, high & 0xffffffff])
    torch = sys.modules.get("torch")
    if torch:
        torch.manual_seed(low >> 1)


class Function:
    """The user's function with its options, as it is called for a sample."""

    def __init__(self, call: Callable[..., Any], words: dict[str, str],
                 draws: bool) -> None:
        options: dict[str, Any] = dict(words)
        if inspect.isclass(call):
            check_options(call, 0, options)
            call = call(**options)
            options = {}
            if not callable(call):
                raise Refusal("an object of this class cannot be called")
        signature = signature_of(call)
        parameters = signature.parameters if signature else {}
        first = next(iter(parameters.values()), None)
        self.takes_rng = "rng" in parameters
        self.seed = seed_all if draws else None
        if self.takes_rng:
            generator = Generator()
            options["rng"] = generator.random
            self.seed = generator.seed
        check_options(call, 1, options)
        self.call = functools.partial(call, **options) if options else call
        if first and first.annotation in (bytes, "bytes"):
            self.call = self.with_bytes(self.call)
        elif first and first.annotation in (str, "str"):
            self.call = self.with_text(self.call)

    @staticmethod
    def with_bytes(call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda array: call(array.tobytes())

    @staticmethod
    def with_text(call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda array: call(array.tobytes().decode())


def tell(module: ModuleType, folders: Folders, function: Function) -> str:
    """Identifies the code that was imported, in lines for worker.c."""
    target = os.path.realpath(module.__file__ or "")
    lines = ["file " + target] if os.path.isfile(target) else []
    lines.append("python " + platform.python_version())
    lines.append("numpy " + np.__version__)
    digest = hashlib.blake2b(digest_size=8)
    count = 0
    for name, other in sorted(sys.modules.items()):
        path = getattr(other, "__file__", None)
        version = getattr(other, "__dict__", {}).get("__version__")
        folder = folders.find(path)
        if folder:
            if os.path.realpath(path) == target:
                continue
            with open(path, "rb") as file:
                text = file.read()
            digest.update(os.path.relpath(path, folder).encode() + b"\0")
            digest.update(hashlib.blake2b(text).digest())
        elif (isinstance(version, str) and "." not in name and name != "numpy"
              and path and any(part in path for part in LIBRARIES)):
            digest.update(f"{name} {version}\0".encode())
        else:
            continue
        count += 1
    if count:
        lines.append("imports " + digest.hexdigest())
    if function.takes_rng:
        lines.append("draws yes")
    return "".join(line + "\n" for line in lines)


# ---- samples ----

def take(memory: Memory, slot: int) -> np.ndarray:
    """Returns the input in a slot: a view, which the caller may change."""
    head = memory.map[slot * SLOT:slot * SLOT + RECORD.size]
    view = memory.views.get(head)
    if view is None:
        dtype, rank, *rest = RECORD.unpack(head)
        view = memory.remember(head, np.ndarray(
            rest[:rank], DTYPES[dtype], memory.map, rest[DIMS]))
    return view[...]


def array_of(result: Any) -> tuple[np.ndarray, int]:
    """Turns what the function returned into an array that presto has."""
    form = ARRAY
    if isinstance(result, str):
        result, form = result.encode(), TEXT
    if isinstance(result, (bytes, bytearray, memoryview)):
        return np.frombuffer(result, np.uint8), form or BYTES
    array = np.asarray(result)
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
    if array.dtype.name not in DTYPES:
        what = (f"an array of {array.dtype}" if isinstance(result, np.ndarray)
                else type(result).__name__)
        raise TypeError(f"the function returned {what}: presto takes arrays "
                        "of integers and floats, bytes and str")
    if array.ndim > DIMS:
        raise TypeError(f"the function returned an array of {array.ndim} "
                        f"dimensions: presto takes up to {DIMS}")
    return array, form


class Results:
    """Writes outputs one behind the other."""

    def __init__(self, memory: Memory, channel: Channel) -> None:
        self.memory = memory
        self.channel = channel
        self.at = HEAD

    def make_room(self, size: int) -> None:
        """Has presto enlarge the file, which keeps its contents."""
        if self.at + size <= self.memory.size:
            return
        self.channel.send(ROOM, 0, self.at + size)
        _, _, grown = self.channel.receive()
        self.memory.resize(grown)

    def put(self, slot: int, result: Any) -> None:
        """Copies a result; its view is kept for a next one of this type."""
        if type(result) is np.ndarray:
            found = self.memory.views.get(
                (result.dtype, result.shape, self.at))
            if found:
                found[0][...] = result
                self.finish(slot, found[1], ARRAY, result.nbytes)
                return
        array, form = array_of(result)
        self.make_room(array.nbytes)
        dtype = DTYPES.index(array.dtype.name)
        view = np.ndarray(
            array.shape, DTYPES[dtype], self.memory.map, self.at)
        view[...] = array
        head = RECORD.pack(dtype, array.ndim, *array.shape,
                           *[0] * (DIMS - array.ndim), self.at, array.nbytes)
        if form == ARRAY:
            self.memory.remember(
                (array.dtype, array.shape, self.at), (view, head))
        self.finish(slot, head, form, array.nbytes)

    def put_failure(self, slot: int, words: str) -> None:
        data = words.encode()
        self.make_room(len(data))
        self.memory.map[self.at:self.at + len(data)] = data
        head = RECORD.pack(0, 1, len(data), *[0] * (DIMS - 1), self.at,
                           len(data))
        self.finish(slot, head, FAILURE, len(data))

    def finish(self, slot: int, head: bytes, form: int, size: int) -> None:
        start = slot * SLOT
        self.memory.map[start:start + len(head) + 4] = head + FORM.pack(form)
        self.at += (size + 63) & ~63


def serve(function: Function, folders: Folders, channel: Channel,
          inputs: Memory, outputs: Memory) -> NoReturn:
    """Answers calls until presto ends."""
    while True:
        count, in_size, out_size = channel.receive()
        if in_size != inputs.size:
            inputs.resize(in_size)
        if out_size != outputs.size:
            outputs.resize(out_size)
        results = Results(outputs, channel)
        for slot in range(count):
            try:
                if function.seed:
                    function.seed(*DRAW.unpack_from(
                        inputs.map, slot * SLOT + DRAW_AT))
                results.put(slot, function.call(take(inputs, slot)))
            except BaseException as error:  # also what sys.exit raises
                results.put_failure(slot, words_of(error, folders))
        channel.send(DONE, count)


def main(target: str, folder: str, flags: str, *words: str) -> None:
    channel = Channel("screen" in flags)
    end_with_presto()
    inputs, outputs = Memory(IN_FILE), Memory(OUT_FILE)
    sys.path[:] = [path for path in sys.path if path]
    folders = Folders(folder)
    place, _, name = target.rpartition(":")
    options = dict(word.split("=", 1) for word in words)
    try:
        if np is None:
            raise Refusal(f"{sys.executable or 'this python'} has no numpy: "
                          "install it, or name another interpreter in "
                          "section [python]")
        if place.endswith(".py"):
            path = os.path.join(folder, place)
            folders.add(os.path.dirname(path))
            module = import_file(path)
        else:
            module = import_module(place, folder)
            top = getattr(sys.modules[place.split(".")[0]], "__file__", None)
            if top and "." in place:
                folders.add(os.path.dirname(top))
        function = Function(find(module, place, name), options,
                            "draws" in flags)
        text = tell(module, folders, function)
    except Refusal as refusal:
        channel.send(REFUSED, 0, outputs.write_text(str(refusal)))
        return
    except BaseException as error:  # the user's module may raise anything
        words_said = words_of(error, folders)
        channel.send(REFUSED, 0, outputs.write_text(words_said))
        return
    channel.send(READY, 0, outputs.write_text(text))
    serve(function, folders, channel, inputs, outputs)


try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

if __name__ == "__main__":
    main(*sys.argv[1:])
