"""Windows read one by one: each is handed what the pages before it tell, and what it says is placed.

Comes in: a `Reading`, its windows, a profile, an engine. Goes out: `Passed`, in the windows' order: what the engine
found, and the window with the state that it was handed. In sequence the state is what the window before ended with.
In parallel it is taken ahead from all pages' table headers and labelled headings by rule, so that no window waits for
another; running subtotal and last row are then not known. Refuses, as UsageError: synonyms for unknown columns.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from decimal import Decimal

from pipeline import local, terms
from pipeline.amounts import parse, separator
from pipeline.engine import Excerpt, Found, RawHeading, RawRow, RawTotal, RowReader, Summary, Wanted, is_asked
from pipeline.figures import TableLine, phrases
from pipeline.model import Line, Place, Reading, State, UsageError, Window
from pipeline.placing import placed
from pipeline.profiles import StatementProfile
from pipeline.sheet import Sheet, sheet
from pipeline.titled import tables_of

ALIKE = 3  # pages on which a line repeats in one spot to be furniture
AT_ONCE = 4  # windows that wait for an engine at the same time


@dataclass(frozen=True)
class Passed:
    """A window with the state that it was handed, and what was found in it."""

    window: Window
    found: Found


@dataclass(frozen=True)
class _Call:
    """What an engine is asked: the excerpt, the columns, and what it is handed of the pages before."""

    engine: RowReader
    excerpt: Excerpt
    wanted: tuple[Wanted, ...]

    def rows(self, before: Summary) -> Found:
        return placed(self.engine.rows(self.excerpt, self.wanted, before), self.excerpt)


def read(reading: Reading, cut: Sequence[Window], profile: StatementProfile, engine: RowReader) -> Iterator[Passed]:
    """What the engine finds in each window, placed, in order."""
    columns = wanted(profile)
    sheets = tuple(sheet(page) for page in reading.pages)
    letterhead = _letterhead(sheets, terms.titles(profile.synonyms))
    given = _excerpts(reading, cut, sheets)
    calls = [_Call(engine, replace(excerpt, letterhead=letterhead), columns) for excerpt in given]
    if profile.state == "parallel":
        return _parallel(calls, local.ahead(sheets, columns))
    return _sequential(calls)


def excerpts(reading: Reading, cut: Sequence[Window]) -> list[Excerpt]:
    """What an engine is given of each window."""
    return _excerpts(reading, cut, tuple(sheet(page) for page in reading.pages))


def _excerpts(reading: Reading, cut: Sequence[Window], sheets: Sequence[Sheet]) -> list[Excerpt]:
    furniture = _furniture([one.printed for one in sheets])
    found = []
    for window in cut:
        span = slice(window.first - 1, window.last)
        found.append(Excerpt(window, reading.pages[span], tuple(sheets[span]), furniture))
    return found


def wanted(profile: StatementProfile) -> tuple[Wanted, ...]:
    """The columns that an engine is asked for, with the profile's own titles."""
    if strange := sorted(set(profile.synonyms) - set(terms.KINDS)):
        known = ", ".join(name for name in terms.KINDS if is_asked(name))
        raise UsageError(f"synonyms are given for an unknown column {strange[0]!r}; known columns: {known}")
    return tuple(Wanted(name, kind, tuple(profile.synonyms.get(name, ()))) for name, kind in terms.KINDS.items())


def _sequential(calls: Sequence[_Call]) -> Iterator[Passed]:
    summaries: dict[int, Summary] = {0: Summary()}
    for call in calls:
        window = call.excerpt.window
        before = summaries[max(page for page in summaries if page < window.first)]
        part = _tallied(call.rows(before), before)
        summaries |= {summary.page: summary for summary in part.summaries}
        yield Passed(replace(window, state=_state(before)), part)


def _parallel(calls: Sequence[_Call], ahead: Sequence[Summary]) -> Iterator[Passed]:
    """ahead: what is handed on at the end of each page, from the first page on."""
    handed = [Summary(), *ahead]
    before = [handed[call.excerpt.window.first - 1] for call in calls]
    pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="window")
    try:
        waiting = [pool.submit(call.rows, one) for call, one in zip(calls, before, strict=True)]
        for call, one, part in zip(calls, before, waiting, strict=True):
            yield Passed(replace(call.excerpt.window, state=_state(one)), part.result())
    finally:
        pool.shutdown(cancel_futures=True)


def _state(summary: Summary) -> State:
    """The summary as it is kept and shown: titles and the last row's words, without places."""
    return State(
        summary.page,
        summary.supplier,
        summary.subtotal,
        tuple(column.title for column in summary.columns if column.asked),
        " · ".join(quote.text for quote in summary.last_row.quotes) if summary.last_row else "",
    )


def _tallied(part: Found, before: Summary) -> Found:
    """The window's summaries with the running subtotal of the supplier at the end of each page.

    For the engine and for showing only: what the document adds up to is settled when all of it is read.
    """
    figures = [quote.text for item in part.items if isinstance(item, RawRow) for quote in item.quotes]
    decimal = separator(figures).decimal
    after: dict[int, Decimal] = {}
    subtotal = before.subtotal or Decimal(0)
    supplier = before.supplier
    for item in part.items:
        if isinstance(item, RawTotal) and item.kind == "supplier":
            subtotal = Decimal(0)
        elif isinstance(item, RawHeading) and item.labelled and item.name != supplier:
            supplier, subtotal = item.name, Decimal(0)
        elif isinstance(item, RawRow):
            read = [parse(quote.text, decimal) for quote in item.quotes if quote.column == "amount"]
            subtotal += sum((amount.value for amount in read if amount), Decimal(0))
        after[item.page] = subtotal
    summaries = []
    for summary in part.summaries:
        subtotal = after.get(summary.page, before.subtotal or Decimal(0))
        before = replace(summary, subtotal=subtotal)
        summaries.append(before)
    return replace(part, summaries=tuple(summaries))


def _letterhead(sheets: Sequence[Sheet], known: Mapping[str, str]) -> frozenset[str]:
    """The phrases on lines without sums above the first table of the document, without their numbers: what later pages
    repeat of them, with whatever page or time, is no part of a row and heads none.
    """
    for one in sheets:
        above, tables = tables_of(one, known, ())
        if tables:
            return frozenset(
                terms.undated(run.text) for line in above if not _has_sum(line) for run in phrases(line.words)
            )
    return frozenset()


def _has_sum(line: TableLine) -> bool:
    return any((amount := parse(run.text, None)) and amount.places for run in line.figures)


def _furniture(pages: Sequence[Sequence[Line]]) -> frozenset[Place]:
    """Lines that stand in the same spot of at least three pages with the same words, digits aside."""
    alike: dict[tuple[str, int], list[Place]] = defaultdict(list)
    for page_lines in pages:
        for line in page_lines:
            alike[re.sub(r"\d+", "#", line.text), round(line.box.top / 3)].append(Place(line.page, line.box))
    return frozenset(place for places in alike.values() if len(places) >= ALIKE for place in places)
