"""ImageFolder, which numbers the classes by their sorted names."""

import os

from torchvision.data import Image

ENDINGS = (".jpg", ".jpeg", ".png", ".ppm", ".webp")


def default_loader(path):
    return Image(["load"])


class DatasetFolder:
    """A folder of folders of files."""

    def __init__(
        self, root, loader, transform=None, target_transform=None, classes=None
    ):
        self.root, self.loader, self.transform = root, loader, transform
        self.target_transform = target_transform
        self.classes = classes or sorted(os.listdir(root))
        self.samples = [
            (os.path.join(folder, name), label)
            for label, word in enumerate(self.classes)
            for folder, _, names in sorted(os.walk(os.path.join(root, word)))
            for name in sorted(names)
            if name.lower().endswith(ENDINGS)
        ]


class ImageFolder(DatasetFolder):
    """The same of images."""

    def __init__(self, root, transform=None, loader=default_loader, **more):
        super().__init__(root, loader, transform, **more)
