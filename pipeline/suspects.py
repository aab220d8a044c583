"""Where a sum that differs most likely goes wrong: pages and rows, the likeliest first, and the evidence in words.

Comes in: the difference (printed − computed), the rows that the sum covers in reading order, which of them are beyond
suspicion, and the page of the printed total. Goes out: `Suspicion`. Evidence is what a known fault would leave behind:
a row that is doubted or whose own arithmetic fails, the amount of one row (it stands twice, or is none), twice its
amount (its sign), two digits that changed places, one digit that was misread. Nothing is mended and nothing judged by
it: it only says where a person, or a second try, looks first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from pipeline.model import Row

UNPROVEN = "no sum, product or balance that closes proves the amount"
FEW = 2  # rows of which the same is said, up to which that tells them from others
TELLING = 3  # from this weight on, evidence on one page alone names that page


class Clue(NamedTuple):
    """What makes a row suspect. weight: how much it tells, 0 where nothing is against the row."""

    weight: int
    why: str


NOTHING = Clue(0, "")


@dataclass(frozen=True)
class Suspicion:
    """pages: the likeliest first. sure: evidence points at the first of them alone. row, why: the likeliest row and
    what speaks against it, where any evidence does.
    """

    pages: tuple[int, ...]
    sure: bool = False
    row: Row | None = None
    why: str = ""


class Pages(NamedTuple):
    """The page of the printed total, the last one that is suspected; pages of the document without any row."""

    printed_on: int | None = None
    bare: Sequence[int] = ()


UNKNOWN = Pages()


def suspicion(delta: Decimal, rows: Sequence[Row], cleared: Container[int] = (), about: Pages = UNKNOWN) -> Suspicion:
    """Where the difference lies. cleared: places in `rows` of those that another sum vouches for."""
    printed_on = about.printed_on
    clues = {at: clue for at, clue in enumerate(_clues(delta, rows, cleared)) if clue.weight}
    open_pages = [row.page for at, row in enumerate(rows) if at not in cleared or at in clues]
    pages = _ranked(rows, clues, open_pages or [row.page for row in rows])
    if printed_on is not None:
        others = [page for page in _between(pages, printed_on) if page not in pages]
        pages = [*pages, *others] if open_pages or not rows else [printed_on, *(p for p in pages if p != printed_on)]
    if not any(found.weight >= TELLING for found in clues.values()) and _is_of_pages(delta, rows):
        pages = _bare_first(pages, about)
    if not clues:
        return Suspicion(tuple(pages), len(pages) == 1)
    top = max(clue.weight for clue in clues.values())
    best = [at for at, clue in clues.items() if clue.weight == top]
    alone = len({rows[at].page for at in best}) == 1
    row = rows[best[-1]] if alone and (len(best) == 1 or _alike([rows[at] for at in best])) else None
    return Suspicion(
        tuple(pages), len(pages) == 1 or (alone and top >= TELLING), row, clues[best[-1]].why if row else ""
    )


def clue(delta: Decimal, row: Row, doubt: str = "", doubled: bool = False) -> Clue:
    """What makes one row suspect of a difference. doubt: what is said against it; doubled: the next one is the same."""
    amount = _amount(row)
    if doubt:
        exact = amount is not None and _by_product(row) == amount + delta
        return Clue(7, "quantity × unit price would make it agree") if exact else Clue(5, doubt)
    if not amount or not delta:
        return NOTHING
    if amount == -delta:
        return Clue(6, "the amount of one row, which stands twice") if doubled else Clue(4, "the amount of one row")
    if 2 * amount == -delta:
        return Clue(3, "twice the amount of one row: its sign may be wrong")
    return Clue(_digits(amount, amount + delta), "a digit of one row may be wrong")


def _clues(delta: Decimal, rows: Sequence[Row], cleared: Container[int]) -> Iterator[Clue]:
    """The clue against each row; a row that is vouched for is suspect only where something is said against itself."""
    seen = [_values(row) for row in rows]
    doubts = _doubts(rows)
    for at, row in enumerate(rows):
        if at in cleared and not doubts[at]:
            yield NOTHING
        else:
            yield clue(delta, row, doubts[at], seen[at] in (*seen[max(0, at - 1) : at], *seen[at + 1 : at + 2]))


def _doubts(rows: Sequence[Row]) -> list[str]:
    """What is said against each row that is not said of many: that tells nothing apart."""
    counts = Counter(reason for row in rows for reason in row.reasons)
    few = max(FEW, len(rows) // 10)
    return [
        next((reason for reason in row.reasons if reason != UNPROVEN and counts[reason] <= few), "") for row in rows
    ]


def _values(row: Row) -> tuple[tuple[str, str], ...]:
    return tuple((cell.column, cell.value) for cell in row.cells)


def _by_product(row: Row) -> Decimal | None:
    quantity, price, amount = (_number(row.value(name)) for name in ("quantity", "unit_price", "amount"))
    if quantity is None or price is None or amount is None:
        return None
    return (quantity * price).quantize(Decimal(1).scaleb(int(amount.as_tuple().exponent)))


def _digits(read: Decimal, wanted: Decimal) -> int:
    """2 where two neighbouring digits changed places, 1 where one digit is another one, else 0."""
    if (read < 0) != (wanted < 0):
        return 0
    first, second = (str(abs(value)).replace(".", "") for value in (read, wanted))
    if len(first) != len(second):
        return 0
    parted = [at for at, (a, b) in enumerate(zip(first, second, strict=True)) if a != b]
    if len(parted) == 2 and parted[1] == parted[0] + 1 and sorted(first) == sorted(second):
        return 2
    return 1 if len(parted) == 1 else 0


def _ranked(rows: Sequence[Row], clues: dict[int, Clue], pages: Sequence[int]) -> list[int]:
    """Pages by their weightiest clue, by how many rows have it, then by how many rows they have at all."""
    weights: dict[int, list[int]] = defaultdict(list)
    for at, found in clues.items():
        weights[rows[at].page].append(found.weight)
    held = Counter(pages)

    def order(page: int) -> tuple[int, int, int, int]:
        top = max(weights[page], default=0)
        return -top, -weights[page].count(top), -held[page], page

    return sorted(held, key=order)


def _bare_first(pages: Sequence[int], about: Pages) -> list[int]:
    """The pages, ahead of them those without any row from the one before the first on: one may have lost all of its."""
    last = about.printed_on or max(pages, default=0)
    bare = [page for page in about.bare if min(pages, default=1) - 1 <= page <= last]
    return [*bare, *(page for page in pages if page not in bare)]


def _is_of_pages(delta: Decimal, rows: Sequence[Row]) -> bool:
    """Whether the difference is as large as the rows of a page are."""
    sums: dict[int, Decimal] = defaultdict(Decimal)
    for row in rows:
        sums[row.page] += _amount(row) or Decimal(0)
    usual = sorted(map(abs, sums.values()))
    return bool(usual) and abs(delta) >= usual[len(usual) // 2] / 2


def _between(pages: Sequence[int], last: int) -> list[int]:
    """The pages from the first suspect one to the total's: those without rows may have lost theirs."""
    return list(range(min(pages, default=last), last + 1)) or [last]


def _alike(rows: Sequence[Row]) -> bool:
    return len({_values(row) for row in rows}) == 1


def _amount(row: Row) -> Decimal | None:
    return _number(row.value("amount"))


def _number(text: str | None) -> Decimal | None:
    try:
        return Decimal(text) if text else None
    except ArithmeticError:
        return None
