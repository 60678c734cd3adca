"""The loader: what it delivers, in which order, to whom."""

import contextlib
import importlib.util
import itertools
import os
import pathlib
import pickle
import random
import sys
import tempfile
import threading
import types
import unittest
from unittest import mock

import data
import presto


def load(where="npy", size=8, **options):
    """Opens one of the datasets."""
    return presto.Loader(data.folder() / where, size, **options)


def rows(batches):
    """Returns (key, label, bytes) of each sample."""
    return [
        (key, label, bytes(image))
        for batch in batches
        for key, label, image in zip(
            batch["key"],
            memoryview(batch["label"]).tolist(),
            parts(batch["data"], batch.samples),
            strict=True,
        )
    ]


def parts(array, count):
    """Cuts the bytes of an array into those of its samples."""
    whole = bytes(memoryview(array))
    size = len(whole) // count
    return [whole[at:at + size] for at in range(0, len(whole), size)]


class FakeStore(dict):
    """What all ranks of torch.distributed share: bytes by name."""

    def set(self, key, text):
        self[key] = text.encode()

    def wait(self, keys, timeout):
        if not all(key in self for key in keys):
            raise RuntimeError(f"after {timeout}")


@contextlib.contextmanager
def fake_torch(rank, known):
    """Stands for torch.distributed with two ranks, of which this is one."""
    store = FakeStore(known)
    distributed = types.SimpleNamespace(
        is_available=lambda: True,
        is_initialized=lambda: True,
        get_rank=lambda: rank,
        get_world_size=lambda: 2,
    )
    inner = types.SimpleNamespace(_get_default_store=lambda: store)
    modules = {
        "torch.distributed": distributed,
        "torch.distributed.distributed_c10d": inner,
    }
    with mock.patch.dict(sys.modules, modules):
        with mock.patch.dict(presto.ranks._opened, clear=True):
            yield store


def everything():
    """Returns the rows that every loader of plain.conf delivers."""
    return sorted(
        (data.key(n), n % 3, data.cropped(n)) for n in range(data.SAMPLES)
    )


class Delivery(unittest.TestCase):
    """Every sample once, with what belongs to it."""

    def test_each_sample_has_its_key_label_and_bytes(self):
        for where in ("npy", "tar", "plain.conf"):
            with self.subTest(where):
                self.assertEqual(sorted(rows(load(where))), everything())

    def test_each_version_of_a_growing_dataset_can_be_read(self):
        with tempfile.TemporaryDirectory() as scratch:
            here = pathlib.Path(scratch)
            (here / "texts").mkdir()
            for name in "abc":
                (here / "texts" / f"{name}.txt").write_text(name)
            (here / "texts.conf").write_text(data.TEXTS)
            write = ("materialize", "texts.conf", "--out", "out")
            data.run(*write, "--strategy", "raw/tar/none", cwd=here)
            (here / "texts" / "d.txt").write_text("d")
            (here / "texts" / "a.txt").unlink()
            data.run(*write, "--update", cwd=here)
            for version, wanted in ((None, "bcd"), (2, "bcd"), (1, "abc")):
                with self.subTest(version):
                    loader = presto.Loader(here / "out", 2, version=version)
                    keys = [k for batch in loader for k in batch["key"]]
                    self.assertEqual("".join(sorted(keys)), wanted)
            with self.assertRaises(presto.UsageError):
                presto.Loader(here / "out", version=3)
            self.check_versions(here / "out")

    def check_versions(self, folder):
        """A state, and a pickled loader, name the version; ranks agree."""
        old = presto.Loader(folder, 2, version=1)
        new = presto.Loader(folder, 2)
        self.assertEqual((old.version, new.version), (1, 2))
        with self.assertRaisesRegex(presto.UsageError, "with version=1"):
            new.load_state_dict(old.state_dict())
        presto.Loader(folder, 2, version=2).load_state_dict(new.state_dict())
        self.assertEqual(pickle.loads(pickle.dumps(old)).version, 1)
        with fake_torch(1, {"presto/version/1/out": b"1"}):
            self.assertEqual(presto.Loader(folder, 2).version, 1)
            self.assertEqual(presto.Loader(folder, version=2).version, 2)
            alone = presto.Loader(folder, rank=0, world_size=1)
            self.assertEqual(alone.version, 2)
            with self.assertRaisesRegex(presto.Error, "give version=2"):
                presto.Loader(folder, 2)
        with fake_torch(0, {}) as store:
            self.assertEqual(presto.Loader(folder, 2).version, 2)
        self.assertEqual(store, {"presto/version/1/out": b"2"})

    def test_another_order_of_the_steps_delivers_the_same(self):
        given = sorted(rows(load("given", seed=5)))
        self.assertEqual(given, sorted(rows(load("moved", seed=5))))
        self.assertEqual(given, sorted(rows(load("moved.conf", seed=5))))
        self.assertNotEqual(given, sorted(rows(load("moved", seed=6))))

    def test_the_loader_says_what_it_delivers(self):
        loader = load()
        self.assertEqual(loader.fields, {"data": ("uint8", (6, 6, 3))})
        self.assertEqual(loader.samples, data.SAMPLES)
        self.assertEqual(loader.classes, ["class0", "class1", "class2"])
        self.assertEqual((loader.rank, loader.world_size), (0, 1))
        self.assertIn("npy", repr(loader))

    def test_a_batch_is_a_mapping_of_its_fields(self):
        batch = next(iter(load()))
        self.assertEqual(list(batch), ["data", "label", "key"])
        self.assertEqual((len(batch), batch.samples), (3, 8))
        self.assertIs(batch["data"], batch["data"])
        self.assertEqual(tuple(batch["data"].shape), (8, 6, 6, 3))
        self.assertEqual(str(batch["data"].dtype), "uint8")
        self.assertEqual(str(batch["label"].dtype), "int64")
        self.assertNotIn("mask", batch)
        with self.assertRaises(KeyError):
            batch["mask"]

    def test_fields_that_vary_are_lists(self):
        loader = load("texts.conf", 4)
        self.assertEqual(loader.fields, {"data": ("uint8", (-1,))})
        texts = [bytes(text) for batch in loader for text in batch["data"]]
        self.assertEqual(
            sorted(texts), [b"x" * (n + 1) for n in range(10)]
        )
        batch = next(iter(loader))
        self.assertEqual(memoryview(batch["label"]).tolist(), [-1] * 4)
        with self.assertRaisesRegex(presto.Error, "'data'.* differ in shape"):
            batch.stack("data")
        one = next(iter(load("texts.conf", 1)))
        self.assertEqual(tuple(one.stack("data").shape)[0], 1)

    def test_len_is_the_number_of_batches(self):
        sizes = (7, 8, 60, 64)
        for size, drop_last in itertools.product(sizes, (False, True)):
            loader = load(size=size, drop_last=drop_last)
            counts = [batch.samples for batch in loader]
            with self.subTest(size=size, drop_last=drop_last):
                self.assertEqual(len(loader), len(counts))
                if drop_last:
                    self.assertLessEqual(set(counts), {size})
                else:
                    self.assertEqual(sum(counts), data.SAMPLES)

    def test_an_online_filter_makes_batches_shorter(self):
        kept = {"pipeline.kept": "filter by=label min=1"}
        for options in ({}, {"shuffle": True, "seed": 3, "threads": 3}):
            plain = load("plain.conf", **options)
            loader = load("plain.conf", settings=kept, **options)
            wanted = [[row for row in rows([batch]) if row[1] >= 1]
                      for batch in plain]
            with self.subTest(**options):
                self.assertEqual(len(loader), len(plain))
                self.assertEqual([rows([batch]) for batch in loader],
                                 [batch for batch in wanted if batch])
                sums = loader.statistics()
                self.assertEqual((sums.samples, sums.filtered, sums.skipped),
                                 (40, 20, 0))
                again = load("plain.conf", settings=kept, **options)
                again.load_state_dict({**loader.state_dict(),
                                       "epoch": 0, "position": 3})
                self.assertEqual(rows(again), sum(wanted[3:], []))

    def test_ranks_share_what_a_filter_keeps(self):
        kept = {"pipeline.kept": "filter by=label max=0"}
        loaders = [load("plain.conf", settings=kept, rank=rank, world_size=2)
                   for rank in range(2)]
        self.assertEqual(
            sorted(row for loader in loaders for row in rows(loader)),
            [row for row in everything() if row[1] == 0])
        self.assertEqual([len(loader) for loader in loaders], [4, 4])

    def test_a_batch_that_loses_all_is_left_out(self):
        kept = {"pipeline.kept": "filter by=label max=-1"}
        loader = load("plain.conf", settings=kept)
        self.assertEqual(rows(loader), [])
        self.assertEqual(rows(loader), [])
        self.assertEqual(loader.statistics().filtered, 2 * data.SAMPLES)

    def test_settings_override_the_pipeline_file(self):
        loader = load("plain.conf", settings={"dataset.match": "*0.png"})
        self.assertEqual(len(rows(loader)), 6)

    def test_threads_do_not_change_the_order(self):
        first = rows(load("chance", shuffle=True, threads=1, fetchers=1))
        for threads in (2, 5):
            again = rows(load("chance", shuffle=True, threads=threads))
            self.assertEqual(again, first)

    def test_statistics_count(self):
        loader = load(size=7)
        self.assertEqual(loader.statistics()[:4], (0, 0, 0, 0))
        for _ in range(2):
            rows(loader)
        sums = loader.statistics()
        self.assertEqual(sums.samples, 2 * data.SAMPLES)
        self.assertEqual(sums.batches, 2 * len(loader))
        self.assertGreaterEqual(sums.bytes, sums.samples * 108)
        self.assertTrue(0 <= sums.wait_share <= 1)

    def test_steps_are_listed(self):
        names = [step.name for step in presto.steps()]
        self.assertEqual(names, sorted(names))
        self.assertIn("jpeg_decode", names)


class Order(unittest.TestCase):
    """Epochs, seeds, ranks."""

    def test_without_shuffle_epochs_are_alike(self):
        loader = load()
        self.assertEqual(rows(loader), rows(loader))

    def test_shuffled_epochs_differ_and_repeat_by_seed(self):
        one, same, other = (
            load(shuffle=True, seed=seed) for seed in (1, 1, 2)
        )
        first, second = rows(one), rows(one)
        self.assertEqual([rows(same), rows(same)], [first, second])
        self.assertNotEqual(first, second)
        self.assertNotEqual(first, rows(other))
        self.assertEqual(sorted(first), everything())
        self.assertEqual(sorted(second), everything())

    def test_random_steps_draw_by_seed_and_epoch(self):
        files, stored = load("chance.conf", seed=3), load("chance", seed=3)
        first, second = sorted(rows(files)), sorted(rows(files))
        self.assertEqual([sorted(rows(stored)) for _ in range(2)],
                         [first, second])
        self.assertNotEqual(first, second)
        self.assertNotEqual(first, sorted(rows(load("chance", seed=4))))

    def test_the_seed_comes_from_the_pipeline_file(self):
        own = load("chance.conf", settings={"measure.seed": 3})
        self.assertEqual(own.seed, 3)
        self.assertEqual(rows(own), rows(load("chance.conf", seed=3)))

    def test_ranks_share_each_epoch(self):
        for world, drop_last in itertools.product((1, 2, 4, 7), (False, True)):
            loaders = [
                load(size=4, shuffle=True, rank=rank, world_size=world,
                     drop_last=drop_last)
                for rank in range(world)
            ]
            with self.subTest(world=world, drop_last=drop_last):
                for _ in range(2):
                    got = sorted(sum(map(rows, loaders), []))
                    self.assertEqual(len(set(got)), len(got))
                    if not drop_last:
                        self.assertEqual(got, everything())
                if drop_last:
                    self.assertEqual(len(set(map(len, loaders))), 1)

    def test_the_environment_gives_the_rank(self):
        ranks = {"RANK": "1", "WORLD_SIZE": "3"}
        with mock.patch.dict(os.environ, ranks):
            loader = load()
        self.assertEqual((loader.rank, loader.world_size), (1, 3))
        self.assertEqual(rows(loader), rows(load(rank=1, world_size=3)))
        with mock.patch.dict(os.environ, RANK="1"):
            self.assertEqual(load().world_size, 1)
        with mock.patch.dict(os.environ, RANK="x", WORLD_SIZE="3"):
            with self.assertRaisesRegex(presto.UsageError, "RANK=x"):
                load()

    def test_each_iter_is_an_epoch(self):
        loader, fresh = load(shuffle=True), load(shuffle=True)
        epochs = [rows(fresh) for _ in range(4)]
        self.assertEqual(loader.epoch, 0)
        batches = iter(loader)
        next(batches)
        self.assertEqual(loader.epoch, 0)
        self.assertEqual(rows(loader), epochs[1])  # the first was left early
        self.assertEqual(loader.epoch, 2)
        with self.assertRaisesRegex(presto.Error, "another iter"):
            next(batches)
        loader.epoch = 3
        self.assertEqual(rows(loader), epochs[3])
        loader.epoch = 0
        self.assertEqual(rows(loader), epochs[0])

    def test_an_epoch_that_ended_stays_ended(self):
        loader = load()
        batches = iter(loader)
        rows(batches)
        self.assertIsNone(next(batches, None))
        self.assertEqual(len(rows(loader)), data.SAMPLES)
        self.assertIsNone(next(batches, None))


class State(unittest.TestCase):
    """Going on where a loader stopped."""

    def test_a_resumed_loader_delivers_the_rest(self):
        chance = random.Random(7)
        for world, epoch in ((1, 0), (1, 1), (2, 0), (4, 2)):
            options = {"size": 4, "shuffle": True, "seed": 5,
                       "rank": world - 1, "world_size": world}
            one, stopped, other = (load("chance", **options)
                                   for _ in range(3))
            whole = [[rows([b]) for b in one] for _ in range(epoch + 2)]
            taken = chance.randrange(1, len(whole[0]))
            with self.subTest(world=world, epoch=epoch, taken=taken):
                for _ in range(epoch):
                    rows(stopped)
                rows(itertools.islice(stopped, taken))
                kept = pickle.dumps(stopped.state_dict())
                other.load_state_dict(pickle.loads(kept))
                self.assertEqual(other.epoch, epoch)
                rest = [rows([b]) for b in other]
                self.assertEqual(rest, whole[epoch][taken:])
                after = [rows([b]) for b in other]
                self.assertEqual(after, whole[epoch + 1])

    def test_the_state_between_epochs_is_the_next_one(self):
        loader, other = load(shuffle=True), load(shuffle=True)
        rows(loader)
        state = loader.state_dict()
        self.assertEqual((state["epoch"], state["position"]), (1, 0))
        other.load_state_dict(state)
        self.assertEqual(rows(other), rows(loader))

    def test_a_pickled_loader_goes_on(self):
        loader = load("chance", shuffle=True, seed=2)
        whole = rows(loader)
        rest = load("chance", shuffle=True, seed=2)
        rows(itertools.islice(rest, 2))
        again = pickle.loads(pickle.dumps(rest))
        self.assertEqual(rows(again), whole[16:])
        fresh = pickle.loads(pickle.dumps(load("chance", shuffle=True)))
        self.assertEqual((fresh.epoch, fresh.batch_size), (0, 8))

    def test_the_state_of_another_order_is_refused(self):
        state = load(shuffle=True, seed=1).state_dict()
        for other in ({"seed": 2}, {"size": 9}, {"rank": 0, "world_size": 2},
                      {"shuffle": False}, {"where": "tar"}):
            options = {"shuffle": True, "seed": 1, **other}
            with self.subTest(**other):
                with self.assertRaises(presto.UsageError):
                    load(**options).load_state_dict(state)

    def test_nonsense_is_no_state(self):
        for state in ({}, {"epoch": 1}, None, 3,
                      {"version": 1, "epoch": "a", "position": 0, "order": 0},
                      {"version": 2, "epoch": 0, "position": 0, "order": 0}):
            with self.subTest(state=state):
                with self.assertRaises(presto.UsageError):
                    load().load_state_dict(state)


class Mistakes(unittest.TestCase):
    """Errors are words with an address."""

    def test_arguments_are_checked(self):
        for options, words in (
            ({"size": 0}, "batch_size must be 1 to"),
            ({"size": "many"}, "batch_size must be a whole number"),
            ({"seed": -1}, "seed must be 0 to"),
            ({"threads": 0}, "threads must be 1 to"),
            ({"rank": 0}, "both rank and world_size"),
            ({"rank": 3, "world_size": 3}, "rank must be 0 to 2"),
        ):
            with self.subTest(**options):
                with self.assertRaisesRegex(ValueError, words):
                    load(**options)

    def test_what_cannot_be_opened_is_named(self):
        with self.assertRaisesRegex(presto.Error, "nothing-here"):
            load("nothing-here")
        bad = data.folder() / "bad.conf"
        bad.write_text("[dataset]\nsource = folder\npath = images\n"
                       "[pipeline]\na = resiez\n")
        with self.assertRaisesRegex(presto.UsageError, "bad.conf:5: .*resiez"):
            load("bad.conf")
        with self.assertRaisesRegex(presto.UsageError, "nosuch"):
            load(settings={"nosuch.key": 1})

    def test_a_sample_that_fails_is_named_or_skipped(self):
        images = data.folder() / "images" / "broken"
        images.mkdir()
        (images / "short.png").write_bytes(b"\x89PNG\r\n\x1a\n too short")
        try:
            with self.assertRaisesRegex(presto.Error, "broken/short"):
                rows(load("plain.conf"))
            loader = load("plain.conf",
                          settings={"dataset.on_error": "skip"})
            self.assertEqual(len(rows(loader)), data.SAMPLES)
            self.assertEqual(loader.statistics().skipped, 1)
        finally:
            (images / "short.png").unlink()
            images.rmdir()

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "no numpy")
    def test_python_steps_run_in_this_interpreter(self):
        (data.folder() / "mine.py").write_text(
            "import sys\n\n\n"
            "def name(x): return sys.executable\n"
        )
        try:
            with mock.patch.dict(os.environ, PATH="/nowhere"):
                loader = load(
                    "plain.conf",
                    settings={
                        "pipeline.own": f"python {data.folder()}/mine.py:name"
                    },
                    threads=1,
                )
                batch = next(iter(loader))
        finally:
            (data.folder() / "mine.py").unlink()
        self.assertEqual(
            bytes(memoryview(batch["data"][0])), os.fsencode(sys.executable)
        )

    def test_the_length_is_there_while_another_thread_waits(self):
        loader = load(settings={"storage.open": "200ms"}, threads=1)
        waiting = threading.Thread(target=lambda: next(iter(loader)))
        waiting.start()
        while waiting.is_alive():
            self.assertEqual(len(loader), -(-data.SAMPLES // 8))
            self.assertEqual(list(loader.fields), ["data"])
        waiting.join()

    def test_a_closed_loader_says_so(self):
        with load() as loader:
            batch = next(iter(loader))
        self.assertEqual(len(rows([batch])), 8)
        loader.close()
        self.assertEqual(loader.state_dict()["position"], 1)
        self.assertEqual(loader.statistics().samples, 8)
        again = load()
        again.load_state_dict(loader.state_dict())
        self.assertEqual(len(rows(again)), data.SAMPLES - 8)
        for use in (lambda: next(iter(loader)), lambda: len(loader)):
            with self.assertRaisesRegex(presto.Error, "closed"):
                use()


if __name__ == "__main__":
    unittest.main()
