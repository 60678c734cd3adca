"""torch_steps.py - the remaining steps, for loaders of PyTorch tensors."""
import numpy
import torch
from torchvision.io import ImageReadMode, decode_jpeg
from torchvision.transforms import v2

import loader

SHRINK = v2.Compose([v2.Resize(loader.SHORTER, antialias=True),
                     v2.CenterCrop(loader.CROP)])


def scale(image):
    """A tensor of bytes 0 to 255 to floats -1 to 1."""
    return image.to(torch.float32).mul_(1 / 127.5).sub_(1)


def jpeg(data):
    """From the bytes of a JPEG file."""
    data = torch.frombuffer(bytearray(data), dtype=torch.uint8)
    return scale(SHRINK(decode_jpeg(data, ImageReadMode.RGB)))


def decoded(image):
    """From a decoded photograph."""
    return scale(SHRINK(torch.from_numpy(image).permute(2, 0, 1)))


def resized(image):
    """From a resized photograph; only the crop is copied."""
    return scale(torch.from_numpy(numpy.ascontiguousarray(
        loader.centre(image))))


STEPS = {"jpeg-records": jpeg, "decoded-records": decoded,
         "resized-records": resized}
