"""Rates of tax that are printed once for several items: in a cell over their rows, or beside the totals.

Comes in: the `Field`s of one invoice. Goes out: a tax rate for each item that has none of its own, with the place of
the one that holds for it. Only where sums say so: the items of each rate come to its base, or all of them to the net
total of which the only rate is the tax. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from pipeline import labels, taxrows
from pipeline.amounts import parse
from pipeline.model import Check, Field
from pipeline.secondread import BY_LABEL

SHARED = "shared cell"
RATE, AMOUNT = "line_item_tax_rate", "line_item_amount"


def rates(fields: Sequence[Field]) -> list[Field]:
    """The rates that items share with others, or with the totals."""
    named = {field.name: field for field in fields}
    numbers = [n for name, n in map(labels.bare, named) if name == AMOUNT]
    printed = {n: named[name] for n in numbers if (name := labels.numbered(RATE, n)) in named}
    lines = {n: amount for n in numbers if (amount := _value(named, labels.numbered(AMOUNT, n))) is not None}
    if len(lines) < max(len(numbers), 2) or len(printed) == len(numbers):
        return []
    fitting = {
        tuple(owners[n].name for n in numbers): owners
        for owners in _owners(numbers, printed, named)
        if _closes(owners, lines, named)
    }
    if len(fitting) != 1:
        return []
    [owners] = fitting.values()
    return [_shared(n, owners) for n in numbers if n not in printed]


def _owners(
    numbers: Sequence[int], printed: Mapping[int, Field], named: Mapping[str, Field]
) -> Iterator[dict[int, Field]]:
    """The rate of each item, in the ways that it may be meant: the one above or the one below; else the only one."""
    if printed:
        for order in (sorted(numbers), sorted(numbers, reverse=True)):
            last, found = None, {}
            for n in order:
                last = printed.get(n, last)
                if last:
                    found[n] = last
            if len(found) == len(numbers):
                yield found
        return
    only = [field for name, field in named.items() if labels.bare(name)[0] == "tax_rate"]
    if len(only) == 1:
        yield dict.fromkeys(numbers, only[0])


def _closes(owners: Mapping[int, Field], lines: Mapping[int, Decimal], named: Mapping[str, Field]) -> bool:
    """Whether the items of each rate come to its base; of a single rate, all of them to the net total."""
    sums: dict[Decimal, Decimal] = {}
    for n, field in owners.items():
        rate = parse(field.normalised, ".")
        if rate is None:
            return False
        sums[rate.value] = sums.get(rate.value, Decimal(0)) + lines[n]
    taxes = [n for name, n in map(labels.bare, named) if name == "tax_rate"]
    bases = {_value(named, f"tax_{n}_rate"): _value(named, f"tax_{n}_base") for n in taxes}
    if len(taxes) == len(bases) and None not in bases.values() and bases == sums:
        return True
    net, tax = _value(named, "net_total"), _value(named, "tax_total")
    [(percent, total), *others] = sums.items()
    return not others and total == net and taxrows.share(percent, total) == tax


def _value(named: Mapping[str, Field], name: str) -> Decimal | None:
    found = parse(named[name].normalised, ".") if name in named else None
    return found.value if found else None


def _shared(number: int, owners: Mapping[int, Field]) -> Field:
    owner = owners[number]
    count = sum(field is owner for field in owners.values())
    kept = tuple(check for check in owner.checks if check.check != BY_LABEL)
    told = f"one printed rate holds for {count} items, which come to what it is of"
    checks = (*kept, Check(BY_LABEL, "passed", told), Check(SHARED, "passed", f"its place is shared by {count} items"))
    return replace(owner, name=labels.numbered(RATE, number), checks=checks)
