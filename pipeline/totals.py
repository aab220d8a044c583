"""Net, tax and gross of an invoice, and its tax by rate: which printed amounts they are.

Comes in: a `Print`, and the lines of the table of items, which hold no totals. Goes out: `RawField`s. Of the amounts
that labels claim those are taken that make a sum (net + tax = gross) and that the tax by rate adds up to, the surest
labels first; what is to be paid is the gross total only where it makes that sum. Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import product

from pipeline import amounts, taxrows
from pipeline.amounts import Point
from pipeline.engine import RawField
from pipeline.figures import Run, figures
from pipeline.labels import TOTALS as NAMES
from pipeline.marks import Mark, Print, is_sum
from pipeline.model import Box, ExtraKind, Place, Word
from pipeline.taxrows import TaxPart, TaxRow, value

KINDS: tuple[ExtraKind, ...] = ("allowance", "charge", "prepaid", "rounding")
LEVEL = 0.5  # of an amount's height that a label beside it shares
MISREAD = 2  # figures of an amount that may be misread
ROWS = 8  # below a row of labels at most
NO_SUM = "no net and tax are printed that make the gross total"
UNEVEN = "the tax by rate does not add up to it"


@dataclass(frozen=True)
class Sum:
    """An amount that a label claims. weak: the label says what is to be paid, or no more than `total`; place: none
    where it is not printed, but follows from the tax by rate; cells: where it stands in several.
    """

    name: str
    value: Decimal
    text: str
    place: Place | None
    label: str
    weak: bool
    cells: tuple[Place, ...] = ()


Trio = tuple[Sum, Sum, Sum]


def fields(prints: Print, skipped: frozenset[int] = frozenset()) -> list[RawField]:
    """The totals, and tax by rate."""
    decimal = amounts.separator(run.text for line in prints.lines for run in line.figures).decimal
    rows = taxrows.find(prints, decimal, skipped)
    parts = taxrows.parts(prints, decimal, skipped, rows)
    sums = [*_sums(prints, decimal, skipped, {row.line: row.tax.box.x1 for row in rows}), *_of_rows(prints, rows)]
    whole = _over_cells(prints, rows, parts)
    if whole and not _is_printed(sums, whole.value):
        sums = [one for one in sums if one.name != "tax_total"]
        return [*_totals([*sums, whole], [], whole), *taxrows.fields(prints, rows, parts)]
    needed = whole is not None and any(_taxed(trio, whole.value) for trio in _trios(sums))
    found = [*_totals(sums, rows, whole), *taxrows.fields(prints, rows, parts if needed else ())]
    return found + (_only_rate(prints, parts[0], sums) if len(parts) == 1 and not rows else [])


def _only_rate(prints: Print, part: TaxPart, sums: Sequence[Sum]) -> list[RawField]:
    """The rate of the tax total, where it is the only one and the sum closes with it."""
    nets = {net.value for net, tax, _ in _trios(sums) if tax.value == part.amount}
    if len(nets) != 1 or taxrows.share(part.percent, *nets) != part.amount:
        return []
    place, text = prints.place(part.line, part.rate), " ".join(word.text for word in part.rate)
    return [RawField("tax_rate", text.rstrip(" :"), place.page, 1, part.label, (place,))]


def _over_cells(prints: Print, rows: Sequence[TaxRow], parts: Sequence[TaxPart]) -> Sum | None:
    """The tax total that stands in several cells, one for each rate; None for one cell, or a rate that comes twice."""
    cells: list[TaxRow | TaxPart] = sorted([*rows, *parts], key=lambda cell: cell.line)
    if len(cells) < 2 or len({cell.percent for cell in cells}) < len(cells):
        return None
    if any(prints.lines[cell.line].words[0].font == "ocr" for cell in cells):
        return None
    places = tuple(prints.place(cell.line, cell.tax.words) for cell in cells)
    text, whole = amounts.PLUS.join(cell.tax.text for cell in cells), sum((cell.amount for cell in cells), Decimal(0))
    label = parts[0].label if parts else "tax by rate"
    return Sum("tax_total", whole, text, places[0], label, weak=False, cells=places)


def _is_printed(sums: Sequence[Sum], tax: Decimal) -> bool:
    """Whether the page prints that amount as the tax total, or no sum closes with it."""
    if any(one.name == "tax_total" and one.place and one.value == tax for one in sums):
        return True
    nets, grosses = ([one.value for one in sums if one.name == name] for name in ("net_total", "gross_total"))
    return not any(net + tax == gross for net, gross in product(nets, grosses))


def _trios(sums: Sequence[Sum]) -> list[Trio]:
    """The net, tax and gross totals that make a sum."""
    nets, taxes, grosses = ([one for one in sums if one.name == name] for name in NAMES)
    return [trio for trio in product(nets, taxes, grosses) if trio[0].value + trio[1].value == trio[2].value]


def _taxed(trio: Trio, tax: Decimal) -> bool:
    return trio[1].value == tax


# ---- amounts and their labels


def _sums(prints: Print, decimal: Point | None, skipped: frozenset[int], rated: Mapping[int, float]) -> Iterator[Sum]:
    for mark in prints.marks:
        names = [name for name in NAMES if mark.means(name)]
        if not names or mark.line in skipped or mark.box.x0 < rated.get(mark.line, 0.0):
            continue
        for line, run, amount in _claimed(prints, mark, decimal, skipped):
            for name in names:
                meaning = mark.means(name)
                weak = meaning is not None and meaning.weak
                yield Sum(name, amount, run.text, prints.place(line, run.words), mark.text.strip(" :"), weak)


def between(prints: Print, skipped: frozenset[int]) -> list[tuple[ExtraKind, Decimal]]:
    """Amounts between the items and what is to be paid, each with its kind: allowances, charges, rounding, prepaid."""
    decimal = amounts.separator(run.text for line in prints.lines for run in line.figures).decimal
    found = []
    for mark in prints.marks:
        kind = next((kind for kind in KINDS if mark.means(kind)), None)
        if kind and mark.line not in skipped:
            behind = _figures(prints.lines[mark.line].words[mark.stop : _stop(prints, mark)], decimal)
            values = [amount for _, amount in behind[-1:]] or [
                amount for _, _, amount in _below(prints, mark, decimal, skipped)
            ]
            found += [(kind, amount) for amount in values if amount]
    return list(dict.fromkeys(found))


def _claimed(
    prints: Print, mark: Mark, decimal: Point | None, skipped: frozenset[int]
) -> list[tuple[int, Run, Decimal]]:
    """The one amount behind a label, up to the next label of an amount; else the amounts below it in its column."""
    line = prints.lines[mark.line]
    behind = _figures(line.words[mark.stop : _stop(prints, mark)], decimal)
    if behind:
        if line.words[0].font == "ocr" and len(behind) > 1:  # specks between a label and its amount
            behind = [one for one in behind if taxrows.in_cents(one[0].text)]
        return [(mark.line, *behind[0])] if len(behind) == 1 else []
    return list(_beside(prints, mark, decimal, skipped)) or list(_below(prints, mark, decimal, skipped))


def _beside(
    prints: Print, mark: Mark, decimal: Point | None, skipped: frozenset[int]
) -> Iterator[tuple[int, Run, Decimal]]:
    """The amount that ends another line of a scan at the height of a label, whose own line ends with it."""
    line = prints.lines[mark.line]
    if mark.stop < len(line.words) or line.words[0].font != "ocr":
        return
    for at in (mark.line - 1, mark.line + 1):
        other = prints.lines[at] if 0 <= at < len(prints.lines) and at not in skipped else None
        if other is None or other.page != line.page:
            continue
        for run, amount in _figures(other.words, decimal)[-1:]:
            shared = min(run.box.bottom, mark.box.bottom) - max(run.box.top, mark.box.top)
            named = any(is_sum(one) and one.box.x0 > mark.box.x1 for one in prints.by_line.get(at, ()))
            if run.box.x0 > mark.box.x1 and shared > LEVEL * run.box.height and not named:
                yield at, run, amount


def _stop(prints: Print, mark: Mark) -> int:
    starts = [one.start for one in prints.by_line[mark.line] if one.start >= mark.stop and is_sum(one)]
    return min(starts, default=len(prints.lines[mark.line].words))


def _figures(words: tuple[Word, ...], decimal: Point | None) -> list[tuple[Run, Decimal]]:
    """The amounts among words behind a label, without rates."""
    start = next((at for at, word in enumerate(words) if any(map(str.isdigit, word.text))), len(words))
    if start and words[start - 1].text.strip("(") in {*amounts.CODES, *amounts.SIGNS, "-", "–", "−"}:
        start -= 1
    runs = [run for run in figures(words[start:]) if not _is_rate(words, run)]
    return [(run, amount) for run in runs if (amount := value(run.text, decimal)) is not None]


def _is_rate(words: Sequence[Word], run: Run) -> bool:
    after = words.index(run.words[-1]) + 1
    return after < len(words) and words[after].text.startswith("%")


def _below(
    prints: Print, mark: Mark, decimal: Point | None, skipped: frozenset[int]
) -> Iterator[tuple[int, Run, Decimal]]:
    """Amounts below a label that stands in a row of labels: those nearer to it than to the others."""
    line = prints.lines[mark.line]
    titles = [one.box for one in prints.by_line[mark.line] if is_sum(one) or one.means("tax_id")]
    bottom, size = mark.box.bottom, line.words[mark.start].size
    if len(titles) < 2:
        return
    for at in range(mark.line + 1, min(mark.line + 1 + ROWS, len(prints.lines))):
        under = prints.lines[at]
        if under.page != line.page or at in skipped or under.box.top - bottom > 2.5 * size:
            return
        found = _figures(under.words, decimal)
        for run, amount in found:
            if max(titles, key=lambda box: _shared(box, run.box)) == mark.box and _shared(mark.box, run.box) > -size:
                yield at, run, amount
        bottom = under.box.bottom


def _shared(one: Box, other: Box) -> float:
    return min(one.x1, other.x1) - max(one.x0, other.x0)


def _of_rows(prints: Print, rows: Sequence[TaxRow]) -> list[Sum]:
    """What tax by rate says of the totals: its sums, printed where there is one line only."""
    if not rows:
        return []
    net, tax = sum(row.net for row in rows), sum(row.amount for row in rows)
    alone = rows[0] if len(rows) == 1 else None
    printed = {
        "net_total": (Decimal(net), alone.base if alone else None),
        "tax_total": (Decimal(tax), alone.tax if alone else None),
    }
    return [
        Sum(name, amount, run.text if run else "", prints.place(rows[0].line, run.words) if run else None,
            "tax by rate", True)
        for name, (amount, run) in printed.items()
    ]  # fmt: skip


# ---- which of them are the totals


def _totals(sums: Sequence[Sum], rows: Sequence[TaxRow], whole: Sum | None) -> list[RawField]:
    """whole: the tax total by all lines of tax by rate, those without a base too."""
    by_name = {name: [one for one in sums if one.name == name] for name in NAMES}
    nets, taxes, grosses = by_name.values()
    trios = _trios(sums)
    trios = [trio for trio in trios if trio[2].value] or trios  # sums of nothing are those of empty groups
    fitting = [trio for trio in trios if _fits(trio, rows) or (whole and _taxed(trio, whole.value))]
    if not trios:
        near = [trio for trio in product(nets, taxes, grosses) if _nearly(trio)]
        if near:
            best = min(near, key=_weakness)
            return [_field(one, by_name[one.name], (NO_SUM,)) for one in best if one.place]
        return [one for name in NAMES if (one := _alone(by_name[name]))]
    best = min(fitting or trios, key=_weakness)
    same = [trio for trio in fitting or trios if _weakness(trio) == _weakness(best)]
    doubts = () if fitting else (UNEVEN,)
    found = [_field(one, [trio[at] for trio in same], doubts) for at, one in enumerate(best) if one.place]
    return found + [field for one in best if not one.place for field in _meant(one, by_name[one.name], sums)]


def _meant(meant: Sum, held: Sequence[Sum], sums: Sequence[Sum]) -> list[RawField]:
    """The printed amount that must be the one that follows from the tax by rate: the same by a label that was read in
    part, or all but a figure or two by its own.
    """
    same = {one.place: one for one in sums if one.place and one.value == meant.value}
    near = [one for one in held if one.place and _misread(one.value, meant.value)]
    found = list(same.values()) or near
    return [_field(replace(found[0], name=meant.name), (), (NO_SUM,))] if len(found) == 1 else []


def _nearly(trio: Trio) -> bool:
    """Whether the sum closes but for a figure or two of one amount, which OCR may have misread."""
    net, tax, gross = (one.value for one in trio)
    return _misread(net, gross - tax) or _misread(tax, gross - net) or _misread(gross, net + tax)


def _misread(read: Decimal, meant: Decimal) -> bool:
    one, other = amounts.plain(read), amounts.plain(meant)
    return len(one) == len(other) and sum(a != b for a, b in zip(one, other, strict=True)) <= MISREAD


def _fits(trio: Trio, rows: Sequence[TaxRow]) -> bool:
    return not rows or (
        trio[0].value == sum(row.net for row in rows) and trio[1].value == sum(row.amount for row in rows)
    )


def _weakness(trio: Trio) -> int:
    return sum(one.weak for one in trio)


def _alone(held: Sequence[Sum]) -> RawField | None:
    """A total that no sum bears out: by its surest label."""
    printed = [one for one in held if one.place]
    return _field(min(printed, key=lambda one: one.weak), printed, (NO_SUM,)) if printed else None


def _field(chosen: Sum, others: Sequence[Sum], doubts: tuple[str, ...]) -> RawField:
    assert chosen.place
    rivals = tuple(dict.fromkeys(one.text for one in others if one.value != chosen.value))
    places = chosen.cells or (chosen.place,)
    return RawField(chosen.name, chosen.text, places[0].page, 0, chosen.label, places, None, rivals, doubts)
