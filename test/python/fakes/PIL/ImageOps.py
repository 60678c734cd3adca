"""Turns images upright."""


def exif_transpose(image):
    return image.copy()
