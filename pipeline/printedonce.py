"""Values that a table of items prints once for the rows below: a supplier, a date, an invoice's number.

Comes in: a typed `Ledger`. Goes out: the same, rows that lack such a value with that of the row above where the table
prints none twice running; `inherits` names those that nothing else shows to be meant so. Accounts are left alone (their
dates are settled with their balances), and so is a column that few rows lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from pipeline.ledger import Ledger, Posting, ordered
from pipeline.model import Cell

COLUMNS = ("supplier", "invoice_number", "date")
FEWEST = 3  # rows that lack a value
SHARE = 0.2  # of the rows that lack it, at least
CHANCES = 4.0  # that a name would follow itself, were it printed for each row: none of them did by chance once in 50
NAMES = 4  # in the alphabet's order by chance once in 24


def filled(book: Ledger) -> Ledger:
    """The ledger with the values that rows have from the rows above them."""
    if book.habits.is_account:
        return book
    postings = tuple(_of_documents(book.postings))
    for name in [column for column in COLUMNS if _is_once(postings, column)]:
        postings = tuple(_handed_on(postings, name, _is_sure(postings, name)))
    return replace(book, postings=postings)


def _of_documents(postings: Iterable[Posting]) -> Iterable[Posting]:
    """The rows; those that are further items of a document, whole but without number and date, with its own."""
    above: Posting | None = None
    for posting in postings:
        own = [name for name in COLUMNS if _cell(posting, name)]
        whole = posting.quantity is not None and posting.unit_price is not None and posting.amount is not None
        if above and whole and (not own or (own == ["supplier"] and posting.supplier == above.supplier)):
            handed = (_cell(above, name) for name in ("invoice_number", "date"))
            posting = _with_cells(posting, [cell for cell in handed if cell])
        above = posting
        yield posting


def _with_cells(posting: Posting, more: Iterable[Cell]) -> Posting:
    cells = {cell.column: cell for cell in (*posting.cells, *more)}
    return replace(posting, cells=tuple(cells[column] for column in ordered(cells)))


def _cell(posting: Posting, name: str) -> Cell | None:
    return next((cell for cell in posting.cells if cell.column == name), None)


def _is_once(postings: Sequence[Posting], name: str) -> bool:
    """Whether many rows lack a value, the first has one, and no page prints one twice running; it may where another
    value begins that is printed once, too: a supplier anew for each day.
    """
    cells = [_cell(posting, name) for posting in postings]
    if cells.count(None) < max(FEWEST, SHARE * len(cells)) or cells[0] is None:
        return False
    others = [other for other in COLUMNS if other != name and not all(_cell(posting, other) for posting in postings)]
    return not any(_repeats(above, below, name, others) for above, below in pairwise(postings))


def _repeats(above: Posting, below: Posting, name: str, others: Sequence[str]) -> bool:
    first, second = _cell(above, name), _cell(below, name)
    same = first is not None and second is not None and first.value == second.value and above.page == below.page
    return same and not any(_cell(below, other) for other in others)


def _is_sure(postings: Sequence[Posting], name: str) -> bool:
    match name:
        case "date":
            return _in_order(postings, [0] * len(postings)) or _in_order(postings, _runs(postings))
        case "supplier":
            return _grouped(postings) or _dittoed(postings)
    return False


def _handed_on(postings: Iterable[Posting], name: str, sure: bool) -> Iterable[Posting]:
    above: Cell | None = None
    for posting in postings:
        own = _cell(posting, name)
        if own is None and above is not None:
            yield replace(
                _with_cells(posting, [above]),
                supplier=above.value if name == "supplier" else posting.supplier,
                inherits=posting.inherits if sure else (*posting.inherits, name),
            )
        else:
            above = own
            yield posting


def _runs(postings: Sequence[Posting]) -> list[int]:
    """For each row the number of its run of rows of one supplier."""
    sizes = [len(list(group)) for _, group in groupby(postings, key=lambda posting: posting.supplier)]
    return [run for run, size in enumerate(sizes) for _ in range(size)]


def _in_order(postings: Sequence[Posting], runs: Sequence[int]) -> bool:
    """Whether each run begins with a date, no page prints one twice in a run, and the days of all runs go one way."""
    dates = [_cell(posting, "date") for posting in postings]
    begun = all(date or run == before for date, run, before in zip(dates, runs, (-1, *runs), strict=False))
    held = zip(runs, dates, postings, strict=True)
    printed = [(run, date.value, posting.page) for run, date, posting in held if date]
    days = [(run, day) for run, day, _ in printed]
    ordered_days = days == sorted(days) or days == sorted(days, key=lambda each: (-each[0], each[1]), reverse=True)
    return begun and ordered_days and len(set(printed)) == len(printed) and len(set(days)) > 1


def _grouped(postings: Sequence[Posting]) -> bool:
    """Whether the rows are sorted by supplier: most lack the name, each is printed for one run of rows alone, and the
    days begin anew below names alone, or the names are in the alphabet's order.
    """
    names = [cell.value for posting in postings if (cell := _cell(posting, "supplier"))]
    runs = [name for name, _ in groupby(names)]
    if len(set(runs)) < len(runs) or len(runs) < 2 or 2 * len(names) > len(postings):
        return False
    days = [(posting, cell.value) for posting in postings if (cell := _cell(posting, "date"))]
    restarts = [below for (_, before), (below, day) in pairwise(days) if day < before]
    named = [_cell(posting, "supplier") is not None for posting in restarts]
    return (all(named) and bool(named)) or (len(runs) >= NAMES and runs == sorted(runs))


def _dittoed(postings: Sequence[Posting]) -> bool:
    """Whether each row without a supplier has a document's number, which somebody must have given it, and no name
    follows itself though names come again: by chance some would.
    """
    named = [(posting, cell.value) for posting in postings if (cell := _cell(posting, "supplier"))]
    if not all(_cell(posting, "invoice_number") for posting in postings):
        return False
    on_page = [(above, below) for (one, above), (other, below) in pairwise(named) if one.page == other.page]
    counts = Counter(name for _, name in named)
    alike = sum(count * count for count in counts.values()) / len(named) ** 2
    return len(on_page) * alike >= CHANCES and all(above != below for above, below in on_page)
