"""Numbers of one object that make a product or a sum: quantity × price = amount, base × rate = tax, net + tax = gross.

Comes in: leaves, and the paths of those that hold so far. Goes out: by path why a number is in doubt: it and its mates
hold each by itself, and do not agree. Refuses nothing: where a part is missing, or something else explains what is
left (a discount, a shipping fee among the values), nothing is said.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from pipeline.leaves import Leaf, Path

QUANTITY = frozenset(("quantity", "qty", "hours", "units", "pieces"))
PRICE = frozenset(("price", "unitprice"))
AMOUNT = frozenset(("amount", "total", "value", "sum", "tax", "vat"))
BASE = frozenset(("base", "taxable", "net", "basis"))
RATE = frozenset(("rate", "percent", "percentage", "pct"))
NET = frozenset(("net", "subtotal", "taxable"))
GROSS = frozenset(("gross", "total"))
TAX = frozenset(("tax", "vat", "gst", "iva", "mwst"))
CENTS = Decimal("0.05")
CLOSE = Decimal("0.005")  # of the result: prices are rounded
HIGHEST = 100  # percent of a rate of tax
MOST = Decimal("0.8")  # of the rows of an array must agree before one that does not is in doubt
MANY = 3  # rows that say how the rows of an array are made


class _Sum(NamedTuple):
    """Three leaves that must agree, what they are said to make, and whether they do."""

    parts: tuple[Leaf, Leaf, Leaf]
    told: str
    agrees: bool


def doubts(leaves: Sequence[Leaf], held: Collection[Path]) -> dict[Path, str]:
    """Why numbers are in doubt that hold by themselves."""
    objects: dict[Path, list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        if isinstance(leaf.value, Decimal):
            objects[leaf.path[:-1]].append(leaf)
    everything = {abs(leaf.value) for leaf in leaves if isinstance(leaf.value, Decimal)}
    arrays: dict[tuple[str, ...], list[_Sum]] = defaultdict(list)
    for path, members in objects.items():
        for one in _sums(members, everything):
            arrays[(*(step for step in path if isinstance(step, str)), one.told)].append(one)
    found: dict[Path, str] = {}
    for sums in arrays.values():
        standing = [one for one in sums if all(leaf.path in held for leaf in one.parts)]
        agreeing = sum(one.agrees for one in standing)
        if len(standing) >= MANY and agreeing < MOST * (len(standing) - 1):
            continue
        for one in standing:
            if not one.agrees:
                found |= {leaf.path: one.told for leaf in one.parts}
    return found


def _sums(members: Sequence[Leaf], everything: Collection[Decimal]) -> Iterator[_Sum]:
    first, second, third = (_one(members, *words) for words in ((QUANTITY,), (PRICE,), (AMOUNT, QUANTITY | PRICE)))
    if first and second and third:
        made = _number(first) * _number(second)
        yield _Sum((first, second, third), _told(first, "×", second, third), _near(made, _number(third), everything))
    first, second, third = (_one(members, *words) for words in ((BASE, RATE), (RATE,), (AMOUNT, BASE | RATE)))
    if first and second and third:
        made = _number(first) * _number(second) / 100
        told = _told(first, "×", second, third)
        agrees = abs(_number(second)) <= HIGHEST and _near(made, _number(third), ())
        yield _Sum((first, second, third), told, agrees)
    first, second, third = (_one(members, *words) for words in ((NET,), (TAX, NET | RATE | GROSS), (GROSS, NET | TAX)))
    second = second or _one(members, TAX, NET | RATE | frozenset(("gross",)))
    if first and second and third and first.path != second.path:
        made = _number(first) + _number(second)
        agrees = _near(made, _number(third), everything) and abs(_number(second)) <= abs(_number(first))
        yield _Sum((first, second, third), _told(first, "+", second, third), agrees)


def _one(members: Sequence[Leaf], words: Collection[str], but: Collection[str] = ()) -> Leaf | None:
    """The only member whose key has one of the words, and none of others."""
    found = [leaf for leaf in members if _has(leaf, words) and not _has(leaf, but)]
    return found[0] if len(found) == 1 else None


def _has(leaf: Leaf, words: Collection[str]) -> bool:
    return any(word in words for word in leaf.words)


def _near(made: Decimal, told: Decimal, everything: Collection[Decimal]) -> bool:
    """Whether two numbers are one, but for rounding and for what another of the values explains."""
    apart = abs(abs(made) - abs(told))
    return apart <= max(CENTS, CLOSE * abs(told)) or any(abs(apart - one) <= CENTS for one in everything if one)


def _number(leaf: Leaf) -> Decimal:
    assert isinstance(leaf.value, Decimal)
    return leaf.value


def _told(first: Leaf, sign: str, second: Leaf, third: Leaf) -> str:
    names: Mapping[int, str] = {at: str(leaf.path[-1]) for at, leaf in enumerate((first, second, third))}
    return f"{names[0]} {sign} {names[1]} is not {names[2]}, as it should be"
