"""Typed values to bytes and back, exactly: how the vocabulary rests in the store.

Comes in: values of model.py, columns of a page. Goes out: ASCII JSON, little-endian bytes, and the same values
again. Refuses, as ValueError: what is not of the asked type.
"""

from __future__ import annotations

import json
import sys
import types
from array import array
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
COLUMN_TYPES = "bBhHiIfd"


def pack(value: object) -> str:
    """JSON of a value made of frozen dataclasses, NamedTuples, tuples, Decimals and plain values."""
    return json.dumps(value, default=_plain, separators=(",", ":"))


def unpack(kind: type[T], text: str) -> T:
    """The value of type `kind` that was packed; ValueError where the text holds something else."""
    try:
        return cast(T, _reader(cast(Any, kind))(json.loads(text)))
    except (ValueError, TypeError, KeyError, InvalidOperation) as error:
        raise ValueError(f"not a packed {getattr(kind, '__name__', kind)}: {error}") from error


def pack_column(column: array[float] | array[int]) -> bytes:
    """The type code, then the numbers, little-endian."""
    if column.typecode not in COLUMN_TYPES:
        raise ValueError(f"columns of type {column.typecode!r} differ between machines")
    return column.typecode.encode() + _little_endian(column).tobytes()


def unpack_column(packed: bytes) -> array[Any]:
    """The column that was packed; ValueError where the bytes hold something else."""
    code = packed[:1].decode("latin-1")
    if not code or code not in COLUMN_TYPES:
        raise ValueError(f"not a packed column: it starts with {packed[:1]!r}")
    column: array[Any] = array(code)
    column.frombytes(packed[1:])
    return _little_endian(column)


def _little_endian(column: array[Any]) -> array[Any]:
    if sys.byteorder == "little":
        return column
    swapped = column[:]
    swapped.byteswap()
    return swapped


def _plain(value: object) -> object:
    match value:
        case Decimal():
            return str(value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {part.name: getattr(value, part.name) for part in fields(value)}
    raise ValueError(f"a {type(value).__name__} cannot rest in the store")


Reader = Callable[[Any], Any]


@cache
def _reader(hint: Any) -> Reader:
    """What turns JSON into a value of the hinted type; made once for each type."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _optional(args)
    if origin is Literal:
        return lambda value: args[args.index(value)]
    if origin is tuple:
        return _items(args)
    if hint is Decimal:
        return lambda value: Decimal(_checked(str, value))
    if hint is float:
        return lambda value: float(_checked((int, float), value))
    if isinstance(hint, type) and issubclass(hint, tuple):
        return _named_tuple(hint)
    if is_dataclass(hint):
        return _record(cast(type[Any], hint))
    return lambda value: _checked(hint, value)


def _checked(kind: type | tuple[type, ...], value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r:.40} is not a {kind}")
    return value


def _optional(args: tuple[Any, ...]) -> Reader:
    [kind] = [arg for arg in args if arg is not type(None)]
    inner = _reader(kind)
    return lambda value: None if value is None else inner(value)


def _items(args: tuple[Any, ...]) -> Reader:
    if args[-1] is Ellipsis:
        item = _reader(args[0])
        return lambda value: tuple(map(item, _checked(list, value)))
    readers = [_reader(arg) for arg in args]
    return lambda value: tuple(read(item) for read, item in zip(readers, _checked(list, value), strict=True))


def _named_tuple(kind: Any) -> Reader:
    """What was packed before a field with a default was added has that default."""
    readers = [_reader(hint) for hint in get_type_hints(kind).values()]
    fewest = len(readers) - len(kind._field_defaults)

    def read(value: Any) -> Any:
        if not fewest <= len(_checked(list, value)) <= len(readers):
            raise ValueError(f"{len(value)} values for the {len(readers)} of a {kind.__name__}")
        return kind(*(item_reader(item) for item_reader, item in zip(readers, value, strict=False)))

    return read


def _record(kind: type[Any]) -> Reader:
    readers = {name: _reader(hint) for name, hint in get_type_hints(kind).items()}
    return lambda value: kind(**{name: readers[name](item) for name, item in _checked(dict, value).items()})
