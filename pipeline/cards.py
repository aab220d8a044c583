"""Rows of a page without column titles: under each date that stands alone, texts with one amount each.

Comes in: a `Sheet` without a known table, and whether pages before had such rows. Goes out: rows with date, description
and amount, and the totals among them. A wallet's payments are cards, each with its date, its words and its amount below
each other; a banking app's are lines below the date of their day. A page is left alone where fewer than three dates
stand alone at one edge, or where a line has two amounts: what each would be is for titles to say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pipeline import amounts, terms
from pipeline.engine import Item, Quote, RawRow, RawTotal
from pipeline.figures import Run, TableLine
from pipeline.sheet import Sheet

FEWEST = 3  # dates that stand alone on a page, where no page before had any
APART = 2.5  # of the type size: what stands further below a line is no part of its card


def cards(sheet: Sheet, going_on: bool) -> list[Item]:
    """The page's rows and totals from the top; none where it has no such dates. going_on: pages before had rows."""
    lines = [TableLine(line.page, line.words, line.box, line.block) for line in sheet.lines]
    heads = [at for at, line in enumerate(lines) if _day(line.text)]
    edges = Counter(round(lines[at].box.x0) for at in heads)
    edge, count = max(edges.items(), key=lambda item: item[1], default=(0, 0))
    heads = [at for at in heads if round(lines[at].box.x0) == edge]
    first = heads[0] if heads else len(lines)
    if (count < FEWEST and not going_on) or any(len(_sums(line)) > 1 for line in lines[first:]):
        return []
    found: list[Item] = list(_rest(lines[:first], sheet)) if going_on else []
    for at, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        found += _group(lines[at], lines[at + 1 : end], sheet)
    return found


def _rest(lines: Sequence[TableLine], sheet: Sheet) -> Iterator[RawRow]:
    """What is left of the last card of the page before, above the first date of this one."""
    held = [lines[0], *_close(lines[0], lines[1:])] if lines else []
    if sum(len(_sums(line)) for line in held) == 1:
        yield replace(_row(None, held, sheet), goes_on=True)


def _day(text: str) -> str:
    """The date that a text is, with or without a day of the week before it; empty where it is none."""
    first, _, rest = text.partition(" ")
    for each in (text, rest if first.rstrip(",.").isalpha() else ""):
        if amounts.date(each, True, 2000):
            return each
    return ""


def _sums(line: TableLine) -> list[Run]:
    """The amounts of a line that have cents or a currency."""
    return [
        run for run in line.figures if (found := amounts.parse(run.text, None)) and (found.places or found.currency)
    ]


def _group(head: TableLine, lines: Sequence[TableLine], sheet: Sheet) -> Iterator[Item]:
    """What stands under a date: one row where an amount has a line of its own, else a row for each line with one."""
    held = list(_close(head, lines))
    below = [total for line in lines[len(held) :] if _sums(line) and (total := _total(line, sheet))]
    sums = [line for line in held if _sums(line)]
    if not held or (len(sums) == 1 and not sums[0].without(_sums(sums[0]))):
        yield _row(head, held, sheet)
        held = []
    begun: list[TableLine] = []
    for line in [*held, None]:
        if begun and (line is None or _sums(line)):
            yield _row(head, begun, sheet)
            begun = []
        if line is not None and _sums(line) and (total := _total(line, sheet)):
            yield total
        elif line is not None and (begun or _sums(line)):
            begun.append(line)
    yield from below


def _close(head: TableLine, lines: Sequence[TableLine]) -> Iterator[TableLine]:
    """The lines below a date down to the first wide gap."""
    above = head
    for line in lines:
        if line.box.top - above.box.bottom > APART * line.words[0].size:
            return
        yield line
        above = line


def _total(line: TableLine, sheet: Sheet) -> RawTotal | None:
    found = terms.label(text := line.without(sums := _sums(line)))
    if not found:
        return None
    quote = Quote("amount", sums[-1].text, (sheet.place(sums[-1].words),))
    return RawTotal(line.page, found.kind, text, found.rest, (quote,), sheet.box(line))


def _row(head: TableLine | None, lines: Sequence[TableLine], sheet: Sheet) -> RawRow:
    """A row of the date and its lines; the words beside its amount are its description."""
    sums = [run for line in lines for run in _sums(line)]
    taken = {word for run in sums for word in run.words}
    rest = [Run(words) for line in lines if (words := tuple(word for word in line.words if word not in taken))]
    quotes = [_dated(head, sheet)] if head else []
    if rest:
        text = " ".join(run.text for run in rest)
        quotes.append(Quote("description", text, tuple(sheet.place(run.words) for run in rest)))
    quotes += [Quote("amount", run.text, (sheet.place(run.words),)) for run in sums]
    first = lines[0] if lines else head
    assert first is not None
    return RawRow(first.page, tuple(quotes), sheet.box(first))


def _dated(head: TableLine, sheet: Sheet) -> Quote:
    day = _day(head.text)
    return Quote("date", day, (sheet.place(head.words[len(head.words) - len(day.split()) :]),))
