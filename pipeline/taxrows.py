"""Tax by rate: lines on which a rate of one amount is another.

Comes in: a `Print`. Goes out: `TaxRow`s, then `RawField`s. The titles above such lines are many and their order free,
so that the arithmetic tells what each figure is; the line, or one above it, must name a tax. Refuses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise, permutations

from pipeline import amounts
from pipeline.amounts import Point
from pipeline.engine import RawField
from pipeline.figures import Run, TableLine
from pipeline.marks import Print, is_sum
from pipeline.model import Word

CENT = Decimal("0.01")
TENTH = Decimal("0.1")
HIGHEST = 40  # per cent
BELOW = 4  # lines of a scan between it and the tax total that names it at most
LONG = 3  # signs of an amount of which one may be misread
ABOVE = 8  # lines between the title that names the tax and the last of its rates at most


_THOUSANDS = re.compile(r"\d{1,3} \d{3}[.,]\d\d")  # that a space parts


@dataclass(frozen=True)
class TaxRow:
    """A line of tax by rate: its words, and their values."""

    line: int
    rate: tuple[Word, ...]
    base: Run
    tax: Run
    percent: Decimal
    net: Decimal
    amount: Decimal


@dataclass(frozen=True)
class TaxPart:
    """A line of tax by rate that prints no base: its rate and its amount."""

    line: int
    rate: tuple[Word, ...]
    tax: Run
    percent: Decimal
    amount: Decimal
    label: str


def value(text: str, decimal: Point | None) -> Decimal | None:
    """An amount that can be read in one way only."""
    found = amounts.parse(text, decimal)
    return found.value if found and not (found.ambiguous and found.other is not None) else None


def find(prints: Print, decimal: Point | None, skipped: frozenset[int]) -> list[TaxRow]:
    """The lines of tax by rate, each once."""
    found: list[TaxRow] = []
    for at in range(len(prints.lines)):
        row = _row(prints, at, decimal) if at not in skipped and _taxed(prints, at) else None
        if row and not any((row.percent, row.net) == (other.percent, other.net) for other in found):
            found.append(row)
    return found


def parts(prints: Print, decimal: Point | None, skipped: frozenset[int], rows: Sequence[TaxRow]) -> list[TaxPart]:
    """Lines of a sound text layer on which a label of tax, one rate and one amount stand, and no base."""
    taken = {row.line for row in rows}
    found = []
    for at, line in enumerate(prints.lines):
        mark = next((one for one in prints.by_line.get(at, ()) if one.means("tax_total")), None)
        if mark is None or at in skipped or at in taken or line.words[0].font == "ocr":
            continue
        signed = [(percent, words) for percent, words in _rates(line.words) if any("%" in one.text for one in words)]
        held = [(run, amount) for run in _runs(line) if (amount := value(run.text, decimal)) is not None]
        free = {run.words: (run, amount) for run, amount in held}  # a figure may be found in two ways
        free = {words: one for words, one in free.items() if all(set(words).isdisjoint(rate) for _, rate in signed)}
        if len(signed) == 1 and len(free) == 1:
            [(percent, rate)], [(run, amount)] = signed, free.values()
            found.append(TaxPart(at, rate, run, percent, amount, mark.text.strip(" :")))
    return found


def _row(prints: Print, at: int, decimal: Point | None) -> TaxRow | None:
    line = prints.lines[at]
    held = [(run, amount) for run in _runs(line) if (amount := value(run.text, decimal)) is not None]
    for percent, words in _rates(line.words):
        edge = _total_beside(prints, at, words) if not percent else float("inf")
        rest = [(run, amount) for run, amount in held if set(run.words).isdisjoint(words) and run.box.x0 < edge]
        fitting = [
            TaxRow(at, words, base, tax, percent, net, amount)
            for (base, net), (tax, amount) in permutations(rest, 2)
            if net and amount == share(percent, net) and (percent or _only(net, rest))
        ]
        if fitting:
            printed = {amount for _, amount in rest}
            return max(fitting, key=lambda row: (row.net + row.amount in printed, row.base.box.x0))
        if line.words[0].font == "ocr" and any("%" in word.text for word in words):
            misread = [*_with_tax_misread(line, rest, (percent, words)), *_with_base_misread(prints, rest, percent)]
            if len(misread) == 1:
                base, net, tax = misread[0]
                return TaxRow(at, words, base, tax, percent, net, share(percent, net))
    return None


def _total_beside(prints: Print, at: int, rate: Sequence[Word]) -> float:
    """Where the label of a total begins that stands on the line behind a rate, beside the table of tax."""
    marks = [mark for mark in prints.by_line.get(at, ()) if mark.box.x0 > rate[-1].box.x1]
    return min((mark.box.x0 for mark in marks if is_sum(mark)), default=float("inf"))


def _with_tax_misread(
    line: TableLine, figures: Sequence[tuple[Run, Decimal]], rate: tuple[Decimal, Sequence[Word]]
) -> Iterator[tuple[Run, Decimal, Run]]:
    """Base, its value, and the word behind it that must be its tax, but for a sign that OCR lost or misread."""
    percent, held = rate
    for base, net in figures:
        behind = line.words[line.words.index(base.words[-1]) + 1 :]
        meant = amounts.plain(share(percent, net))
        near = [word for word in behind if word not in held and _is_near(word.text, meant)]
        if len(near) == 1 and share(percent, net):
            yield base, net, Run((near[0],))


def _with_base_misread(
    prints: Print, figures: Sequence[tuple[Run, Decimal]], percent: Decimal
) -> Iterator[tuple[Run, Decimal, Run]]:
    """Base, its value and its tax, where the base is near to an amount printed elsewhere of which that is the tax."""
    printed = {found.value for line in prints.lines for run in line.figures if (found := amounts.parse(run.text, None))}
    for (base, _), (tax, amount) in permutations(figures, 2):
        for net in printed:
            if amount and share(percent, net) == amount and _is_near(base.text, amounts.plain(net)):
                yield base, net, tax


def _is_near(text: str, meant: str) -> bool:
    """Whether a word has the figures of an amount, or all but one of its signs."""
    figures = "".join(filter(str.isdigit, text))
    alone = figures == meant.replace(".", "") and not any(map(str.isalpha, text))
    shape = "".join(sign for sign in text if sign not in "., ")
    plain = meant.replace(".", "")
    one = len(shape) == len(plain) and sum(a != b for a, b in zip(shape, plain, strict=True)) == 1
    return len(plain) > 2 and (alone or (one and len(plain) > LONG))


def _runs(line: TableLine) -> list[Run]:
    """The figures of a line, those too that stand close to words (`Base 177,66`)."""
    taken = {word for run in line.figures for word in run.words}
    exact = [Run((word,)) for word in line.words if word not in taken and in_cents(word.text)]
    parted = [
        Run((left, word))
        for left, word in pairwise(line.words)
        if _THOUSANDS.fullmatch(f"{left.text} {word.text}") and _close(left, word)
    ]
    return sorted([*line.figures, *exact, *parted], key=lambda run: run.box.x0)


def _close(left: Word, right: Word) -> bool:
    return right.box.x0 - left.box.x1 < 0.6 * right.size


def in_cents(text: str) -> bool:
    """Whether it is an amount with two decimals."""
    found = amounts.parse(text, None)
    return found is not None and found.places == 2


def _only(net: Decimal, rest: Sequence[tuple[Run, Decimal]]) -> bool:
    """Whether nothing else than that amount may be what no tax is on."""
    return {amount for _, amount in rest if amount} == {net}


def share(percent: Decimal, base: Decimal) -> Decimal:
    """So many per cent of an amount, in cents."""
    return (percent * base / 100).quantize(CENT, ROUND_HALF_UP)


def _taxed(prints: Print, at: int) -> bool:
    """Whether the line, or one of those right above it, names a tax."""
    page = prints.lines[at].page
    scanned = prints.lines[at].words[0].font == "ocr" and any("%" in word.text for word in prints.lines[at].words)
    last = min(at + BELOW, len(prints.lines) - 1) if scanned else at  # OCR misreads `PDV` and the like most
    near = [line for line in range(max(0, at - ABOVE), last + 1) if prints.lines[line].page == page]
    return any(
        mark.means("tax_total") or mark.means("tax_id") for line in near for mark in prints.by_line.get(line, ())
    )


def _rates(words: Sequence[Word]) -> Iterator[tuple[Decimal, tuple[Word, ...]]]:
    """Rates on a line: with a sign of per cent; on a line without one, figures that are small enough for a rate, the
    roundest first.
    """
    bare, signed = [], False
    for at, word in enumerate(words):
        after = words[at + 1].text if at + 1 < len(words) else ""
        percent = _percent(word.text.strip("(),%"))
        if percent is None:
            continue
        if "%" in word.text or after.startswith("%"):
            signed = True
            yield percent, (word,) if "%" in word.text else (word, words[at + 1])
        else:
            bare.append((percent, (word,)))
    yield from () if signed else sorted(bare, key=lambda one: -int(one[0].as_tuple().exponent))


def _percent(text: str) -> Decimal | None:
    found = amounts.parse(text, None)
    if found is None or found.currency or not 0 <= found.value <= HIGHEST:
        return None
    return found.value if found.value == found.value.quantize(TENTH) else None  # rates of other levies are odder


def fields(prints: Print, rows: Sequence[TaxRow], parted: Sequence[TaxPart] = ()) -> list[RawField]:
    """Rate, base and tax of each line; of those without a base, rate and tax."""
    found = []
    lines: list[TaxRow | TaxPart] = [*rows, *parted]
    for number, held in enumerate(lines, start=1):
        base = [("tax_base", held.base.words)] if isinstance(held, TaxRow) else []
        label = held.label if isinstance(held, TaxPart) else "tax by rate"
        for name, words in [("tax_rate", held.rate), *base, ("tax_amount", held.tax.words)]:
            place = prints.place(held.line, words)
            text = " ".join(word.text for word in words)
            found.append(RawField(name, text, place.page, number, label, (place,)))
    return found
