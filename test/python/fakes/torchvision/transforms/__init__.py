"""Transforms of version 1: what presto looks at."""

from torchvision.data import Tensor
from torchvision.transforms import functional
from torchvision.transforms.functional import InterpolationMode

__all__ = ["InterpolationMode", "functional"]


class Transform:
    """Keeps its parameters, and adds its name to the data."""

    is_random = False
    names = ()

    def __init__(self, *values, **words):
        for name, value in {**dict(zip(self.names, values)), **words}.items():
            setattr(self, name, value)

    def __call__(self, x):
        return x.after(type(self).__name__, self.is_random)

    def __repr__(self):
        words = ", ".join(f"{k}={v}" for k, v in vars(self).items())
        return f"{type(self).__name__}({words})"


class Compose(Transform):
    names = ("transforms",)

    def __call__(self, x):
        for one in self.transforms:
            x = one(x)
        return x


class Lambda(Transform):
    names = ("lambd",)

    def __call__(self, x):
        return self.lambd(x)


class Resize(Transform):
    names = ("size", "interpolation", "max_size", "antialias")
    interpolation, max_size, antialias = InterpolationMode.BILINEAR, None, True


class CenterCrop(Transform):
    names = ("size",)


class RandomCrop(Transform):
    names = ("size", "padding", "pad_if_needed", "fill", "padding_mode")
    padding, pad_if_needed, fill, padding_mode = None, False, 0, "constant"
    is_random = True


class RandomResizedCrop(Transform):
    names = ("size", "scale", "ratio", "interpolation")
    scale, ratio = (0.08, 1.0), (3 / 4, 4 / 3)
    interpolation, is_random = InterpolationMode.BILINEAR, True


class RandomHorizontalFlip(Transform):
    names = ("p",)
    p, is_random = 0.5, True


class RandomVerticalFlip(RandomHorizontalFlip):
    pass


class RandomRotation(Transform):
    names = ("degrees",)
    is_random = True


class RandomErasing(Transform):
    names = ("p", "scale", "ratio", "value")
    p, scale, ratio, value = 0.5, (0.02, 0.33), (0.3, 3.3), 0
    is_random = True


class ColorJitter(Transform):
    brightness = contrast = saturation = hue = None
    is_random = True


class Grayscale(Transform):
    names = ("num_output_channels",)
    num_output_channels = 1


class GaussianBlur(Transform):
    names = ("kernel_size", "sigma")
    is_random = True


class Normalize(Transform):
    names = ("mean", "std")


class ToTensor(Transform):
    def __call__(self, x):
        return Tensor([*x.history, "ToTensor"])


class ConvertImageDtype(Transform):
    names = ("dtype",)

    def __call__(self, x):
        return Tensor([*x.history, "ConvertImageDtype"], self.dtype)
