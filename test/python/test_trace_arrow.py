"""presto.trace of datasets of Hugging Face in files of Arrow."""

import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile
import types
import unittest
from unittest import mock

import data
import presto
from presto import tracing_huggingface

CORPUS = pathlib.Path(data.__file__).parent.parent / "fuzz/corpus/arrow"
STATE = '{"_data_files": [{"filename": "data-00000-of-00001.arrow"}]}'
# A folder of this name, such as the project's own, is no library.
SPEC = importlib.util.find_spec("datasets")
HAS_DATASETS = SPEC is not None and SPEC.origin is not None


class Image:
    """A column of images."""


class Value:
    """A column of texts or numbers."""

    def __init__(self, dtype):
        """Takes what the library calls the type."""
        self.dtype = dtype


class Rows(list):
    """Rows of a table."""

    def to_pylist(self):
        """Returns the rows."""
        return list(self)

    def __getitem__(self, rows):
        return Rows(super().__getitem__(rows))


class Dataset:
    """As much of a Dataset as is looked at; it has the rows of a file."""

    def __init__(self, files, rows=50, transform=None):
        """Takes paths, and how many rows there are."""
        self.cache_files = [{"filename": str(path)} for path in files]
        self.rows = Rows({"text": f"row {i // 5}", "label": i % 3}
                         for i in range(rows))
        self.features = {"text": Value("string"), "label": Value("int64")}
        self.format = {"type": None, "format_kwargs": {}}
        if transform:
            self.format = {"type": "custom",
                           "format_kwargs": {"transform": transform}}

    def __len__(self):
        return len(self.rows)

    def with_format(self, kind):
        """Returns the table."""
        return self.rows


class Tables(unittest.TestCase):
    """Datasets whose rows are in files."""

    def setUp(self):
        """Makes a folder as save_to_disk does."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.file = self.folder / "data-00000-of-00001.arrow"
        shutil.copy(CORPUS / "stream.arrow", self.file)
        shutil.copy(CORPUS / "stream.arrow", self.folder / "cache-1.arrow")

    def trace(self, dataset, of=None):
        """Returns the text for a file in the folder."""
        return tracing_huggingface.trace(dataset, of).text(str(self.folder))

    def test_a_saved_folder_is_the_path(self):
        (self.folder / "state.json").write_text(STATE)
        text = self.trace(Dataset([self.file]))
        self.assertIn("source = arrow\npath = .\nfields = data:text\n"
                      "label = label\n", text)
        path = self.folder / "traced.conf"
        path.write_text(text)
        with presto.Loader(path, batch_size=50) as loader:
            batch = next(iter(loader))
        self.assertEqual(bytes(batch["data"][5]), b"row 1")
        self.assertEqual(memoryview(batch.labels).tolist()[:4],
                         [0, 1, 2, 0])

    def test_files_without_a_state_are_named(self):
        text = self.trace(Dataset([self.file]))
        self.assertIn(f"path = {self.file.name}\n", text)

    def test_a_function_is_a_step_of_python(self):
        def upper(rows):
            return {"text": [text.upper() for text in rows["text"]]}

        text = self.trace(Dataset([self.file], transform=upper), "my.py:data")
        self.assertIn("takes=text at=format.format_kwargs.transform", text)

    def test_rows_that_are_not_those_of_the_files_are_refused(self):
        chosen = Dataset([self.file])
        chosen._indices = [1, 2]
        two = Dataset([self.file])
        two.features["more"] = Value("string")
        del two.features["text"]
        two.features["other"] = Value("string")
        numbers = Dataset([self.file])
        del numbers.features["text"]
        for dataset, words in (
                (chosen, "select, filter or shuffle: save it"),
                (Dataset([]), "in memory: save it"),
                (Dataset([self.file], 49), "49 of the 50 rows"),
                (Dataset([self.file], 0), "no rows"),
                (two, "more other"),
                (numbers, "no column is of images or texts: label")):
            with self.assertRaisesRegex(presto.TraceError, words):
                self.trace(dataset)

    def test_an_image_without_bytes_is_refused(self):
        dataset = Dataset([self.file])
        dataset.features = {"image": Image()}
        dataset.rows = Rows({"image": {"bytes": None, "path": "a.jpg"}}
                            for _ in range(50))
        with self.assertRaisesRegex(presto.TraceError, "has no value"):
            self.trace(dataset)

    def test_a_table_of_jpeg_files_is_decoded_as_jpeg(self):
        for path, step in (("a.JPG", "jpeg_decode"), ("a.png", "image_decode"),
                           (None, "image_decode")):
            dataset = Dataset([self.file])
            dataset.features = {"image": Image(), "label": Value("float32")}
            dataset.rows = Rows({"image": {"bytes": b"x", "path": path}}
                                for _ in range(50))
            names = types.SimpleNamespace(to_pylist=lambda: [path])  # noqa
            chunk = types.SimpleNamespace(field=lambda name: names)  # noqa
            column = types.SimpleNamespace(chunks=[chunk])
            dataset.data = types.SimpleNamespace(column=lambda name: column)
            with mock.patch.object(
                    tracing_huggingface, "open_image", lambda file: "opened"):
                text = self.trace(dataset)
            self.assertIn(f"decoded = {step} mode=unchanged", text)
            self.assertIn("label = none", text)

    @unittest.skipUnless(HAS_DATASETS, "needs datasets")
    def test_a_dataset_of_the_library_gives_its_rows(self):
        import datasets

        place = os.fspath(self.folder / "saved")
        rows = {"text": [f"row {i}" for i in range(20)],
                "label": list(range(20))}
        datasets.Dataset.from_dict(rows).save_to_disk(place)
        saved = datasets.load_from_disk(place)
        path = self.folder / "traced.conf"
        path.write_text(presto.trace(saved, folder=self.folder))
        with presto.Loader(path, batch_size=20) as loader:
            batch = next(iter(loader))
        self.assertEqual([bytes(one).decode() for one in batch["data"]],
                         rows["text"])
        with self.assertRaisesRegex(presto.TraceError, "save_to_disk"):
            presto.trace(saved.select([1, 2]))


if __name__ == "__main__":
    sys.exit(unittest.main())
