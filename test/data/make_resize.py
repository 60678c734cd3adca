#!/usr/bin/env python3
"""make_resize.py OUT - what Pillow makes of images of noise, for test_resize.

Needs numpy and Pillow 9 to 12: Pillow 13 goes down first when that is less
work, which shows with filters that overshoot.  The committed file was made
with Pillow 11.3.0.

The images are not in the file: test_resize makes the same ones.  A record is
eight 16-bit numbers, little endian: filter (0 nearest, 1 bilinear, 2 bicubic,
3 lanczos, 4 box), channels, height and width of the input, height and width
of the output, kind of the image, length of the pixels in bytes; then the
pixels of every row and column that is_kept.
"""
import struct
import sys

import numpy as np
from PIL import Image

FILTERS = [Image.Resampling.NEAREST, Image.Resampling.BILINEAR,
           Image.Resampling.BICUBIC, Image.Resampling.LANCZOS,
           Image.Resampling.BOX]
SIZES = [  # height, width, to height, to width, channels
    (375, 500, 256, 341, 3), (456, 300, 224, 224, 3), (453, 500, 224, 224, 3),
    (40, 50, 90, 71, 3), (33, 1, 5, 9, 3), (1, 1, 4, 3, 4), (9, 7, 1, 1, 1),
    (300, 41, 17, 60, 1), (64, 90, 40, 90, 4), (64, 90, 64, 31, 4),
    (120, 2000, 7, 5, 3)]


def noise(height, width, channels, kind):
    y, x, c = np.ogrid[0:height, 0:width, 0:channels]
    h = (y.astype(np.uint32) * np.uint32(0x9E3779B1)
         + x.astype(np.uint32) * np.uint32(0x85EBCA77)
         + c.astype(np.uint32) * np.uint32(0xC2B2AE3D))
    h ^= h >> np.uint32(15)
    h *= np.uint32(0x2C1B3C6D)
    h ^= h >> np.uint32(12)
    h *= np.uint32(0x297A2D39)
    h = (h >> np.uint32(24)).astype(np.uint8)
    return np.where(h < 128, 0, 255).astype(np.uint8) if kind else h


def kept(length):
    return [i for i in range(length) if i < 2 or i >= length - 2 or i % 29 == 0]


with open(sys.argv[1], "wb") as out:
    for height, width, to_height, to_width, channels in SIZES:
        for f, resample in enumerate(FILTERS):
            kind = (f + height) % 2
            image = noise(height, width, channels, kind)
            made = np.stack(
                [np.asarray(Image.fromarray(image[..., c])
                            .resize((to_width, to_height), resample))
                 for c in range(channels)], -1)
            pixels = made[kept(to_height)][:, kept(to_width)].tobytes()
            out.write(struct.pack("<8H", f, channels, height, width, to_height,
                                  to_width, kind, len(pixels)))
            out.write(pixels)
