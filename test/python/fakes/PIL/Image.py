"""Opens any file."""

from torchvision import data


class Opened(data.Image):
    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        pass

    def load(self):
        pass


def open(path):
    return Opened(["open"])
