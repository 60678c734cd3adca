"""Traces ImageFolder and DatasetFolder of torchvision."""

import os
import typing

from presto.tracing_file import Pipeline, TraceError
from presto.tracing_transforms import Chain, kind_of

JPEG = {".jpg", ".jpeg"}
DECODED = JPEG | {".png"}
# Loaders of torchvision that decode to red, green and blue as Pillow does.
STOCK_LOADERS = {"default_loader", "pil_loader"}


def suffixes_of(dataset: typing.Any) -> list[str]:
    """Returns the endings of its files, as they are written."""
    found = {os.path.splitext(path)[1] for path, _ in dataset.samples}
    return sorted(found)


def check_labels(dataset: typing.Any, root: str) -> str:
    """Returns the rule that numbers the classes as the dataset does."""
    if getattr(dataset, "target_transform", None) is not None:
        raise TraceError(
            "the dataset has a target_transform, and presto keeps labels as "
            "they are: apply it in the training loop"
        )
    parts = [
        os.path.relpath(path, root).split(os.sep)
        for path, _ in dataset.samples
    ]
    names = sorted({part[0] for part in parts if len(part) > 1})
    numbers = {name: i for i, name in enumerate(names)}
    for part, (path, label) in zip(parts, dataset.samples, strict=True):
        if len(part) < 2 or numbers[part[0]] != label:
            raise TraceError(
                f"{path} has the label {label}, and presto numbers folders "
                "by their sorted names: a class without files, or a "
                "find_classes of its own, cannot be expressed"
            )
    if all(len(part) == 2 for part in parts):
        return "directory"
    if all(name.isdigit() for name in names):
        raise TraceError(
            "classes in nested folders whose names are numbers cannot be "
            "expressed: presto takes such numbers as they are"
        )
    return "^([^/]+)/"


def add_decoder(
    pipeline: Pipeline, dataset: typing.Any, of: str | None, chain: Chain
) -> None:
    """Adds the step that makes an image of the bytes of a file."""
    loader = dataset.loader
    module = getattr(loader, "__module__", "") or ""
    is_stock = module.startswith("torchvision.") and (
        getattr(loader, "__name__", "") in STOCK_LOADERS
    )
    suffixes = {suffix.lower() for suffix in suffixes_of(dataset)}
    if is_stock and suffixes <= JPEG:
        pipeline.add("decoded", "jpeg_decode exif=no", "default_loader")
    elif is_stock and suffixes <= DECODED:
        pipeline.add("decoded", "image_decode exif=no", "default_loader")
    else:
        pipeline.add_python(
            "decoded", of, "at=loader takes=file", f"loader {loader!r}"
        )
        if not is_stock:
            chain.is_exact = False


def trace(dataset: typing.Any, of: str | None) -> Pipeline:
    """Returns the pipeline of the dataset, which `of` names."""
    for name in ("root", "samples", "loader"):
        if not hasattr(dataset, name):
            raise TraceError(
                f"a {type(dataset).__name__} of torchvision cannot be "
                "traced: it must be an ImageFolder or DatasetFolder"
            )
    if not dataset.samples:
        raise TraceError("the dataset has no samples")
    root = os.path.abspath(dataset.root)
    if any(sign in root for sign in "{}*?["):
        raise TraceError(
            f"presto would take {root} for a pattern: rename the folder"
        )
    pipeline = Pipeline("folder", [root])
    # Each file is a sample; a pattern with a slash is for the path.
    pipeline.keys["match"] = ", ".join(
        f"*{suffix}" for suffix in suffixes_of(dataset)
    )
    pipeline.keys["label"] = check_labels(dataset, root)
    chain = Chain(pipeline, of)
    add_decoder(pipeline, dataset, of, chain)
    sample = dataset.loader(dataset.samples[0][0])
    chain.kind = kind_of(sample)
    if dataset.transform is not None:
        chain.follow(sample, dataset.transform, "transform")
    chain.finish()
    return pipeline
