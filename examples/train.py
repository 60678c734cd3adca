#!/usr/bin/env python3
"""Trains a small image classifier with PyTorch, from a dataset of presto.

usage: train.py DATASET [--epochs N] [--batch-size N] [--checkpoint FILE]

DATASET is a folder that `presto materialize` wrote, or a pipeline file, whose
samples are images of one size with labels.  The model reads every pixel.  For
each epoch it prints samples per second, and how long it waited for batches.

With --checkpoint it goes on after the last batch of an earlier call, in the
middle of an epoch too.
"""

import argparse
import os
import time

import torch

import presto

SAVE_S = 10  # seconds between two checkpoints


class Model(torch.nn.Module):
    """A convolution over patches, the mean of its features, a linear layer."""

    def __init__(self, channels, side, classes):
        super().__init__()
        self.patches = torch.nn.Conv2d(channels, 32, side, stride=side)
        self.classify = torch.nn.Linear(32, classes)

    def forward(self, images):
        features = torch.relu(self.patches(images))
        return self.classify(features.mean(dim=(2, 3)))


def to_images(data):
    """Returns floats, channels first, of a batch of images."""
    images = data.permute(0, 3, 1, 2) if data.shape[-1] <= 4 else data
    if images.dtype == torch.uint8:
        return images.float().div_(127.5).sub_(1)
    return images.float()


def make_model(field, classes):
    """Returns a model for images of this type."""
    *size, channels = field.shape
    if channels > 4:  # they come first
        channels, *size = field.shape
    return Model(channels, min(8, *size), classes)


def load(path, model, optimizer, loader):
    """Goes on where the checkpoint says, if there is one."""
    if path and os.path.exists(path):
        kept = torch.load(path)
        model.load_state_dict(kept["model"])
        optimizer.load_state_dict(kept["optimizer"])
        loader.load_state_dict(kept["loader"])


def save(path, model, optimizer, loader):
    """Writes the checkpoint; a crash leaves the old one or the new one."""
    if path:
        kept = {
            "model": model.state_dict(),
            "optimizer": optimizer.state_dict(),
            "loader": loader.state_dict(),
        }
        torch.save(kept, path + ".new")
        os.replace(path + ".new", path)


def epoch(loader, model, optimizer, keep):
    """Trains for an epoch; returns the mean loss, or None without batches."""
    total = batches = 0
    saved = time.monotonic()
    for batch in loader:
        tensors = batch.torch()
        loss = torch.nn.functional.cross_entropy(
            model(to_images(tensors["data"])), tensors["label"]
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total, batches = total + loss.item(), batches + 1
        if time.monotonic() > saved + SAVE_S:
            keep()
            saved = time.monotonic()
    return total / batches if batches else None


def main():
    """Trains, and says how fast."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("dataset")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--checkpoint")
    options = parser.parse_args()
    loader = presto.Loader(
        options.dataset, options.batch_size, shuffle=True, seed=1
    )
    model = make_model(loader.fields["data"], max(len(loader.classes), 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    load(options.checkpoint, model, optimizer, loader)

    def keep():
        save(options.checkpoint, model, optimizer, loader)

    while loader.epoch < options.epochs:
        number, before = loader.epoch, loader.statistics()
        loss = epoch(loader, model, optimizer, keep)
        keep()
        now = loader.statistics()
        waited = now.wait_s - before.wait_s
        seconds = waited + now.busy_s - before.busy_s
        rate = (now.samples - before.samples) / seconds if seconds else 0
        share = waited / seconds if seconds else 0
        print(
            f"epoch {number}: {rate:.0f} samples/s, waiting "
            f"{100 * share:.0f} % of the time"
            + (f", loss {loss:.4f}" if loss is not None else "")
        )


if __name__ == "__main__":
    main()
