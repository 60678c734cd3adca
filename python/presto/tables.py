"""Rows with typed attributes, and tables of them for Arrow and pandas."""

import dataclasses
import importlib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence


Kinds = dict[str, tuple[type, bool]]  # of columns: type, and may it be None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """A row of a table: its attributes are the columns; None: not known."""

    @classmethod
    def read(cls, values: Mapping[str, typing.Any]) -> typing.Self:
        """Makes a row of an object in the program's JSON.

        Members that are no column are left out.
        """
        return _read(cls, _kinds(cls), values)


R = typing.TypeVar("R", bound=Row)


def _kinds(row: type[Row]) -> Kinds:
    kinds: Kinds = {}
    for name, hint in typing.get_type_hints(row).items():
        options = (
            typing.get_args(hint)
            if isinstance(hint, types.UnionType)
            else (hint,)
        )
        kinds[name] = (options[0], types.NoneType in options)
    return kinds


def _read(
    row: type[R], kinds: Kinds, values: Mapping[str, typing.Any]
) -> R:
    found: dict[str, typing.Any] = {}
    for name, (kind, is_optional) in kinds.items():
        value = values.get(name)
        if value is None and not is_optional:
            value = kind()
        found[name] = value if value is None else kind(value)
    return row(**found)


class Table(Sequence[R]):
    """Rows of one kind, which can become a table of Arrow or pandas."""

    def __init__(self, kind: type[R], rows: Iterable[R] = ()) -> None:
        """Keeps the rows; `kind` has the columns, also where no row is."""
        self._kind, self._rows = kind, tuple(rows)
        self._kinds = _kinds(kind)

    @classmethod
    def read(
        cls, kind: type[R], objects: Iterable[Mapping[str, typing.Any]]
    ) -> "Table[R]":
        """Makes a table of an array in the program's JSON."""
        kinds = _kinds(kind)
        return cls(kind, (_read(kind, kinds, values) for values in objects))

    @typing.overload
    def __getitem__(self, index: int) -> R: ...

    @typing.overload
    def __getitem__(self, index: slice) -> "Table[R]": ...

    def __getitem__(self, index: int | slice) -> "R | Table[R]":
        if isinstance(index, slice):
            return Table(self._kind, self._rows[index])
        return self._rows[index]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._kind is other._kind and self._rows == other._rows

    def __hash__(self) -> int:
        return hash((self._kind, self._rows))

    def __repr__(self) -> str:
        return f"<presto table of {len(self)} rows: {self._kind.__name__}>"

    def columns(self) -> dict[str, list[typing.Any]]:
        """Returns {name of a column: its values}."""
        return {
            name: [getattr(row, name) for row in self._rows]
            for name in self._kinds
        }

    def to_pandas(self) -> typing.Any:
        """Returns a pandas.DataFrame; missing numbers are NaN or NA."""
        pandas = _import("pandas", "to_pandas")
        dtypes = {bool: "boolean", int: "Int64", float: "float64"}
        return pandas.DataFrame(
            {
                name: pandas.Series(
                    values, dtype=dtypes.get(self._kinds[name][0])
                )
                for name, values in self.columns().items()
            }
        )

    def to_arrow(self) -> typing.Any:
        """Returns a pyarrow.Table; what is missing is null."""
        arrow = _import("pyarrow", "to_arrow")
        kinds = {
            bool: arrow.bool_(),
            int: arrow.int64(),
            float: arrow.float64(),
            str: arrow.string(),
        }
        return arrow.table(
            {
                name: arrow.array(
                    values, type=kinds[self._kinds[name][0]]
                )
                for name, values in self.columns().items()
            }
        )


def _import(package: str, method: str) -> typing.Any:
    """Returns a package that is not needed otherwise."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(
            f"{method}() needs {package}: pip install {package}"
        ) from error
