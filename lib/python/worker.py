"""
worker.py - runs a function of the user's own for presto.

presto has this text in its program, and starts an interpreter with it for each
worker process (worker.h, program.h).  Arrays lie in two files in memory, which
both processes map: presto writes the inputs, this program the outputs.
Messages of a few bytes go through stdin and stdout.  The layout of the files
and of the messages is that of worker.c.

Arguments: the target, the folder of the pipeline file, the flags, and the
options of the function as NAME=VALUE.
"""
from __future__ import annotations

import functools
import hashlib
import inspect
import mmap
import os
import random
import struct
import sys
from types import ModuleType
from typing import Any, Callable, NoReturn

from user_code import (Folders, LIBRARIES, Refusal, check_options,
                       end_with_presto, find, import_file, import_module,
                       signature_of, words_of)

# One worker runs for each thread of presto, so its libraries need no threads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

IN_FILE, OUT_FILE, LIFELINE, SCREEN = 3, 4, 5, 6

SLOT, HEAD = 128, 8192  # bytes of a record, and of all records of a file
RECORD = struct.Struct("<II8qQQ")  # dtype, rank, dims, offset, bytes
FORM = struct.Struct("<I")  # behind the record
REST = SLOT - RECORD.size - FORM.size
DRAW = struct.Struct("<QQ")
DRAW_AT = 96
DIMS = 8

REQUEST = struct.Struct("<QQQ")  # samples, bytes of either file
REPLY = struct.Struct("<IIQ")  # kind, samples, bytes
DONE, ROOM, READY, REFUSED = 1, 2, 3, 4
ARRAY, BYTES, TEXT, IN_PLACE, FAILURE, NONE, BEGUN = 0, 1, 2, 3, 4, 5, 6

DTYPES = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64",
          "int64", "float16", "float32", "float64"]
ALIGN = 64  # bytes
VIEWS_MOST = 1024  # views that are kept for the next call


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


def address_of(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


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
        if np is not None:
            self.address = address_of(np.frombuffer(self.map, np.uint8))

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


# ---- the function ----

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
    """The user's function with its options, as it is called."""

    def __init__(self, call: Callable[..., Any], words: dict[str, str],
                 draws: bool, stacks: bool) -> None:
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
        form = first.annotation if first else None
        self.takes_rng = "rng" in parameters
        self.stacks = stacks
        self.seed = seed_all if draws else None
        self.generators: list[Generator] = []
        if stacks:
            self.check_stacking(form, draws)
        if self.takes_rng:
            generator = self.add_generator()
            options["rng"] = generator.random
            self.seed = generator.seed
        check_options(call, 1, options)
        if stacks:
            options.pop("rng", None)
        self.call = functools.partial(call, **options) if options else call
        if form in (bytes, "bytes"):
            self.call = self.with_bytes(self.call)
        elif form in (str, "str"):
            self.call = self.with_text(self.call)

    def check_stacking(self, form: Any, draws: bool) -> None:
        """Refuses what cannot be done for several samples in one array."""
        if form in (bytes, str, "bytes", "str"):
            raise Refusal("with batch, a function takes an array, and not "
                          "bytes or str")
        if draws and not self.takes_rng:
            raise Refusal("with batch, a function that draws has a parameter "
                          "rng: a list of generators, one for each sample")

    def add_generator(self) -> Generator:
        self.generators.append(Generator())
        return self.generators[-1]

    def call_batch(self, array: np.ndarray,
                   draws: list[tuple[int, ...]]) -> Any:
        """Calls it for samples in one array, each with its own generator."""
        if not self.takes_rng:
            return self.call(array)
        while len(self.generators) < len(draws):
            self.add_generator()
        for generator, draw in zip(self.generators, draws):
            generator.seed(*draw)
        return self.call(array, rng=[
            generator.random for generator in self.generators[:len(draws)]])

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
    # Patches of a version do not change what code does.
    lines.append("python {}.{}".format(*sys.version_info))
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


def take_batch(memory: Memory, first: int, count: int) -> np.ndarray:
    """
    Returns the inputs in some slots as one array, in which nothing can be
    changed: the samples are called with one by one where one of them fails.
    """
    head = memory.map[first * SLOT:first * SLOT + RECORD.size]
    view = memory.views.get((head, count))
    if view is None:
        dtype, rank, *rest = RECORD.unpack(head)
        view = memory.remember((head, count), np.ndarray(
            [count, *rest[:rank]], DTYPES[dtype], memory.map, rest[DIMS]))
        view.flags.writeable = False
    return view[...]


def array_of(result: Any, dims_most: int = DIMS) -> tuple[np.ndarray, int]:
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
    if array.ndim > dims_most:
        raise TypeError(f"the function returned an array of {array.ndim} "
                        f"dimensions: presto takes up to {dims_most}")
    return array, form


def batch_of(result: Any, count: int) -> np.ndarray:
    """Turns what the function returned for samples into one array of them."""
    if isinstance(result, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"the function returned {type(result).__name__}: "
                        "with batch, presto takes an array of all samples")
    array, _ = array_of(result, DIMS + 1)
    if array.ndim == 0 or len(array) != count:
        raise TypeError(f"the function returned an array of {array.shape} for "
                        f"{count} samples: the first dimension must be "
                        f"{count}")
    return array


def head_of(dtype: int, shape: tuple[int, ...], at: int, size: int) -> bytes:
    """Returns the record of an array."""
    return RECORD.pack(dtype, len(shape), *shape, *[0] * (DIMS - len(shape)),
                       at, size)


def strides_of(shape: tuple[int, ...], array: np.ndarray) -> list[int]:
    """Returns the strides of a row-major array of this shape."""
    strides, step = [], array.itemsize
    for dim in reversed(shape):
        strides.insert(0, step)
        step *= dim
    return strides


def draw_of(inputs: Memory, slot: int) -> tuple[int, ...]:
    """Returns the two numbers that the sample's draws begin with."""
    return DRAW.unpack_from(inputs.map, slot * SLOT + DRAW_AT)


class Results:
    """
    Writes outputs one behind the other.  A result that lies in the memory of
    the inputs stays there: a function may change its input and return it.
    """

    def __init__(self, memory: Memory, inputs: Memory,
                 channel: Channel) -> None:
        self.memory = memory
        self.inputs = inputs
        self.channel = channel
        self.at = HEAD

    def make_room(self, size: int) -> None:
        """Has presto enlarge the file, which keeps its contents."""
        if self.at + size <= self.memory.size:
            return
        self.channel.send(ROOM, 0, self.at + size)
        _, _, grown = self.channel.receive()
        self.memory.resize(grown)

    def place_of(self, array: np.ndarray, given: np.ndarray,
                 each: int) -> int:
        """
        Returns where an array lies in the memory of the inputs, if it is of
        the input that was given, and presto can take samples of `each` bytes
        from there; else 0.
        """
        if (array.base is not given.base or not array.flags.c_contiguous
                or not array.dtype.isnative or each % ALIGN
                or array.dtype.name not in DTYPES):
            return 0
        at = address_of(array) - self.inputs.address
        return 0 if at % ALIGN else at

    def put(self, slot: int, result: Any, given: np.ndarray) -> None:
        """Copies a result; its view is kept for a next one of this type."""
        if type(result) is np.ndarray:
            at = self.place_of(result, given, 0)
            if at and result.ndim <= DIMS:
                dtype = DTYPES.index(result.dtype.name)
                self.finish(slot, head_of(dtype, result.shape, at,
                                          result.nbytes), IN_PLACE, 0)
                return
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
        head = head_of(dtype, array.shape, self.at, array.nbytes)
        if form == ARRAY:
            self.memory.remember(
                (array.dtype, array.shape, self.at), (view, head))
        self.finish(slot, head, form, array.nbytes)

    def put_batch(self, first: int, array: np.ndarray,
                  given: np.ndarray) -> None:
        """Copies the results of all samples, an aligned row for each."""
        each = array[0].nbytes
        step = (each + ALIGN - 1) // ALIGN * ALIGN
        at = self.place_of(array, given, each)
        if not at:
            self.make_room(step * len(array))
        key = array.dtype, array.shape, at, self.at, first
        found = self.memory.views.get(key)
        if not found:
            dtype = DTYPES.index(array.dtype.name)
            view = None if at else np.ndarray(
                array.shape, DTYPES[dtype], self.memory.map, self.at,
                (step, *strides_of(array.shape[1:], array)))
            form = FORM.pack(IN_PLACE if at else ARRAY) + bytes(REST)
            heads = b"".join(
                head_of(dtype, array.shape[1:], (at or self.at) + i * step,
                        each) + form for i in range(len(array)))
            found = self.memory.remember(key, (view, heads))
        if not at:
            found[0][...] = array
            self.at += step * len(array)
        start = first * SLOT
        self.memory.map[start:start + len(found[1])] = found[1]

    def put_failure(self, slot: int, words: str) -> None:
        data = words.encode()
        self.make_room(len(data))
        self.memory.map[self.at:self.at + len(data)] = data
        self.finish(slot, head_of(0, (len(data),), self.at, len(data)),
                    FAILURE, len(data))

    def begin(self, slot: int) -> None:
        """Notes that the function has the input, and may change it."""
        FORM.pack_into(self.memory.map, slot * SLOT + RECORD.size, BEGUN)

    def finish(self, slot: int, head: bytes, form: int, size: int) -> None:
        start = slot * SLOT
        self.memory.map[start:start + len(head) + 4] = head + FORM.pack(form)
        self.at += (size + ALIGN - 1) // ALIGN * ALIGN


def run_one(function: Function, folders: Folders, inputs: Memory,
            results: Results, slot: int) -> None:
    """Calls the function for one sample."""
    results.begin(slot)
    try:
        if function.seed:
            function.seed(*draw_of(inputs, slot))
        given = take(inputs, slot)
        results.put(slot, function.call(given), given)
    except BaseException as error:  # also what sys.exit raises
        results.put_failure(slot, words_of(error, folders))


def run_batch(function: Function, folders: Folders, inputs: Memory,
              results: Results, slots: range) -> None:
    """
    Calls the function for samples in one array; one by one if that fails, so
    that the sample that is the reason is found.
    """
    try:
        given = take_batch(inputs, slots.start, len(slots))
        draws = [draw_of(inputs, slot) for slot in slots]
        result = function.call_batch(given, draws)
    except BaseException as error:  # also what sys.exit raises
        if len(slots) == 1:
            results.put_failure(slots.start, words_of(error, folders))
            return
        for slot in slots:
            run_batch(function, folders, inputs, results,
                      range(slot, slot + 1))
        return
    try:
        results.put_batch(slots.start, batch_of(result, len(slots)), given)
    except BaseException as error:  # what numpy says of any object
        for slot in slots:
            results.put_failure(slot, words_of(error, folders))


def serve(function: Function, folders: Folders, channel: Channel,
          inputs: Memory, outputs: Memory) -> NoReturn:
    """Answers calls until presto ends."""
    while True:
        count, in_size, out_size = channel.receive()
        if in_size != inputs.size:
            inputs.resize(in_size)
        if out_size != outputs.size:
            outputs.resize(out_size)
        results = Results(outputs, inputs, channel)
        if function.stacks:
            run_batch(function, folders, inputs, results, range(count))
        else:
            for slot in range(count):
                run_one(function, folders, inputs, results, slot)
        channel.send(DONE, count)


def main(target: str, folder: str, flags: str, *words: str) -> None:
    channel = Channel("screen" in flags)
    end_with_presto(LIFELINE)
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
                            "draws" in flags, "batch" in flags)
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
