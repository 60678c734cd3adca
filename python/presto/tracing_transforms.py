"""Transforms of torchvision, versions 1 and 2, as steps.

A chain of transforms is followed on one sample, so that the kind of data is
known at each place: an image of Pillow, a tensor, or an array.
"""

import re
import typing
from collections.abc import Callable, Iterator

from presto.tracing_file import Pipeline, number, numbers, one_line

FILTERS = {
    "nearest": "nearest",
    "nearest-exact": "nearest",
    "bilinear": "bilinear",
    "bicubic": "bicubic",
    "lanczos": "lanczos",
    "box": "box",
}
# Numbers of Pillow's filters, which old versions of torchvision have.
FILTER_NUMBERS = {
    0: "nearest",
    1: "lanczos",
    2: "bilinear",
    3: "bicubic",
    4: "box",
}
# Transforms that change nothing in what presto delivers.
NOTHING = {"Identity", "ToPureTensor", "RGB"}
# Those that draw, beside all whose names begin with Random.
CHANCE = {
    "AugMix",
    "AutoAugment",
    "ColorJitter",
    "ElasticTransform",
    "RandAugment",
    "ScaleJitter",
    "TrivialAugmentWide",
}

# Calls that must give equal results, so that a callable is taken for one that
# does not draw: of a flip with the chance 0.5, one in 65536 is missed.
CALLS = 17

# What a known transform becomes: a name and the words of a step; (): nothing;
# None: presto has no such step.
Words = tuple[str, str] | tuple[()] | None


def size_words(size: typing.Any) -> str | None:
    """Returns HxW, or the one length of the shorter side as "shorter=N"."""
    sizes = list(size) if hasattr(size, "__len__") else [size]
    if len(sizes) == 1:
        return f"shorter={int(sizes[0])}"
    return f"size={int(sizes[0])}x{int(sizes[1])}" if len(sizes) == 2 else None


def window_words(size: typing.Any) -> str:
    """Returns the words of a window: one length is a square."""
    sizes = list(size) if hasattr(size, "__len__") else [size]
    height, width = int(sizes[0]), int(sizes[-1])
    return f"size={height}" if height == width else f"size={height}x{width}"


def filter_of(transform: typing.Any) -> str | None:
    """Returns presto's name of the filter; None: it has none."""
    given = getattr(transform, "interpolation", "bilinear")
    value = getattr(given, "value", given)
    if isinstance(value, int):
        return FILTER_NUMBERS.get(value)
    return FILTERS.get(str(value))


def is_antialiased(t: typing.Any) -> bool:
    """Does it stretch its filter for tensors?

    "warn", the default of some versions, means no, and None does, too.
    """
    return getattr(t, "antialias", True) is True


def resize(t: typing.Any, chain: "Chain") -> Words:
    words, name = size_words(t.size), filter_of(t)
    if not words or not name or getattr(t, "max_size", None) is not None:
        return None
    # Pillow always stretches its filter; tensors do unless told otherwise.
    if chain.kind == "tensor" and not is_antialiased(t):
        name += " antialias=no"
    return "resized", f"resize {words} filter={name}"


def center_crop(t: typing.Any, chain: "Chain") -> Words:
    return "cropped", f"center_crop {window_words(t.size)}"


def random_crop(t: typing.Any, chain: "Chain") -> Words:
    padding = t.padding
    sides = list(padding) if hasattr(padding, "__len__") else [padding or 0]
    mode = t.padding_mode
    if len(set(sides)) > 1 or t.pad_if_needed:
        return None
    words = f"random_crop {window_words(t.size)}"
    if not sides[0]:
        return "cropped", words
    if mode not in ("constant", "reflect", "edge"):
        return None
    if mode == "constant" and t.fill not in (0, None, (0,), (0, 0, 0)):
        return None
    return "cropped", f"{words} padding={int(sides[0])} padding_mode={mode}"


def random_resized_crop(t: typing.Any, chain: "Chain") -> Words:
    name = filter_of(t)
    if not name or (chain.kind == "tensor" and not is_antialiased(t)):
        return None
    return (
        "cropped",
        f"random_resized_crop {window_words(t.size)} "
        f"scale={numbers(t.scale)} ratio={numbers(t.ratio)} filter={name}",
    )


def flip(step: str) -> Callable[[typing.Any, "Chain"], Words]:
    def words(t: typing.Any, chain: "Chain") -> Words:
        return "flipped", f"{step} chance={number(t.p)}"

    return words


def color_jitter(t: typing.Any, chain: "Chain") -> Words:
    ranges = [
        f"{name}={numbers(getattr(t, name))}"
        for name in ("brightness", "contrast", "saturation", "hue")
        if getattr(t, name) is not None
    ]
    if not ranges:
        return ()
    return "jittered", " ".join(["color_jitter", *ranges])


def grayscale(t: typing.Any, chain: "Chain") -> Words:
    return ("grey", "grayscale") if t.num_output_channels == 1 else None


def gaussian_blur(t: typing.Any, chain: "Chain") -> Words:
    kernel = set(t.kernel_size)
    if len(kernel) > 1:
        return None
    return (
        "blurred",
        f"gaussian_blur kernel={kernel.pop()} sigma={numbers(t.sigma)}",
    )


def random_erasing(t: typing.Any, chain: "Chain") -> Words:
    if t.value is None or t.value == "random":
        value = "random"
    elif hasattr(t.value, "__len__"):
        value = numbers(t.value)
    else:
        value = number(t.value)
    return (
        "erased",
        f"random_erasing chance={number(t.p)} scale={numbers(t.scale)} "
        f"ratio={numbers(t.ratio)} value={value}",
    )


def normalize(t: typing.Any, chain: "Chain") -> Words:
    words = f"normalize mean={numbers(t.mean)} std={numbers(t.std)}"
    chain.is_pending = False  # it divides bytes by 255 itself
    return "normalized", words


# Steps on images, with the channels last.
IMAGES: dict[str, Callable[[typing.Any, "Chain"], Words]] = {
    "CenterCrop": center_crop,
    "ColorJitter": color_jitter,
    "GaussianBlur": gaussian_blur,
    "Grayscale": grayscale,
    "RandomCrop": random_crop,
    "RandomErasing": random_erasing,
    "RandomHorizontalFlip": flip("hflip"),
    "RandomResizedCrop": random_resized_crop,
    "RandomVerticalFlip": flip("vflip"),
    "Resize": resize,
}
# Of these, the ones that give the same whether bytes become floats before
# them or behind them.
MOVING = {"CenterCrop", "RandomHorizontalFlip", "RandomVerticalFlip"}


# What a callable takes of each kind of data: the words of presto.traced.
TAKES = {
    "array": "numpy",
    "bytes": "bytes",
    "image": "pil",
    "tensor": "torch",
    "text": "text",
}


def kind_of(value: typing.Any) -> str:
    """Returns the kind of data, one of TAKES."""
    if hasattr(value, "detach") and hasattr(value, "shape"):
        return "tensor"
    if hasattr(value, "getbands"):
        return "image"
    if isinstance(value, str):
        return "text"
    return "bytes" if isinstance(value, bytes) else "array"


def is_torchvision(transform: typing.Any) -> bool:
    return type(transform).__module__.startswith("torchvision.transforms")


def is_nothing(transform: typing.Any) -> bool:
    """Does it leave what presto delivers as it is?"""
    is_known = type(transform).__module__.startswith(("torch.", "torchvision"))
    return is_known and type(transform).__name__ in NOTHING


def snake(name: str) -> str:
    """Makes own_step of OwnStep."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def name_of(transform: typing.Any) -> str:
    """Names a callable: a function by its name, an instance by its class."""
    if hasattr(transform, "func"):  # functools.partial
        return name_of(transform.func)
    name = getattr(transform, "__name__", "") or type(transform).__name__
    return "function" if name == "<lambda>" else snake(name)


def members(
    transform: typing.Any, at: str
) -> Iterator[tuple[typing.Any, str]]:
    """Yields the transforms that run one by one, with their places."""
    names = {base.__name__ for base in type(transform).__mro__}
    if is_torchvision(transform) and "Compose" in names:
        rows = list(transform.transforms)
    elif "Sequential" in names:
        rows = list(transform)
    else:
        yield transform, at
        return
    for i, one in enumerate(rows):
        yield from members(one, f"{at}.{i}")


def is_equal(a: typing.Any, b: typing.Any) -> bool:
    """Are two results the same?  What cannot be told is not."""
    from presto.traced import to_array

    try:
        if (a == b) is True:  # neither is an array
            return True
        first, second = to_array(a), to_array(b)
        return bool(
            first.shape == second.shape and (first == second).all()
        )
    except (AttributeError, ImportError, TypeError, ValueError):
        return False


class Chain:
    """Steps for one transform after the other."""

    def __init__(self, pipeline: Pipeline, of: str | None) -> None:
        """Adds to the pipeline; callables are taken out of `of`."""
        self.pipeline = pipeline
        self.of = of
        self.kind = "image"
        self.is_chw = False  # the data of presto has the channels first
        self.is_pending = False  # bytes are still to become floats
        self.is_exact = True  # nothing draws, so that both can be compared

    # ---- what is left to do ----

    def _settle(self) -> None:
        """Makes floats of bytes, as the tensor of torchvision has them."""
        if self.is_pending:
            self.pipeline.add("floats", "to_float")
        self.is_pending = False

    def _transpose(self) -> None:
        """Puts the channels first, as a tensor has them."""
        if self.kind == "tensor" and not self.is_chw:
            self.pipeline.add("channels_first", "to_chw")
            self.is_chw = True

    # ---- one transform ----

    def _convert(
        self, transform: typing.Any, before: typing.Any, after: typing.Any
    ) -> bool:
        """Takes transforms that make tensors; False: it is another one."""
        name = type(transform).__name__
        if not is_torchvision(transform):
            return False
        if name in ("ToTensor", "PILToTensor", "ToImage"):
            if self.kind != "image":
                return name == "ToImage" and self.kind == "tensor"
            self.kind = "tensor"
            self.is_pending = name == "ToTensor"
            return kind_of(after) == "tensor"
        if name not in ("ToDtype", "ConvertImageDtype"):
            return False
        if self.kind != "tensor" or dtype_of(after) != "torch.float32":
            return False
        if dtype_of(before) == "torch.float32":
            return True  # it changes nothing
        if self.is_pending:
            return False
        if name == "ToDtype" and not transform.scale:
            self.pipeline.add("floats", "to_float scale=no", transform)
        else:
            self.is_pending = True
        return True

    def _known(self, transform: typing.Any) -> bool:
        """Adds the step of a transform that presto has."""
        name = type(transform).__name__
        if not is_torchvision(transform):
            return False
        if self.kind not in ("image", "tensor"):
            return False
        if name == "Normalize" and self.kind == "tensor":
            words = normalize(transform, self)
        elif name not in IMAGES or self.is_chw:
            return False
        else:
            try:
                words = IMAGES[name](transform, self)
            except (AttributeError, TypeError, ValueError):
                return False  # of a version with other parameters
        if words == ():
            return True  # it changes nothing
        if not words:
            return False
        if name not in MOVING:
            self._settle()
        if name == "CenterCrop":
            self.pipeline.note(
                "an image smaller than the window of CenterCrop is padded by "
                "torchvision, and an error here"
            )
        self.pipeline.add(words[0], words[1], transform)
        return True

    def _draws(
        self, transform: typing.Any, before: typing.Any, after: typing.Any
    ) -> bool:
        """Is it random: by its name, or in some calls?"""
        name = type(transform).__name__
        if is_torchvision(transform) and (
            name.startswith("Random") or name in CHANCE
        ):
            return True
        return not all(
            is_equal(transform(copy_of(before)), after)
            for _ in range(CALLS - 1)
        )

    def _unknown(
        self,
        transform: typing.Any,
        at: str,
        before: typing.Any,
        after: typing.Any,
    ) -> None:
        """Adds a python step, which gets what the callable gets here."""
        self._settle()
        self._transpose()
        options = f"takes={TAKES[self.kind]}" + f" at={at}" * bool(at)
        if self._draws(transform, before, after):
            options += " random=yes"
            self.is_exact = False
        self.pipeline.add_python(
            name_of(transform), self.of, options, repr_of(transform)
        )
        self.kind = kind_of(after)
        self.is_chw = self.kind != "image"

    # ---- all ----

    def follow(
        self, sample: typing.Any, transform: typing.Any, at: str
    ) -> typing.Any:
        """Follows a transform; returns what it makes of the sample."""
        for one, place in members(transform, at):
            if is_nothing(one):
                continue
            after = one(copy_of(sample))
            if not self._convert(one, sample, after) and not self._known(one):
                self._unknown(one, place, sample, after)
            if self._is_random_step(one):
                self.is_exact = False
            sample = after
        return sample

    def finish(self) -> None:
        """Gives presto's data the form that the dataset's has."""
        self._settle()
        self._transpose()
        self.pipeline.is_exact = self.is_exact
        if self.kind == "image":
            self.pipeline.note(
                "the dataset gives images of Pillow, and presto gives arrays "
                "with the channels last"
            )

    def _is_random_step(self, transform: typing.Any) -> bool:
        name = type(transform).__name__
        return is_torchvision(transform) and (
            name.startswith("Random")
            or name in CHANCE
            or name == "GaussianBlur"
        )


def dtype_of(value: typing.Any) -> str:
    """Names the type of a tensor's elements; "" if it is none."""
    return str(getattr(value, "dtype", ""))


def copy_of(value: typing.Any) -> typing.Any:
    """Copies a sample: a transform may work in place."""
    if hasattr(value, "clone"):
        return value.clone()
    return value.copy() if hasattr(value, "copy") else value


def repr_of(transform: typing.Any) -> str:
    """Describes a callable for a comment."""
    module = getattr(transform, "__module__", "")
    name = getattr(transform, "__qualname__", "")
    if name:
        return f"{module}.{name}" if module else name
    return one_line(repr(transform))
