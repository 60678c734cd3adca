"""Traces a pipeline of webdataset."""

import os
import typing
from urllib.parse import urlparse

from presto.tracing_file import Pipeline, TraceError, one_line
from presto.tracing_transforms import Chain, kind_of

IMAGES = {"jpg", "jpeg", "png"}
# Stages that change the order or the batches, which presto.Loader decides.
ORDER = {
    "batched",
    "check_empty",
    "detshuffle",
    "info",
    "listed",
    "log_keys",
    "shuffle",
    "split_by_node",
    "split_by_worker",
    "single_node_only",
    "tarfile_samples",
    "tarfile_to_samples",
    "unbatched",
    "unlisted",
}
# What webdataset decodes an image to: mode of the step, and the kind.
DECODERS = {
    "pil": ("rgb", "image"),
    "pilrgb": ("rgb", "image"),
    "rgb8": ("rgb", "array"),
    "rgb": ("rgb", "floats"),
    "torchrgb8": ("rgb", "tensor"),
    "torchrgb": ("rgb", "tensor floats"),
    "torch": ("rgb", "tensor floats"),
}


def stage_name(stage: typing.Any) -> str:
    """Names a stage as the method of webdataset that adds it."""
    function = getattr(stage, "f", stage)
    name = getattr(function, "__name__", "") or type(function).__name__
    return name.lstrip("_")


def is_image(field: str) -> bool:
    """Does webdataset take a field, such as "left.jpg", for an image?"""
    return field.rpartition(".")[2] in IMAGES


def local_paths(stage: typing.Any) -> list[str]:
    """Returns the archives of the first stage."""
    urls = getattr(stage, "urls", None)
    if not urls or isinstance(urls, str):
        raise TraceError(
            f"the archives of {stage_name(stage)} cannot be listed: name "
            "them to webdataset as paths"
        )
    paths = []
    for url in urls:
        parts = urlparse(url)
        path = url if parts.scheme == "" else parts.path
        if parts.scheme not in ("", "file"):
            raise TraceError(
                f"presto reads local archives, and this is elsewhere: {url}"
            )
        if any(sign in path for sign in "{}*?[,"):
            raise TraceError(f"presto would take {path} for a pattern")
        paths.append(os.path.abspath(path))
    return paths


class Tracer:
    """Follows the stages on the first sample."""

    def __init__(self, dataset: typing.Any, of: str | None) -> None:
        """Opens the archives, as the dataset does."""
        self.dataset = dataset
        self.pipeline = Pipeline("tar", local_paths(dataset.pipeline[0]))
        self.chain = Chain(self.pipeline, of)
        self.sample = self._first()
        self.field = ""  # the one that is traced
        self.order: list[str] = []  # of a tuple; empty: a dict
        self.value: typing.Any = None

    def _first(self) -> dict[str, typing.Any]:
        """Returns the first sample, before anything is decoded."""
        import webdataset

        end = 1
        for i, stage in enumerate(self.dataset.pipeline):
            if stage_name(stage) in ("tarfile_samples", "tarfile_to_samples"):
                end = i + 1
        stages = self.dataset.pipeline[:end]
        for sample in webdataset.DataPipeline(*stages):
            return dict(sample)
        raise TraceError("the archives have no samples")

    def _choose(self, names: list[str]) -> None:
        """Chooses the field that is traced, the first of these."""
        if self.field:
            if self.field not in names:
                raise TraceError(
                    f"presto delivers the field {self.field}, and the "
                    f"dataset goes on with {' '.join(names)}"
                )
            return
        there = [name for name in names if name in self.sample]
        self.field = there[0] if there else ""
        if not self.field or self.field == "cls":
            raise TraceError("the samples have no field besides the label")
        self.value = self.sample[self.field]
        self.chain.kind = kind_of(self.value)

    # ---- stages ----

    def decode(self, decoder: typing.Any) -> None:
        """Takes .decode("pil") and the like."""
        images = [name for name in self.sample if is_image(name)]
        specs = [
            one.imagespec
            for one in decoder.handlers
            if hasattr(one, "imagespec")
        ]
        own = [
            one
            for one in decoder.handlers
            if not hasattr(one, "imagespec")
            and not type(one).__module__.startswith("webdataset")
            and not getattr(one, "__module__", "").startswith("webdataset")
        ]
        if own:
            raise TraceError(
                f"decode has a function of its own, {one_line(own[0])}: use "
                "map_dict for it"
            )
        if not images or not specs:
            return
        if specs[0] not in DECODERS:
            raise TraceError(
                f"presto does not decode images as '{specs[0]}' does; use "
                f"one of {' '.join(sorted(DECODERS))}"
            )
        self._choose(images)
        mode, kind = DECODERS[specs[0]]
        is_jpeg = self.field.rpartition(".")[2] in ("jpg", "jpeg")
        self.pipeline.add(
            "decoded",
            f"{'jpeg' if is_jpeg else 'image'}_decode exif=no mode={mode}",
            f"decode({specs[0]!r})",
        )
        self.value = decoder.decode1(self.field, self.value)
        if "floats" in kind:
            self.pipeline.add("floats", "to_float")
        self.chain.kind = kind.split()[0].replace("floats", "array")

    def to_tuple(self, specs: list[str]) -> None:
        """Takes the fields of a tuple: ("jpg;png", "cls")."""
        if len(specs) == 1 and " " in specs[0]:
            specs = specs[0].split()
        names = []
        for spec in specs:
            choice = [n for n in spec.split(";") if n in self.sample]
            names.append(choice[0] if choice else spec)
        kept = [name for name in names if name not in ("cls", "__key__")]
        if len(kept) != 1:
            raise TraceError(
                f"the tuple has the fields {' '.join(names)}: presto traces "
                "one field and the label"
            )
        self._choose(kept)
        self.order = names

    def apply(self, name: str, function: typing.Any, at: str) -> None:
        """Takes a function of one field."""
        if name == "cls":
            raise TraceError(
                "a function changes the label, and presto keeps labels as "
                "they are: apply it in the training loop"
            )
        self._choose([name])
        self.value = self.chain.follow(self.value, function, at)

    def stage(self, stage: typing.Any, at: str) -> None:
        """Takes one stage."""
        name = stage_name(stage)
        arguments = list(getattr(stage, "args", ()))
        words = dict(getattr(stage, "kw", {}))
        if name == "map" and hasattr(arguments[0], "handlers"):
            self.decode(arguments[0])
        elif name == "decode":
            self.decode(make_decoder(arguments))
        elif name == "to_tuple":
            self.to_tuple(arguments)
        elif name == "map_tuple":
            for i, function in enumerate(arguments):
                if function is not None and not is_identity(function):
                    self.apply(self.order[i], function, f"{at}.args.{i}")
        elif name == "map_dict":
            for key, function in words.items():
                if key != "handler":
                    # A dot in the name is no step on the way.
                    place = key.replace(".", "/")
                    self.apply(key, function, f"{at}.kw.{place}")
        elif name not in ORDER:
            raise TraceError(
                f"the stage {name} works on whole samples, and steps of "
                "presto on a field: use map_dict or map_tuple, or leave it "
                "to the training loop"
            )

    def run(self) -> Pipeline:
        """Takes all stages."""
        for i, stage in enumerate(self.dataset.pipeline[1:], 1):
            self.stage(stage, f"pipeline.{i}")
        if not self.field:
            names = [n for n in self.sample if not n.startswith("__")]
            self._choose([n for n in names if n != "cls"])
        self.chain.finish()
        self.pipeline.keys["fields"] = f"data:{self.field}"
        has_label = "cls" in (self.order or self.sample)
        self.pipeline.keys["label"] = "cls" if has_label else "none"
        return self.pipeline


def make_decoder(arguments: list[typing.Any]) -> typing.Any:
    """Makes the decoder of wds.decode("pil")."""
    from webdataset import autodecode

    return autodecode.Decoder(
        [
            autodecode.ImageHandler(one) if isinstance(one, str) else one
            for one in arguments
        ]
    )


def is_identity(function: typing.Any) -> bool:
    """Is it the function of webdataset that changes nothing?"""
    return getattr(function, "__name__", "") == "identity" and (
        getattr(function, "__module__", "").startswith("webdataset")
    )


def trace(dataset: typing.Any, of: str | None) -> Pipeline:
    """Returns the pipeline of the dataset, which `of` names."""
    if not getattr(dataset, "pipeline", None):
        raise TraceError(
            f"a {type(dataset).__name__} of webdataset cannot be traced: it "
            "must be a WebDataset or a DataPipeline"
        )
    return Tracer(dataset, of).run()
