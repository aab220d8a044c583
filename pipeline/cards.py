"""Rows of a page without column titles: under each date that stands alone, texts with one amount each.

Comes in: a `Sheet` without a known table, and the last row of the pages before, if any. Goes out: rows with date,
description and amount, and the totals among them. A wallet's payments are cards, each with its date, its words and its
amount below each other; a banking app's are lines below the date of their day. A page is left alone where fewer than
three dates stand alone at one edge, or where a line has two amounts: what each would be is for titles to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile

from pipeline import amounts, terms
from pipeline.engine import Item, Quote, RawRow, RawTotal
from pipeline.figures import Run, TableLine
from pipeline.sheet import Sheet

FEWEST = 3  # dates that stand alone on a page, where no page before had any
APART = 2.5  # of the type size: what stands further below a line is no part of its card


def cards(sheet: Sheet, last: RawRow | None) -> list[Item]:
    """The page's rows and totals from the top; none where it has no such dates. last: the last row before the page."""
    lines = [TableLine(line.page, line.words, line.box, line.block) for line in sheet.lines]
    heads = [at for at, line in enumerate(lines) if _day(line.text)]
    edges = Counter(round(lines[at].box.x0) for at in heads)
    edge, count = max(edges.items(), key=lambda item: item[1], default=(0, 0))
    heads = [at for at in heads if round(lines[at].box.x0) == edge]
    first = heads[0] if heads else len(lines)
    if (count < FEWEST and last is None) or any(len(_sums(line)) > 1 for line in lines[first:]):
        return []
    found: list[Item] = list(_rest(lines[:first], last, sheet)) if last else []
    for at, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        found += _group(lines[at], lines[at + 1 : end], sheet)
    return found


def _rest(lines: Sequence[TableLine], last: RawRow, sheet: Sheet) -> Iterator[Item]:
    """What stands above the first date of a page: the rest of the last card, or more rows of the last date."""
    if not any(quote.column == "amount" for quote in last.quotes):
        held = [lines[0], *_close(lines[0], lines[1:])] if lines else []
        if sum(len(_sums(line)) for line in held) == 1:
            yield RawRow(sheet.page, _quotes(held, sheet), sheet.box(held[0]), goes_on=True)
        return
    date = tuple(quote for quote in last.quotes if quote.column == "date")
    begun = next((at for at, line in enumerate(lines) if _sums(line)), len(lines))
    while 0 < begun < len(lines) and _gap(lines[begun - 1], lines[begun]) <= 1.0:
        begun -= 1
    yield from _rows(date, lines[begun:], sheet)


def _day(text: str) -> str:
    """The date that a text is, with or without a day of the week before it; empty where it is none."""
    first, _, rest = text.partition(" ")
    for each in (text, rest if first.rstrip(",.").isalpha() else ""):
        if amounts.date(each, True, 2000) and not amounts.parse(each, None):  # `8.05` is a sum
            return each
    return ""


def _sums(line: TableLine) -> list[Run]:
    """The amounts of a line that have cents or a currency."""
    return [
        run for run in line.figures if (found := amounts.parse(run.text, None)) and (found.places or found.currency)
    ]


def _group(head: TableLine, lines: Sequence[TableLine], sheet: Sheet) -> Iterator[Item]:
    """What stands under a date: one row where an amount has a line of its own, else a row for each line with one."""
    date = (_dated(head, sheet),)
    held = list(_close(head, lines))
    sums = [line for line in held if _sums(line) and not _total(line, sheet)]
    if not held or (len(sums) == 1 and not sums[0].without(_sums(sums[0]))):
        own = [line for line in held if not (_sums(line) and _total(line, sheet))]
        yield RawRow(head.page, (*date, *_quotes(own, sheet)), sheet.box(held[0] if held else head))
        held = held[: held.index(own[-1]) + 1] if own else held
    else:
        yield from _rows(date, held, sheet)
    yield from (total for line in lines[len(held) :] if _sums(line) and (total := _total(line, sheet)))


def _rows(date: tuple[Quote, ...], lines: Sequence[TableLine], sheet: Sheet) -> Iterator[Item]:
    """A row for each line with an amount, with the lines of words below it, in doubt about words above all of them;
    totals apart.
    """
    above = list(takewhile(lambda line: not _sums(line), lines))
    doubts = tuple(f"“{line.text}” stands above it and was not taken for a part of it" for line in above)
    begun: list[TableLine] = []
    for line in [*lines, None]:
        if begun and (line is None or _sums(line)):
            yield RawRow(sheet.page, (*date, *_quotes(begun, sheet)), sheet.box(begun[0]), doubts)
            begun, doubts = [], ()
        if line is not None and _sums(line) and (total := _total(line, sheet)):
            yield total
        elif line is not None and (begun or _sums(line)):
            begun.append(line)


def _close(head: TableLine, lines: Sequence[TableLine]) -> Iterator[TableLine]:
    """The lines below a date down to the first wide gap."""
    above = head
    for line in lines:
        if _gap(above, line) > APART:
            return
        yield line
        above = line


def _gap(above: TableLine, below: TableLine) -> float:
    """The white between two lines, of the type size."""
    return (below.box.top - above.box.bottom) / below.words[0].size


def _total(line: TableLine, sheet: Sheet) -> RawTotal | None:
    found = terms.label(text := line.without(sums := _sums(line)))
    if not found:
        return None
    quote = Quote("amount", sums[-1].text, (sheet.place(sums[-1].words),))
    return RawTotal(line.page, found.kind, text, found.rest, (quote,), sheet.box(line))


def _quotes(lines: Sequence[TableLine], sheet: Sheet) -> tuple[Quote, ...]:
    """The amount of a row's lines, and the words beside it as its description."""
    sums = [run for line in lines for run in _sums(line)]
    taken = {word for run in sums for word in run.words}
    rest = [Run(words) for line in lines if (words := tuple(word for word in line.words if word not in taken))]
    quotes = [Quote("amount", run.text, (sheet.place(run.words),)) for run in sums]
    if rest:
        places = tuple(sheet.place(run.words) for run in rest)
        quotes.insert(0, Quote("description", " ".join(run.text for run in rest), places))
    return tuple(quotes)


def _dated(head: TableLine, sheet: Sheet) -> Quote:
    day = _day(head.text)
    return Quote("date", day, (sheet.place(head.words[len(head.words) - len(day.split()) :]),))
