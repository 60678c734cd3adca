"""Memory of batches: views, lifetimes, DLPack; without numpy, too."""

import gc
import os
import subprocess
import sys
import textwrap
import unittest

import data
import presto

try:
    import numpy
except ImportError:
    numpy = None


def load(where="npy", size=8, **options):
    """Opens one of the datasets."""
    return presto.Loader(data.folder() / where, size, **options)


def sums(batches):
    """Returns the sum of each batch's bytes."""
    return [sum(bytes(memoryview(batch["data"]))) for batch in batches]


class Lifetime(unittest.TestCase):
    """Memory stays as long as it is used, and no longer."""

    def test_batches_that_are_kept_do_not_change(self):
        loader = load("chance", shuffle=True)
        kept = [batch for _ in range(3) for batch in loader]
        first = sums(kept)
        sums(loader)
        del loader
        gc.collect()
        self.assertEqual(sums(kept), first)

    def test_an_array_outlives_its_batch_and_loader(self):
        batches = iter(load())
        array = next(batches)["data"]
        label = memoryview(next(batches)["label"])
        before = bytes(memoryview(array)), bytes(label)
        sums(batches)
        del batches
        sums(load())
        gc.collect()
        self.assertEqual((bytes(memoryview(array)), bytes(label)), before)

    def test_arrays_may_be_written_into(self):
        expected = sums(load())
        loader = load()
        for batch in loader:
            memoryview(batch["data"]).cast("B")[:] = bytes(8 * 108)[
                :len(memoryview(batch["data"]).cast("B"))
            ]
        self.assertEqual(sums(loader), expected)

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "no /proc")
    def test_memory_is_used_again(self):
        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        loader = load("plain.conf", 60)
        for _ in range(20):
            sums(loader)
        before = resident()
        for _ in range(400):
            sums(loader)
        self.assertLess(resident() - before, 16 << 20)


@unittest.skipUnless(numpy, "no numpy")
class Numpy(unittest.TestCase):
    """Arrays of numpy, without a copy."""

    def test_arrays_are_numpy_arrays(self):
        batch = next(iter(load()))
        for name in ("data", "label"):
            self.assertIs(type(batch[name]), numpy.ndarray)
            self.assertTrue(batch[name].flags.writeable)
            self.assertTrue(batch[name].flags.c_contiguous)
        images = [data.cropped(int(key[-2:])) for key in batch["key"]]
        self.assertEqual(batch["data"].tobytes(), b"".join(images))

    def test_dlpack_shares_the_memory_and_keeps_it(self):
        batches = iter(load())
        batch = next(batches)
        pointer = batch["data"].ctypes.data
        shared = numpy.from_dlpack(batch["data"])
        raw = numpy.from_dlpack(batch._raw.field(0))
        self.assertEqual([shared.ctypes.data, raw.ctypes.data], [pointer] * 2)
        before = raw.tobytes()
        del batch, shared
        sums(batches)
        self.assertEqual(raw.tobytes(), before)

    def test_every_dtype_arrives(self):
        for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8",
                      "f2", "f4", "f8"):
            with self.subTest(dtype):
                rows = numpy.arange(24).reshape(6, 2, 2).astype("<" + dtype)
                numpy.save(data.folder() / f"rows-{dtype}.npy", rows)
                (data.folder() / f"rows-{dtype}.conf").write_text(
                    f"[dataset]\nsource = npy\npath = rows-{dtype}.npy\n"
                    "[pipeline]\nsame = identity\n")
                batch = next(iter(load(f"rows-{dtype}.conf")))
                self.assertEqual(batch["data"].dtype, rows.dtype)
                numpy.testing.assert_array_equal(batch["data"], rows)
                raw = numpy.from_dlpack(batch._raw.field(0))
                numpy.testing.assert_array_equal(raw, rows)


class Tensors(unittest.TestCase):
    """The memory itself, as programs without numpy see it."""

    def test_without_numpy_there_are_buffers(self):
        program = textwrap.dedent("""
            import sys
            sys.modules["numpy"] = None
            import presto
            batch = next(iter(presto.Loader(sys.argv[1], 8)))
            tensor = batch["data"]
            view = memoryview(tensor)
            assert not view.readonly and view.c_contiguous
            assert view.shape == tensor.shape == (8, 6, 6, 3), view.shape
            assert (view.format, tensor.dtype, len(tensor)) == \\
                ("B", "uint8", 8)
            assert memoryview(batch["label"]).format == "q"
            assert tensor.__dlpack_device__() == (1, 0)
        """)
        subprocess.run(
            [sys.executable, "-c", program, data.folder() / "npy"], check=True
        )

    def test_a_capsule_that_nobody_takes_is_freed(self):
        tensor = next(iter(load()))._raw.field(0)
        for version in (None, (0, 8), (1, 0), (2, 0)):
            capsule = tensor.__dlpack__(max_version=version)
            wanted = "dltensor_versioned" if version and version[0] else (
                '"dltensor"')
            self.assertIn(wanted, repr(capsule))
            del capsule

    def test_dlpack_refuses_another_device_and_a_copy(self):
        tensor = next(iter(load()))._raw.field(0)
        for options in ({"dl_device": (2, 0)}, {"copy": True}):
            with self.assertRaises(BufferError):
                tensor.__dlpack__(**options)
        tensor.__dlpack__(dl_device=(1, 0), copy=False, stream=None)


if __name__ == "__main__":
    unittest.main()
