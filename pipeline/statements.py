"""Statements: windows of pages → rows → merged by place → typed → held against the printed totals.

Comes in: a `Reading`, a profile, an engine. Goes out: `Statement`. Rows of overlapping windows that stand on the
same line are one, equal rows elsewhere are two. Refuses with UsageError windows that would not advance, and stops with
Cancelled. Nothing is dropped: what is no row, or not found on its
page, becomes a finding.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import takewhile
from typing import Any, NamedTuple

from pipeline import checks, counts, foliation, passes, printedonce, secondtry, suppliers, taxes, terms
from pipeline.amounts import parse, plain
from pipeline.audit import Missed, audit
from pipeline.checks import Missing
from pipeline.engine import (
    Column,
    Found,
    Item,
    Quote,
    RawHeading,
    RawLine,
    RawRow,
    RawTotal,
    RowReader,
)
from pipeline.ledger import Entry, Ledger, Posting, ledger, unknown, words
from pipeline.model import (
    Cancelled,
    Check,
    Finding,
    Page,
    Reading,
    Row,
    Scope,
    SecondTry,
    State,
    Statement,
    Status,
    UsageError,
    Window,
)
from pipeline.passes import Passed
from pipeline.profiles import Profile, StatementProfile
from pipeline.sums import Covering, Sums, sums

SOUND = 0.8  # health of a text layer from which it is believed
UNPROVEN = checks.UNPROVEN
COLUMN_UNKNOWN = "column_unknown"
UNKNOWN = ("the column “", "” is not known:")  # around a title in the message of such a finding
SHOWN = 12  # lines that are neither row nor total, named one by one up to here


def windows(pages: int, chunk_pages: int, overlap: int) -> tuple[Window, ...]:
    """Windows of `chunk_pages` pages, the first `overlap` of each being the last of the one before."""
    if chunk_pages < 1 or not 0 <= overlap < chunk_pages:
        raise UsageError(f"overlap ({overlap}) must be at least 0 and smaller than chunk pages ({chunk_pages})")
    found: list[Window] = []
    first = 1
    while pages and (not found or found[-1].last < pages):
        found.append(Window(len(found) + 1, first, min(first + chunk_pages - 1, pages)))
        first += chunk_pages - overlap
    return tuple(found)


class PageDoubt(NamedTuple):
    """A page whose words need a second reader, and why."""

    page: int
    reason: str


@dataclass(frozen=True)
class Book:
    """What a run found, typed, before it is judged: from it a statement is concluded anew after a decision.

    doubts: pages that are not believed; findings: what may make all rows wrong, and what is neither row nor total;
    missing: lines that look like rows and are in none; second_tries: pages that were read again.
    """

    ledger: Ledger
    doubts: tuple[PageDoubt, ...]
    findings: tuple[Finding, ...]
    windows: tuple[Window, ...]
    tolerance: Decimal
    relative_tolerance: Decimal
    missing: tuple[Missing, ...] = ()
    second_tries: tuple[SecondTry, ...] = ()


@dataclass(frozen=True)
class Concluded:
    """A statement, and the rows (by their rank in the ledger) that each of its sums covers."""

    statement: Statement
    coverings: tuple[Covering, ...]


def extract(
    reading: Reading,
    profile: Profile,
    engine: RowReader,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Statement:
    """Rows, totals and verdict of a statement. `progress` is told (windows done, windows in all)."""
    return conclude(read(reading, profile, engine, progress, cancelled)).statement


def read(
    reading: Reading,
    profile: Profile,
    engine: RowReader,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Book:
    """What the engine finds, merged and typed. `progress` is told (windows done, windows in all)."""
    cut = windows(len(reading.pages), profile.statement.chunk_pages, profile.statement.overlap)
    parts = passes.read(reading, cut, profile.statement, engine)
    passed: list[Passed] = []
    for window in cut:
        if cancelled and cancelled():
            raise Cancelled(f"Stopped before pages {window.first} to {window.last}.")
        passed.append(next(parts))
        if progress:
            progress(window.number, len(cut))
    found = [one.found for one in passed]
    book = _book(reading, profile.statement, tuple(one.window for one in passed), found)
    return _tried_again(reading, profile.statement, engine, (book, found))


def _tried_again(
    reading: Reading, profile: StatementProfile, engine: RowReader, first: tuple[Book, list[Found]]
) -> Book:
    """The book, or that of a second try at the guilty pages where all sums then agree; it says what was tried."""
    book, found = first
    before = conclude(book).statement
    pages = secondtry.guilty(before)
    if not pages:
        return book
    summaries = [summary for part in found for summary in part.summaries]
    call = (engine, passes.wanted(profile))
    again = [secondtry.read_again(reading, window, summaries, call) for window in pages]
    second = _book(reading, profile, book.windows, secondtry.instead(book.windows, found, again))
    after = conclude(second).statement
    kept = second if secondtry.better(before, after) else book
    return replace(kept, second_tries=secondtry.told(before, after, pages))


def _book(reading: Reading, profile: StatementProfile, cut: tuple[Window, ...], found: list[Found]) -> Book:
    """What was found in the windows, merged and typed."""
    columns = list(dict.fromkeys(one for part in found for summary in part.summaries for one in summary.columns))
    entries, columns = _by_gross(_joined(_told_apart(_merged(cut, found))), columns)
    audited = audit(entries, reading.pages)
    entries = [_doubted(entry, audited.doubts.get(at, ())) for at, entry in enumerate(entries)]
    typed = printedonce.filled(ledger(entries, columns, reading.pages, profile))
    doubts = tuple(PageDoubt(page.number, reason) for page in reading.pages if (reason := _unbelieved(page)))
    counted = counts.check(counts.find(reading.pages), typed.postings)
    pages = foliation.findings(reading.pages)
    findings = (*pages, *_doubts(entries, typed, columns), *counted, *_remarks(entries, reading))
    missing = _missing(audited.missed, typed)
    return Book(typed, doubts, findings, cut, profile.tolerance, profile.relative_tolerance, missing)


def _by_gross(entries: Sequence[Entry], columns: Sequence[Column]) -> tuple[list[Entry], list[Column]]:
    items, named = taxes.by_gross([entry.item for entry in entries], columns)
    return [replace(entry, item=item) for entry, item in zip(entries, items, strict=True)], named


def _doubted(entry: Entry, doubts: tuple[str, ...]) -> Entry:
    """The row with what the page's own words say against it."""
    if not doubts or not isinstance(entry.item, RawRow):
        return entry
    return replace(entry, item=replace(entry.item, doubts=(*entry.item.doubts, *doubts)))


def _missing(missed: Sequence[Missed], book: Ledger) -> tuple[Missing, ...]:
    """The lines that are in no row, typed as their neighbours are."""
    found = []
    for line in missed:
        above = [row for row in book.postings if (row.page, row.box.top) < (line.place.page, line.place.box.top)]
        amount = parse(line.figure, book.habits.separator.decimal)
        currency = book.habits.code(amount.currency if amount else "")
        value = amount.value if amount and not amount.ambiguous else None
        if value is not None and line.column == "debit":
            value = -abs(value)
        found.append(Missing(line.place, above[-1].supplier if above else "", currency, value, line.text))
    return tuple(found)


def conclude(book: Book, decided: Mapping[int, Check] | None = None) -> Concluded:
    """Rows, sums and verdict. decided: by rank in the ledger, the check of rows that a person settled."""
    profile = StatementProfile(tolerance=book.tolerance, relative_tolerance=book.relative_tolerance)
    totals = sums(book.ledger)
    rows = _rows(book, totals, profile, decided or {})
    scopes = [covering.scope for covering in totals.coverings]
    places = {posting.at: place for place, posting in enumerate(book.ledger.postings)}
    covered = [[places[at] for at in covering.rows] for covering in totals.coverings]
    reconciliation, findings = checks.reconcile(scopes, profile, checks.Facts(rows, covered, book.missing))
    tries = map(secondtry.finding, book.second_tries)
    causes = [finding for finding in book.findings if finding.kind == foliation.KIND]
    others = [finding for finding in book.findings if finding.kind != foliation.KIND]
    findings = (*causes, *findings, *totals.findings, *others, *tries)
    if any(finding.severity != "info" for finding in findings):
        reconciliation = replace(reconciliation, action="human_review")
    statement = Statement(rows, reconciliation, findings, book.windows, book.ledger.columns, book.second_tries)
    return Concluded(statement, tuple(totals.coverings))


# ---- merging


def _merged(cut: tuple[Window, ...], found: list[Found]) -> list[Entry]:
    """The items of all windows in reading order; those of two windows on one line of a page are one."""
    by_page: dict[int, list[Entry]] = defaultdict(list)
    for window, part in zip(cut, found, strict=True):
        fresh: dict[int, list[Item]] = defaultdict(list)
        for item in part.items:
            fresh[item.page].append(item)
        for page, items in fresh.items():
            by_page[page] = _overlaid(by_page[page], items, window.number)
    return [entry for page in sorted(by_page) for entry in by_page[page]]


def _overlaid(entries: list[Entry], items: list[Item], window: int) -> list[Entry]:
    """Entries of earlier windows with a window's items: each item meets the entry on its line, once."""
    merged = list(entries)
    free = list(range(len(entries)))
    for item in items:
        same = next((index for index in free if _one_line(entries[index].item, item)), None)
        if same is None:
            merged.append(Entry(item, (window,)))
        else:
            free.remove(same)
            merged[same] = _agreed(merged[same], item, window)
    if len(merged) == len(entries) or not entries:
        return merged
    return sorted(merged, key=lambda entry: entry.item.box.top if entry.item.box else float("inf"))


def _agreed(entry: Entry, item: Item, window: int) -> Entry:
    """The entry as a further window has it, too; a row that it reads otherwise is in doubt."""
    windows = (*entry.windows, window)
    if not (isinstance(entry.item, RawRow) and isinstance(item, RawRow)):
        return replace(entry, windows=windows)
    first, second = ({quote.column: quote.text for quote in row.quotes} for row in (entry.item, item))
    parted = [
        f"window {windows[-2]} read {name.replace('_', ' ')} “{first.get(name, '')}”, "
        f"window {window} “{second.get(name, '')}”"
        for name in dict.fromkeys((*first, *second))
        if first.get(name) != second.get(name)
    ]
    return Entry(replace(entry.item, doubts=(*entry.item.doubts, *parted)), windows)


def _one_line(one: Item, other: Item) -> bool:
    if one.box is None or other.box is None or type(one) is not type(other):
        return False
    shared = min(one.box.bottom, other.box.bottom) - max(one.box.top, other.box.top)
    return shared > 0.5 * min(one.box.height, other.box.height) and (
        one.box.x0 < other.box.x1 and other.box.x0 < one.box.x1
    )


def _told_apart(entries: Sequence[Entry]) -> list[Entry]:
    items = suppliers.told_apart([entry.item for entry in entries])
    return [replace(entry, item=item) for entry, item in zip(entries, items, strict=True)]


def _joined(entries: list[Entry]) -> list[Entry]:
    """Words at a page's top that continue the last row of the page before, added to that row."""
    joined: list[Entry] = []
    for entry in entries:
        item = entry.item
        if not isinstance(item, RawRow) or not item.goes_on:
            joined.append(entry)
            continue
        at = _broken_row(joined, item.page)
        if at is None:
            text = " ".join(quote.text for quote in item.quotes)
            joined = _with_doubt(joined, f"“{text}” at the top of page {item.page} may belong to it")
            joined.append(Entry(RawLine(item.page, text, item.box), entry.windows))
        else:
            row = joined[at].item
            assert isinstance(row, RawRow)
            continued = replace(joined[at], item=_continued(row, item, _left(joined, row.page)))
            joined[at] = _doubted(continued, tuple(_strange(joined[:at], joined[at + 1 :])))
    return joined


def _strange(before: list[Entry], between: list[Entry]) -> list[str]:
    """What is said against a row that goes on below a heading, where that names none of the suppliers before."""
    headings = [entry.item for entry in between if isinstance(entry.item, RawHeading) and not entry.item.labelled]
    if not headings:
        return []
    named = {terms.plainly(entry.item.name) for entry in before if isinstance(entry.item, RawHeading)}
    return [
        f"“{heading.name}” at the top of page {heading.page} may belong to it"
        for heading in headings
        if terms.plainly(heading.name) not in named
    ]


def _with_doubt(entries: list[Entry], doubt: str) -> list[Entry]:
    """The entries, the last row among them in doubt."""
    at = next((at for at in range(len(entries) - 1, -1, -1) if isinstance(entries[at].item, RawRow)), None)
    if at is None:
        return entries
    return [*entries[:at], _doubted(entries[at], (doubt,)), *entries[at + 1 :]]


def _broken_row(entries: list[Entry], page: int) -> int | None:
    """The last row, where it stands on the page before and only carried sums and this page's headings came after it."""
    for at in range(len(entries) - 1, -1, -1):
        item = entries[at].item
        if isinstance(item, RawTotal) and item.kind in ("carried", "brought", "carry", "page"):
            continue
        if isinstance(item, RawHeading) and item.page == page:
            continue
        return at if isinstance(item, RawRow) and item.page == page - 1 else None
    return None


def _left(entries: list[Entry], page: int) -> float:
    """Where the rows of a page begin, in points."""
    last = takewhile(lambda entry: entry.item.page >= page, reversed(entries))
    rows = [entry.item for entry in last if isinstance(entry.item, RawRow) and entry.item.page == page]
    return min((place.box.x0 for row in rows for quote in row.quotes for place in quote.places), default=0.0)


def _continued(row: RawRow, rest: RawRow, left: float) -> RawRow:
    """The row with what goes on at the next page's top. left: where rows begin, in points."""
    more = {quote.column: quote for quote in rest.quotes}
    pairs = [(quote, extra) for quote in row.quotes if (extra := more.get(quote.column))]
    sure = any(_goes_on(quote, extra, left) for quote, extra in pairs if _begins(extra, rest))
    doubts = list(row.doubts)
    quotes = []
    for quote in row.quotes:
        extra = more.pop(quote.column, None)
        if extra:
            if not (sure and _begins(extra, rest)) and not _goes_on(quote, extra, left):
                doubts.append(f"“{extra.text}” at the top of page {rest.page} may be a line of its own")
            quote = replace(quote, text=f"{quote.text} {extra.text}", places=(*quote.places, *extra.places))
        quotes.append(quote)
    return replace(row, quotes=(*quotes, *more.values()), doubts=tuple(doubts))


def _begins(quote: Quote, row: RawRow) -> bool:
    """Whether words stand on the first line of what goes on: what holds for one of that line holds for all."""
    return bool(row.box and quote.places and quote.places[0].box.top < row.box.middle[1])


def _goes_on(quote: Quote, extra: Quote, left: float) -> bool:
    """Whether words at a page's top are sure to continue those of their column."""
    inside = extra.text[0].islower() or extra.text[0].isdigit() or quote.text[-1] in ",-–/("
    return inside or _set_under(quote, extra, left)


def _set_under(quote: Quote, extra: Quote, left: float) -> bool:
    """Whether words begin where those of their column do, right of where rows begin."""
    if not (quote.places and extra.places):
        return False
    above, below = quote.places[-1].box, extra.places[0].box
    return abs(above.x0 - below.x0) < 1 and left < above.x0 - 1


# ---- rows and their status


def _rows(book: Book, totals: Sums, profile: StatementProfile, decided: Mapping[int, Check]) -> tuple[Row, ...]:
    closing: dict[int, list[Scope]] = defaultdict(list)
    for covering in totals.coverings:
        if checks.closes(covering.scope, profile):
            for at in covering.rows:
                closing[at].append(covering.scope)
    doubts = {doubt.page: doubt.reason for doubt in book.doubts}
    expected = _expected(book.ledger)
    by_tax = taxes.checks({posting.at: (posting.taxed, posting.amount) for posting in book.ledger.postings})
    found = []
    for posting in book.ledger.postings:
        arithmetic = (*_arithmetic(posting, totals, closing[posting.at]), *by_tax.get(posting.at, ()))
        row = _row(posting, arithmetic, doubts.get(posting.page, ""), expected)
        if posting.at in decided:
            row = replace(row, status="confirmed", reasons=(), checks=(*row.checks, decided[posting.at]))
        found.append(row)
    return tuple(found)


def _expected(book: Ledger) -> frozenset[str]:
    """Columns that a row must fill: texts and dates that any row fills, quantities and prices that most do.

    A supplier that hardly any row has is that row's own matter.
    """
    filled = Counter(cell.column for posting in book.postings for cell in posting.cells)
    most = {name for name in ("quantity", "unit_price") if filled[name] > 0.8 * len(book.postings)}
    supplier = {"supplier"} if filled["supplier"] > 0.1 * len(book.postings) else set()
    return frozenset(most | supplier | ({"date", "invoice_number", "description"} & set(filled)))


def _unbelieved(page: Page) -> str:
    """Why the page's words need a second reader; empty where they do not."""
    if page.origin == "ocr":
        return "read by one OCR engine alone: what is printed needs a second reader"
    return f"the page's text layer is doubtful (health {page.health:.2f})" if page.health < SOUND else ""


def _arithmetic(posting: Posting, totals: Sums, closing: list[Scope]) -> tuple[Check, ...]:
    found = []
    if posting.amount is not None and posting.quantity is not None and posting.unit_price is not None:
        found.append(checks.product(posting.quantity, posting.unit_price, posting.amount))
    if posting.at in totals.balances:
        found.append(totals.balances[posting.at])
    found += [Check("printed total", "passed", f"{scope.scope} {scope.name}".strip() + " closes") for scope in closing]
    return tuple(found)


def _row(posting: Posting, arithmetic: tuple[Check, ...], doubt: str, expected: frozenset[str]) -> Row:
    reasons = [*posting.reasons, *([doubt] if doubt else [])]
    have = {cell.column for cell in posting.cells}
    reasons += [f"no {name.replace('_', ' ')} on the line" for name in sorted(expected - have)]
    reasons += [f"{check.check}: {check.detail}" for check in arithmetic if check.outcome == "failed"]
    if posting.amount is not None and not any(check.outcome == "passed" for check in arithmetic):
        reasons.append(UNPROVEN)
    reasons += [f"the {words(name)} is the one of the line above" for name in _unsure(posting, arithmetic)]
    status: Status = "review" if reasons else "confirmed"
    return Row(
        posting.cells, posting.page, posting.box, posting.windows, status, tuple(reasons), arithmetic, posting.currency
    )


def _unsure(posting: Posting, arithmetic: tuple[Check, ...]) -> list[str]:
    """Columns that a row has from the line above, and that no sum speaks for: a running balance for all, a supplier's
    subtotal for its name.
    """
    if any(check.check.endswith("= balance") and check.outcome == "passed" for check in arithmetic):
        return []
    named = any(check.detail.startswith(f"supplier {posting.supplier} ") for check in arithmetic)
    return [name for name in posting.inherits if not (named and name == "supplier")]


def unknown_title(finding: str, message: str) -> str:
    """The title that a finding of that kind does not know; empty where it is of another kind."""
    begins, ends = UNKNOWN
    return message.removeprefix(begins).rpartition(ends)[0] if finding == COLUMN_UNKNOWN else ""


def _doubts(entries: Sequence[Entry], book: Ledger, columns: Sequence[Column]) -> list[Finding]:
    """What may make all rows wrong: suppliers unsure, columns unknown or empty, totals that cannot be read."""
    found = []
    items = [entry.item for entry in entries]
    headings = [] if book.habits.is_account else suppliers.doubtful(items)
    doubtful = [heading for heading in headings if not counts.is_count(heading.name)]
    if doubtful:
        names = ", ".join(dict.fromkeys(f"“{heading.name}”" for heading in doubtful[:5]))
        message = f"page {doubtful[0].page}: {names} may name suppliers: no label and no subtotal confirms it"
        found.append(Finding("supplier_unsure", "warning", message, doubtful[0].page, doubtful[0].box))
    for column in book.empty:
        message = f"the column {column.title} has no value in any row: its words may stand in another column"
        found.append(Finding("column_empty", "warning", message))
    for title in dict.fromkeys(column.title for column in unknown(items, columns)):
        message = f"{UNKNOWN[0]}{title}{UNKNOWN[1]} name what it holds in the profile's synonyms"
        found.append(Finding(COLUMN_UNKNOWN, "warning", message))
    for page, text in book.unread:
        found.append(Finding("total_unread", "warning", f"page {page}: the total “{text}” cannot be read", page))
    return found


def _remarks(entries: Sequence[Entry], reading: Reading) -> list[Finding]:
    """What is no row and no total, and pages without words."""
    found = []
    stray = [entry.item for entry in entries if isinstance(entry.item, RawLine)]
    for item in stray[:SHOWN]:
        found.append(
            Finding(
                "line", "info", f"page {item.page}: neither row nor total: “{item.text[:120]}”", item.page, item.box
            )
        )
    if len(stray) > SHOWN:
        pages = sorted({item.page for item in stray[SHOWN:]})
        where = f"on pages {pages[0]} to {pages[-1]}"
        message = f"{len(stray) - SHOWN} more lines with figures are neither row nor total, {where}"
        found.append(Finding("line", "info", message, pages[0]))
    if not any(isinstance(entry.item, RawRow) for entry in entries):
        found += _unread_amounts(reading.pages)
    for page_read in reading.pages:
        if not len(page_read):
            found.append(Finding("no_words", "info", f"page {page_read.number}: no words on it", page_read.number))
    return found


def _unread_amounts(pages: Sequence[Page]) -> list[Finding]:
    """Where amounts are printed though no row was found: the page with most of them, and the others."""
    counts_ = {page.number: sum(map(_is_sum, page.text.split("\n"))) for page in pages}
    held = sorted((number for number, count in counts_.items() if count), key=lambda number: -counts_[number])
    if not held:
        return []
    others = f", others on pages {', '.join(map(str, sorted(held[1:SHOWN])))}" if held[1:] else ""
    message = f"page {held[0]}: {counts_[held[0]]} amounts are printed and none stands in a known table{others}"
    return [Finding("no_table", "error", message, held[0])]


def _is_sum(text: str) -> bool:
    """An amount with cents, or with a currency, or in brackets."""
    amount = parse(text, None)
    return amount is not None and (amount.places == 2 or bool(amount.currency) or text[0] == "(" or "," in text)


# ---- JSON


def to_json(statement: Statement) -> dict[str, Any]:
    """The `rows` contract: plain strings for values and sums, rounded boxes."""
    return {
        "rows": [_row_json(row) for row in statement.rows],
        "reconciliation": {
            "action": statement.reconciliation.action,
            "scopes": [_scope_json(scope) for scope in statement.reconciliation.scopes],
        },
        "findings": [
            {
                "kind": finding.kind,
                "severity": finding.severity,
                "message": finding.message,
                "page": finding.page,
                "pages": list(finding.pages or (() if finding.page is None else (finding.page,))),
                "box": list(finding.box.rounded()) if finding.box else None,
            }
            for finding in statement.findings
        ],
        "columns": list(statement.columns),
        "windows": [
            {"number": window.number, "first": window.first, "last": window.last, "state": _state_json(window.state)}
            for window in statement.windows
        ],
        "second_tries": [
            {
                "window": one.window,
                "first": one.first,
                "last": one.last,
                "kept": one.kept,
                "added": list(one.added),
                "removed": list(one.removed),
            }
            for one in statement.second_tries
        ],
    }


def _state_json(state: State | None) -> dict[str, Any] | None:
    if state is None:
        return None
    return {
        "page": state.page,
        "supplier": state.supplier,
        "subtotal": None if state.subtotal is None else plain(state.subtotal),
        "columns": list(state.columns),
        "last_row": state.last_row,
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "values": {cell.column: cell.value for cell in row.cells},
        "cells": {
            cell.column: [{"page": place.page, "box": list(place.box.rounded())} for place in cell.source.places]
            for cell in row.cells
        },
        "page": row.page,
        "box": list(row.box.rounded()),
        "windows": list(row.windows),
        "status": row.status,
        "reasons": list(row.reasons),
        "currency": row.currency,
        "checks": [{"check": check.check, "outcome": check.outcome, "detail": check.detail} for check in row.checks],
    }


def _scope_json(scope: Scope) -> dict[str, Any]:
    return {
        "scope": scope.scope,
        "name": scope.name,
        "page": scope.page,
        "currency": scope.currency,
        "printed": None if scope.printed is None else plain(scope.printed),
        "computed": plain(scope.computed),
        "delta": None if scope.delta is None else plain(scope.delta),
        "rows": scope.rows,
    }
