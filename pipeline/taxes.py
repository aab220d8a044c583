"""Net, tax and gross on one line: which columns hold them by their titles, and whether they add up.

Comes in: a row as printed with the columns' titles, then its figures by their part. Goes out: `Check`s. A column named
`VAT` may hold a rate, and a discount may stand between net and gross: so a relation is held against rows only where
nearly all rows that have it close. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from typing import Literal, NamedTuple

from pipeline import terms
from pipeline.amounts import parse, plain
from pipeline.engine import Column, Item, Quote, RawRow, RawTotal
from pipeline.model import Check

Part = Literal["net", "tax", "rate", "gross"]
USUAL = Decimal("0.8")  # the share of rows that close from which the others do not

_RATE = re.compile(r"\b(?:rate|satz|steuersatz|taux|aliquota|stopa|tipo)\b")
_PARTS: tuple[tuple[Part, re.Pattern[str]], ...] = (
    ("gross", re.compile(r"\b(?:gross|brutto|bruttobetrag|ttc|lordo|bruto|incl)\b")),
    ("net", re.compile(r"\b(?:net|netto|nettobetrag|neto|ht|imponibile|osnovica|base|excl)\b")),
    ("tax", re.compile(r"\b(?:vat|tax|gst|mwst|ust|steuer|tva|iva|btw|pdv)\b")),
)


class Figure(NamedTuple):
    """A figure of a row by its part."""

    part: Part
    value: Decimal


class Taxed(NamedTuple):
    """A row's figures beside its amount, and the part that the amount is, where its title tells."""

    figures: tuple[Figure, ...] = ()
    amount_is: Part | None = None


def part(title: str) -> Part | None:
    """What a column of figures holds by its title; None where the title does not tell."""
    words = terms.plainly(title)
    tax = next((name for name, pattern in _PARTS if pattern.search(words)), None)
    return "rate" if tax == "tax" and (_RATE.search(words) or "%" in title) else tax


def taxed(row: RawRow, columns: Sequence[Column], decimal: Literal[",", "."] | None) -> Taxed:
    """The figures of a row in columns that were not asked for, whose titles tell their part."""
    found = []
    for quote in (quote for quote in row.quotes if quote.column == "other_amount"):
        name = part(_title(quote, [column for column in columns if column.name == quote.column]))
        value = parse(quote.text.replace("%", ""), decimal)
        if name and value and not value.ambiguous:
            found.append(Figure("rate" if "%" in quote.text else name, value.value))
    amounts = {part(column.title) for column in columns if column.name == "amount"} if found else set()
    return Taxed(tuple(found), amounts.pop() if len(amounts) == 1 else None)


def _title(quote: Quote, columns: Sequence[Column]) -> str:
    """The title of the column that a quote stands in; the nearest one where several have the name."""
    if not quote.places or not columns:
        return columns[0].title if len({column.title for column in columns}) == 1 else ""
    box = quote.places[0].box
    return min(columns, key=lambda column: min(abs(column.x1 - box.x1), abs(column.x0 - box.x0))).title


def by_gross(items: Sequence[Item], columns: Sequence[Column]) -> tuple[list[Item], list[Column]]:
    """Items and columns with the gross as the amount where the amount is the net, unless of items with prices (which
    make up the net), and every total of the document is printed for the gross, too: it is what is owed.
    """
    nets = {part(column.title) for column in columns if column.name == "amount"}
    ends = [item for item in items if isinstance(item, RawTotal) and item.kind in ("document", "total") and item.inside]
    others = [column for column in columns if column.name == "other_amount"]
    priced = any(column.name == "unit_price" for column in columns)
    if nets != {"net"} or priced or not ends or not all(_gross(total.quotes, others) for total in ends):
        return list(items), list(columns)
    gross = [column.name == "other_amount" and part(column.title) == "gross" for column in columns]
    named = [replace(one, name=_exchanged(one.name, is_it)) for one, is_it in zip(columns, gross, strict=True)]
    return [_swapped(item, others) for item in items], named


def _gross(quotes: Sequence[Quote], others: Sequence[Column]) -> Quote | None:
    own = (quote for quote in quotes if quote.column == "other_amount")
    return next((quote for quote in own if part(_title(quote, others)) == "gross"), None)


def _swapped(item: Item, others: Sequence[Column]) -> Item:
    if not isinstance(item, RawRow | RawTotal):
        return item
    gross = _gross(item.quotes, others)
    quotes = (replace(quote, column=_exchanged(quote.column, quote is gross)) for quote in item.quotes)
    return replace(item, quotes=tuple(quotes))


def _exchanged(name: str, is_gross: bool) -> str:
    if is_gross:
        return "amount"
    return "other_amount" if name == "amount" else name


def checks(rows: Mapping[int, tuple[Taxed, Decimal | None]]) -> dict[int, tuple[Check, ...]]:
    """The relations of each row by its rank, with its amount as it stands by now.

    An amount whose title does not tell is the net where tax and gross are known, the gross where net and tax are.
    """
    by_row = {at: _relations(_complete(held, amount)) for at, (held, amount) in rows.items()}
    for name in ("net + tax = gross", "rate × net = tax"):
        mine = [check for held in by_row.values() for check in held if check.check == name]
        passed = sum(check.outcome == "passed" for check in mine)
        if mine and passed < USUAL * len(mine):
            by_row = {at: tuple(one for one in held if one.check != name) for at, held in by_row.items()}
    return {at: held for at, held in by_row.items() if held}


def _complete(held: Taxed, amount: Decimal | None) -> dict[Part, Decimal]:
    """The figures by part; of two of a part none, since it is not known which counts."""
    names = [figure.part for figure in held.figures]
    found = {figure.part: figure.value for figure in held.figures if names.count(figure.part) == 1}
    if amount is not None and found:
        if held.amount_is:
            found.setdefault(held.amount_is, amount)
        elif {"tax", "gross"} <= set(found):
            found.setdefault("net", amount)
        elif {"tax", "net"} <= set(found):
            found.setdefault("gross", amount)
    return found


def _relations(parts: Mapping[Part, Decimal]) -> tuple[Check, ...]:
    found = []
    if {"net", "tax", "gross"} <= set(parts):
        found.append(_sum(parts["net"], parts["tax"], parts["gross"]))
    if {"rate", "net", "tax"} <= set(parts):
        found.append(_share(parts["rate"], parts["net"], parts["tax"]))
    return tuple(found)


def _sum(net: Decimal, tax: Decimal, gross: Decimal) -> Check:
    sums = f"{plain(net)} + {plain(tax)}"
    if net + tax == gross:
        return Check("net + tax = gross", "passed", f"{sums} = {plain(gross)}")
    return Check("net + tax = gross", "failed", f"{sums} is {plain(net + tax)}, not {plain(gross)}")


def _share(rate: Decimal, net: Decimal, tax: Decimal) -> Check:
    """rate (in per cent) of net = tax, rounded as the tax is printed."""
    smallest = Decimal(1).scaleb(int(tax.as_tuple().exponent))
    rounded = {(rate * net / 100).quantize(smallest, how) for how in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    told = f"{plain(rate)} % of {plain(net)}"
    if tax in rounded:
        return Check("rate × net = tax", "passed", f"{told} = {plain(tax)}")
    return Check("rate × net = tax", "failed", f"{told} is {plain(max(rounded))}, not {plain(tax)}")
