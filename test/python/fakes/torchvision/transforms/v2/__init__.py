"""Transforms of version 2."""

from torchvision.data import Tensor
from torchvision.transforms import (
    CenterCrop,
    Compose,
    Normalize,
    RandomHorizontalFlip,
    Resize,
    Transform,
)

__all__ = [
    "CenterCrop",
    "Compose",
    "Normalize",
    "RandomHorizontalFlip",
    "Resize",
]


class ToImage(Transform):
    def __call__(self, x):
        return Tensor([*x.history, "ToImage"], "torch.uint8")


class ToDtype(Transform):
    names = ("dtype", "scale")
    scale = False

    def __call__(self, x):
        return Tensor([*x.history, "ToDtype"], self.dtype)


class Identity(Transform):
    pass
