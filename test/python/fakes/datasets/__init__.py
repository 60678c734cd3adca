"""A stand-in for datasets of Hugging Face: rows, and functions on them."""


class Rows:
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        return iter(enumerate(self.rows))


class ArrowExamplesIterable(Rows):
    pass


class MappedExamplesIterable:
    def __init__(self, ex_iterable, function, batched=False, **more):
        self.ex_iterable, self.function = ex_iterable, function
        self.batched = batched
        self.with_indices = more.get("with_indices", False)
        self.input_columns = more.get("input_columns")
        self.fn_kwargs = more.get("fn_kwargs")


class BufferShuffledExamplesIterable:
    def __init__(self, ex_iterable):
        self.ex_iterable = ex_iterable


class FilteredExamplesIterable:
    def __init__(self, ex_iterable, function):
        self.ex_iterable, self.function = ex_iterable, function


class IterableDataset:
    def __init__(self, ex_iterable):
        self._ex_iterable = ex_iterable

    def map(self, function, **more):
        node = MappedExamplesIterable(self._ex_iterable, function, **more)
        return IterableDataset(node)

    def filter(self, function):
        node = FilteredExamplesIterable(self._ex_iterable, function)
        return IterableDataset(node)

    def shuffle(self):
        return IterableDataset(
            BufferShuffledExamplesIterable(self._ex_iterable)
        )


class Table(list):
    def to_pylist(self):
        return list(self)

    def __getitem__(self, rows):
        return Table(super().__getitem__(rows))


class Dataset:
    def __init__(self, rows, transform=None):
        self.rows = rows
        self.format = {"type": None, "format_kwargs": {}}
        if transform:
            self.format = {
                "type": "custom",
                "format_kwargs": {"transform": transform},
            }

    def with_format(self, kind):
        return Table(self.rows)

    def with_transform(self, transform):
        return Dataset(self.rows, transform)

    def to_iterable_dataset(self):
        return IterableDataset(ArrowExamplesIterable(self.rows))


class DatasetDict(dict):
    pass
