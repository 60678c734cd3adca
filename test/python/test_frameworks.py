"""presto.torch, presto.jax and presto.tf, each where it is installed."""

import importlib.util
import os
import pathlib
import pickle
import subprocess
import sys
import unittest
import warnings

import data
import presto

ROOT = pathlib.Path(__file__).resolve().parents[2]


def has(module):
    """Is it installed?  It is not imported, which may take seconds."""
    return importlib.util.find_spec(module) is not None


def load(where="npy", size=8, **options):
    """Opens one of the datasets."""
    return presto.Loader(data.folder() / where, size, **options)


def images(batch):
    """Returns the images that a batch with these keys has."""
    return b"".join(data.cropped(int(key[-2:])) for key in batch["key"])


@unittest.skipUnless(has("torch"), "no torch")
class Torch(unittest.TestCase):
    """Tensors share the memory; a DataLoader takes whole batches."""

    def test_tensors_share_the_memory(self):
        import torch

        batch = next(iter(load()))
        tensors = batch.torch()
        pointer = batch["data"].ctypes.data
        self.assertEqual(tensors["data"].data_ptr(), pointer)
        self.assertEqual(tensors["label"].dtype, torch.int64)
        self.assertEqual(tensors["key"], batch["key"])
        shared = torch.from_dlpack(batch["data"])
        raw = torch.from_dlpack(batch._raw.field(0))
        self.assertEqual([shared.data_ptr(), raw.data_ptr()], [pointer] * 2)
        wanted = images(batch)
        del batch, tensors, shared
        self.assertEqual(raw.numpy().tobytes(), wanted)

    def test_fields_that_vary_are_lists_of_tensors(self):
        tensors = next(iter(load("texts.conf", 4))).torch()
        self.assertEqual([len(text.shape) for text in tensors["data"]],
                         [1] * 4)

    def test_a_data_loader_delivers_every_sample_and_epoch(self):
        import torch.utils.data

        dataset = presto.torch.Dataset(
            data.folder() / "npy", batch_size=8, shuffle=True)
        batches = torch.utils.data.DataLoader(dataset, batch_size=None)
        epochs = [[key for batch in batches for key in batch["key"]]
                  for _ in range(2)]
        wanted = sorted(data.key(n) for n in range(data.SAMPLES))
        self.assertEqual([sorted(keys) for keys in epochs], [wanted] * 2)
        self.assertNotEqual(*epochs)
        self.assertEqual(len(batches), 8)
        state = dataset.state_dict()
        again = pickle.loads(pickle.dumps(presto.torch.Dataset(
            data.folder() / "npy", batch_size=8, shuffle=True)))
        again.load_state_dict(state)
        self.assertEqual(again.loader.epoch, 2)

    def test_workers_are_refused_in_words(self):
        import torch.utils.data

        dataset = presto.torch.Dataset(data.folder() / "npy")
        batches = torch.utils.data.DataLoader(
            dataset, batch_size=None, num_workers=1)
        with self.assertRaisesRegex(ValueError, "num_workers=0"):
            next(iter(batches))

    def test_a_transform_is_called_with_each_batch(self):
        dataset = presto.torch.Dataset(
            data.folder() / "npy", transform=lambda batch: batch["label"])
        labels = [label for batch in dataset for label in batch.tolist()]
        self.assertEqual(sorted(labels), sorted(
            n % 3 for n in range(data.SAMPLES)))

    def test_pinning_without_a_device_is_a_warning(self):
        import torch

        if torch.cuda.is_available():
            self.skipTest("there is a device")
        batch = next(iter(load(pin_memory=True)))
        presto.torch._warn_of_pinning.cache_clear()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            tensors = batch.torch()
        self.assertIn("no CUDA", str(said[0].message))
        self.assertEqual(tensors["data"].data_ptr(),
                         batch["data"].ctypes.data)

    def test_ranks_come_from_torch_distributed(self):
        import torch.distributed as distributed

        distributed.init_process_group(
            "gloo", rank=0, world_size=1,
            store=distributed.HashStore())
        try:
            os.environ.update(RANK="5", WORLD_SIZE="9")
            loader = load()
        finally:
            del os.environ["RANK"], os.environ["WORLD_SIZE"]
            distributed.destroy_process_group()
        self.assertEqual((loader.rank, loader.world_size), (0, 1))

    def test_the_example_trains_and_goes_on(self):
        def train(epochs):
            done = subprocess.run(
                [sys.executable, ROOT / "examples" / "train.py",
                 data.folder() / "npy", "--batch-size", "8",
                 "--epochs", str(epochs),
                 "--checkpoint", data.folder() / "checkpoint"],
                capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout

        self.assertRegex(train(1), r"^epoch 0: \d+ samples/s, waiting \d+ % "
                         r"of the time, loss \d+\.\d+\n$")
        self.assertRegex(train(2), r"^epoch 1: [^\n]*\n$")


@unittest.skipUnless(has("jax"), "no jax")
class Jax(unittest.TestCase):
    """Arrays of JAX."""

    def test_arrays_have_the_bytes_and_keep_them(self):
        batches = iter(load())
        batch = next(batches)
        arrays, wanted = batch.jax(), images(batch)
        labels = batch["label"].tolist()
        del batch
        for _ in batches:
            pass
        import numpy

        self.assertEqual(numpy.asarray(arrays["data"]).tobytes(), wanted)
        self.assertEqual(arrays["label"].tolist(), labels)


@unittest.skipUnless(has("tensorflow"), "no tensorflow")
class TensorFlow(unittest.TestCase):
    """Tensors of TensorFlow, and a tf.data.Dataset."""

    def test_tensors_and_datasets_have_the_bytes(self):
        batch = next(iter(load()))
        tensors = batch.tf()
        self.assertEqual(tensors["data"].numpy().tobytes(), images(batch))
        found = []
        for batch in presto.tf.dataset(data.folder() / "npy", batch_size=8):
            keys = [key.decode() for key in batch["key"].numpy()]
            found += keys
            self.assertEqual(batch["data"].numpy().tobytes(),
                             images({"key": keys}))
        self.assertEqual(sorted(found), sorted(
            data.key(n) for n in range(data.SAMPLES)))
        texts = presto.tf.dataset(data.folder() / "texts.conf")
        (batch,) = texts
        self.assertEqual(sorted(len(text) for text in batch["data"]),
                         list(range(1, 11)))


@unittest.skipUnless(has("numpy"), "no numpy")
class Examples(unittest.TestCase):
    """The example that needs numpy alone."""

    def test_the_sum_of_all_elements_is_right(self):
        done = subprocess.run(
            [sys.executable, ROOT / "examples" / "load.py",
             data.folder() / "npy"],
            capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        total = sum(sum(data.cropped(n)) for n in range(data.SAMPLES))
        self.assertEqual(done.stdout.count(f"sum of data: {total}\n"), 2)
        self.assertIn("60 samples, 3 classes", done.stdout)


if __name__ == "__main__":
    unittest.main()
