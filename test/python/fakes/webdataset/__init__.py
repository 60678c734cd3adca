"""A stand-in for webdataset: stages, and samples of tar archives."""

import tarfile

from torchvision.data import Image


class SimpleShardList:
    def __init__(self, urls):
        self.urls = [urls] if isinstance(urls, str) else list(urls)


class FilterFunction:
    def __init__(self, f, *args, **kw):
        self.f, self.args, self.kw = f, args, kw


class ImageHandler:
    def __init__(self, imagespec):
        self.imagespec = imagespec


class Decoder:
    def __init__(self, handlers):
        self.handlers = handlers

    def decode1(self, key, data):
        return Image([f"decode {key}"])


def _shuffle(data):
    pass


def _select(data):
    pass


def _map(data):
    pass


def _to_tuple(data):
    pass


def _map_tuple(data):
    pass


def _map_dict(data):
    pass


def tarfile_samples(data):
    pass


class DataPipeline:
    def __init__(self, *stages):
        self.pipeline = list(stages)

    def __iter__(self):
        for url in self.pipeline[0].urls:
            sample = {}
            with tarfile.open(url) as archive:
                for member in archive:
                    key, _, field = member.name.partition(".")
                    if sample and sample["__key__"] != key:
                        yield sample
                        sample = {}
                    sample["__key__"] = key
                    sample[field] = archive.extractfile(member).read()
            if sample:
                yield sample

    def add(self, f, *args, **kw):
        self.pipeline.append(FilterFunction(f, *args, **kw))
        return self


class WebDataset(DataPipeline):
    def __init__(self, urls):
        super().__init__(SimpleShardList(urls))
        self.add(tarfile_samples)

    def shuffle(self, size):
        return self.add(_shuffle, size)

    def decode(self, *words):
        return self.map(Decoder([ImageHandler(word) for word in words]))

    def map(self, f):
        return self.add(_map, f)

    def select(self, f):
        return self.add(_select, f)

    def to_tuple(self, *specs):
        return self.add(_to_tuple, *specs)

    def map_tuple(self, *functions):
        return self.add(_map_tuple, *functions)

    def map_dict(self, **functions):
        return self.add(_map_dict, **functions)
