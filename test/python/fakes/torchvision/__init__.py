"""A stand-in for torchvision: names, parameters and kinds of data alone."""

from torchvision import datasets, transforms

__all__ = ["datasets", "transforms"]
