"""The guilty pages read once more, otherwise: where sums fail on known pages, and kept only if all sums then agree.

Comes in: what was found in the windows, and the statement that came of it. Goes out: the same with the pages' items
replaced, and what changed. An engine is told by `Excerpt.again`: by rules it leaves drawn lines and repeated lines out
of account; a model gets the guilty pages alone: those that are blamed, else all that a sum goes wrong on. Nothing is
tried where they lie in more than `MOST` windows: then the whole is read wrongly, and a person must look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.engine import Excerpt, Found, RowReader, Summary, Wanted
from pipeline.model import Finding, Reading, Row, SecondTry, Statement, Window
from pipeline.placing import placed
from pipeline.sheet import sheet

MOST = 2  # windows that are read again


@dataclass(frozen=True)
class Again:
    """A run of guilty pages within a window; the window has the number of the first that read them."""

    window: Window
    found: Found


def guilty(statement: Statement) -> tuple[Window, ...]:
    """The pages to read again, as windows that begin and end with them; empty where nothing is to be gained."""
    blamed = {finding.page for finding in statement.findings if finding.page and _names_page(finding)}
    suspect = {page for finding in statement.findings if finding.kind == "total_differs" for page in finding.pages}
    by_window: dict[int, list[int]] = {}
    for page in sorted(blamed or suspect):
        number = next((window.number for window in statement.windows if window.first <= page <= window.last), None)
        if number is not None:
            by_window.setdefault(number, []).append(page)
    if len(by_window) > MOST:
        return ()
    return tuple(Window(number, held[0], held[-1]) for number, held in by_window.items())


def _names_page(finding: Finding) -> bool:
    """Whether a finding blames one page, and not only a sum that may go wrong on several."""
    on_page = finding.message.startswith(f"page {finding.page}")
    return finding.kind == "line_missed" or (finding.kind in ("total_differs", "row", "rows") and on_page)


def read_again(
    reading: Reading, window: Window, summaries: Sequence[Summary], call: tuple[RowReader, tuple[Wanted, ...]]
) -> Again:
    """What the engine finds in the pages when told to read them again; `summaries` of all pages before."""
    engine, wanted = call
    pages = reading.pages[window.first - 1 : window.last]
    before = max((one for one in summaries if one.page < window.first), key=lambda one: one.page, default=Summary())
    excerpt = Excerpt(window, pages, tuple(sheet(page) for page in pages), again=True)
    return Again(window, placed(engine.rows(excerpt, wanted, before), excerpt))


def instead(cut: Sequence[Window], found: Sequence[Found], again: Sequence[Again]) -> list[Found]:
    """What the windows found, with the items of the pages that were read again in the place of the former ones."""
    replaced = []
    for window, part in zip(cut, found, strict=True):
        items = [item for item in part.items if not any(_covers(one.window, item.page) for one in again)]
        for one in again:
            if one.window.number == window.number:
                items += one.found.items
        replaced.append(replace(part, items=tuple(sorted(items, key=lambda item: item.page))))
    return replaced


def _covers(window: Window, page: int) -> bool:
    return window.first <= page <= window.last


def better(before: Statement, after: Statement) -> bool:
    """Whether nothing speaks against the second reading any more, and no value of the first is lost in it."""
    return after.reconciliation.action == "auto_import" and not _poorer(before, after)


def _poorer(before: Statement, after: Statement) -> bool:
    """Whether a row lost a value that the first reading had, though all sums agree."""
    later = {(row.page, round(row.box.middle[1])): {cell.column for cell in row.cells} for row in after.rows}
    for row in before.rows:
        columns = later.get((row.page, round(row.box.middle[1])))
        if columns is not None and not columns.issuperset(cell.column for cell in row.cells):
            return True
    return False


def told(before: Statement, after: Statement, again: Sequence[Window]) -> tuple[SecondTry, ...]:
    """What each second try changed, and whether it was kept."""
    kept = better(before, after)
    return tuple(_told(before, after, window, kept) for window in again)


def _told(before: Statement, after: Statement, window: Window, kept: bool) -> SecondTry:
    old, new = (Counter(_words(row) for row in one.rows if _covers(window, row.page)) for one in (before, after))
    gone, come = tuple((old - new).elements()), tuple((new - old).elements())
    return SecondTry(window.number, window.first, window.last, kept, come, gone)


def _words(row: Row) -> str:
    return " · ".join(cell.value for cell in row.cells)


def finding(one: SecondTry) -> Finding:
    """A second try in words."""
    pages = f"page {one.first}" if one.first == one.last else f"pages {one.first} to {one.last}"
    rows = "row" if len(one.added) == 1 else "rows"
    changed = f"{len(one.added)} {rows} came, {len(one.removed)} went"
    outcome = f"kept, since all sums agree: {changed}" if one.kept else "not kept: something still spoke against it"
    return Finding("second_try", "info", f"{pages}: read a second time (window {one.window}), {outcome}", one.first)
