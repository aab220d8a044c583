"""Net, tax and gross of an invoice, and its tax by rate: which printed amounts they are.

Comes in: a `Print`. Goes out: `RawField`s. Of the amounts that labels claim those are taken that make a sum
(net + tax = gross), the surest labels first; what is to be paid is the gross total only where it makes that sum. Tax by
rate: lines on which a rate of one amount is another. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import product

from pipeline import amounts
from pipeline.amounts import Point
from pipeline.engine import RawField
from pipeline.figures import Run
from pipeline.marks import Mark, Print
from pipeline.model import Place, Word

NAMES = ("net_total", "tax_total", "gross_total")
CENT = Decimal("0.01")
_RATE = re.compile(r"(\d{1,2}(?:[.,]\d{1,3})?)\s?%")


@dataclass(frozen=True)
class Sum:
    """An amount that a label claims. weak: the label says what is to be paid, or no more than `total`."""

    name: str
    value: Decimal
    run: Run
    line: int
    place: Place
    label: str
    weak: bool


@dataclass(frozen=True)
class TaxRow:
    """A line of tax by rate."""

    line: int
    rate: tuple[Word, ...]
    base: Run
    tax: Run
    values: tuple[Decimal, Decimal, Decimal]


def fields(prints: Print, skipped: frozenset[int] = frozenset()) -> list[RawField]:
    """The totals, and tax by rate."""
    decimal = _decimal(prints)
    rows = _tax_rows(prints, decimal, skipped)
    sums = list(_sums(prints, decimal, skipped | {row.line for row in rows}))
    sums += _of_rows(prints, rows)
    return [*_totals(sums), *_by_rate(prints, rows)]


def _decimal(prints: Print) -> Point | None:
    return amounts.separator(run.text for line in prints.lines for run in line.figures).decimal


def _value(text: str, decimal: Point | None) -> Decimal | None:
    found = amounts.parse(text, decimal)
    return found.value if found and not (found.ambiguous and found.other is not None) else None


# ---- totals


def _sums(prints: Print, decimal: Point | None, skipped: frozenset[int]) -> Iterator[Sum]:
    for mark in prints.marks:
        if mark.line in skipped:
            continue
        for name in NAMES:
            meaning = mark.means(name)
            found = _amount(prints, mark, decimal) if meaning else None
            if meaning and found:
                line, run, value = found
                yield Sum(name, value, run, line, prints.place(line, run.words), mark.text.strip(" :"), meaning.weak)


def _amount(prints: Print, mark: Mark, decimal: Point | None) -> tuple[int, Run, Decimal] | None:
    """The one amount behind a label up to the next label of an amount, or below it at its edge."""
    line = prints.lines[mark.line]
    stop = prints.stop(mark)
    behind = [run for run in line.figures if set(run.words) & set(line.words[mark.stop : stop])]
    if len(behind) == 1 and (value := _value(behind[0].text, decimal)) is not None:
        return mark.line, behind[0], value
    return None if behind else _below(prints, mark, decimal)


def _below(prints: Print, mark: Mark, decimal: Point | None) -> tuple[int, Run, Decimal] | None:
    """The amount below a label: where labels stand in a row above their amounts."""
    size = prints.lines[mark.line].words[mark.start].size
    for at in range(mark.line + 1, min(mark.line + 4, len(prints.lines))):
        under = prints.lines[at]
        if under.page != prints.lines[mark.line].page or under.box.top - mark.box.bottom > 2.5 * size:
            return None
        over = [run for run in under.figures if run.box.x0 < mark.box.x1 and mark.box.x0 < run.box.x1]
        if len(over) == 1 and (value := _value(over[0].text, decimal)) is not None:
            return at, over[0], value
    return None


def _of_rows(prints: Print, rows: Sequence[TaxRow]) -> list[Sum]:
    """What one line of tax by rate says of the totals: with a single rate its tax is all the tax."""
    if len(rows) != 1:
        return []
    [row] = rows
    label = "tax by rate"
    return [
        Sum("net_total", row.values[1], row.base, row.line, prints.place(row.line, row.base.words), label, True),
        Sum("tax_total", row.values[2], row.tax, row.line, prints.place(row.line, row.tax.words), label, True),
    ]


def _totals(sums: Sequence[Sum]) -> list[RawField]:
    by_name = {name: [one for one in sums if one.name == name] for name in NAMES}
    closing = [trio for trio in product(*by_name.values()) if trio[0].value + trio[1].value == trio[2].value]
    best = min(closing, key=lambda trio: sum(one.weak for one in trio), default=None)
    found = []
    for at, name in enumerate(NAMES):
        held = by_name[name]
        if not held:
            continue
        chosen = best[at] if best else min(held, key=lambda one: one.weak)
        others = [one for trio in closing for one in trio if one.name == name] if best else held
        level = sum(one.weak for one in best) if best else 0
        same = [trio[at] for trio in closing if sum(one.weak for one in trio) == level] if best else others
        rivals = tuple(dict.fromkeys(one.run.text for one in same if one.value != chosen.value))
        doubts = () if best else ("no sum of net and tax is printed as the gross total",)
        found.append(
            RawField(name, chosen.run.text, chosen.place.page, 0, chosen.label, (chosen.place,), None, rivals, doubts)
        )
    return found


# ---- tax by rate


def _tax_rows(prints: Print, decimal: Point | None, skipped: frozenset[int]) -> list[TaxRow]:
    found: list[TaxRow] = []
    for at in range(len(prints.lines)):
        row = _tax_row(prints, at, decimal) if at not in skipped else None
        if row and not any(row.values == other.values for other in found):
            found.append(row)
    return found


def _tax_row(prints: Print, at: int, decimal: Point | None) -> TaxRow | None:
    """A line with a rate, an amount and that rate of it; without other amounts than their sum and the net's parts."""
    line = prints.lines[at]
    if not _taxed(prints, at):
        return None
    figures = [(run, value) for run in line.figures if (value := _value(run.text, decimal)) is not None]
    for rate, words in _rates(line.words, decimal):
        rest = [(run, value) for run, value in figures if not set(run.words) & set(words)]
        for (base, net), (tax, amount) in product(rest, rest):
            if base is not tax and net and _share(rate, net) == amount and (rate or not amount):
                if rate == 0 and (len({value for _, value in rest if value}) > 1 or amount):
                    continue
                return TaxRow(at, words, base, tax, (rate, net, amount))
    return None


def _share(rate: Decimal, base: Decimal) -> Decimal:
    return (rate * base / 100).quantize(CENT, ROUND_HALF_UP)


def _taxed(prints: Print, at: int) -> bool:
    """Whether the line, or one of those right above it, names a tax."""
    page = prints.lines[at].page
    near = [line for line in range(max(0, at - 6), at + 1) if prints.lines[line].page == page]
    return any(
        mark.means("tax_total") or mark.means("tax_id") for line in near for mark in prints.by_line.get(line, ())
    )


def _rates(words: Sequence[Word], decimal: Point | None) -> Iterator[tuple[Decimal, tuple[Word, ...]]]:
    """Rates on a line: with a sign of per cent, else figures that are small enough for one."""
    bare = []
    for at, word in enumerate(words):
        percent = word.text.endswith("%") or (at + 1 < len(words) and words[at + 1].text.startswith("%"))
        value = _rate(word.text.strip("(),%"))
        if value is None or value > 40:
            continue
        taken = (word, words[at + 1]) if percent and "%" not in word.text else (word,)
        if percent:
            yield value, taken
        else:
            bare.append((value, taken))
    yield from bare


def _rate(text: str) -> Decimal | None:
    found = amounts.parse(text, None)
    return found.value if found and not found.currency and found.value >= 0 else None


def _by_rate(prints: Print, rows: Sequence[TaxRow]) -> list[RawField]:
    found = []
    for number, row in enumerate(rows, start=1):
        parts = {"tax_rate": row.rate, "tax_base": row.base.words, "tax_amount": row.tax.words}
        for name, words in parts.items():
            place = prints.place(row.line, words)
            text = " ".join(word.text for word in words)
            found.append(RawField(name, text, place.page, number, "tax by rate", (place,)))
    return found
