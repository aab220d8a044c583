"""What charts and lists show of a statement, as plain values: ways from sum to total, balances, merged lines.

Comes in: a `Statement`. Goes out: `Bridge`s, `Balance`s, `Merge`s, exact. Amounts of two currencies never meet.
Refuses nothing: where a statement has no total or no amounts, there is nothing to show.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from pipeline import checks
from pipeline.charts import Balance, Bridge, Point, Step, Sum
from pipeline.model import Row, Scope, Statement

By = Literal["supplier", "page"]
SHOWN = ("date", "invoice_number", "description", "amount")  # of a row in words


@dataclass(frozen=True)
class Merge:
    """A row that several windows read on one line of its page. row: from 1; top, bottom: of the line, in points from
    the top of the page; parted: what they read differently, in words.
    """

    row: int
    page: int
    windows: tuple[int, ...]
    top: float
    bottom: float
    told: str
    parted: tuple[str, ...]


def merges(statement: Statement) -> tuple[Merge, ...]:
    """The rows that were merged since they stand on the same line."""
    return tuple(
        Merge(
            number, row.page, row.windows, row.box.top, row.box.bottom, told(row),
            tuple(reason for reason in row.reasons if reason.startswith("window ")),
        )
        for number, row in enumerate(statement.rows, 1)
        if len(row.windows) > 1
    )  # fmt: skip


def read(statement: Statement) -> dict[int, int]:
    """How many rows each window read, by its number."""
    return dict(Counter(number for row in statement.rows for number in row.windows))


def ungrounded(statement: Statement) -> tuple[int, ...]:
    """The indices (from 0) of rows with a value that does not stand on its page: kept, in review."""
    return tuple(
        at for at, row in enumerate(statement.rows) if any(cell.source.match == "missing" for cell in row.cells)
    )


def bridges(statement: Statement, by: By) -> tuple[Bridge, ...]:
    """For each currency whose printed total differs from its rows, the way there by supplier or by page."""
    scopes = statement.reconciliation.scopes
    return tuple(
        Bridge(whole.currency, whole.computed, whole.printed, tuple(_steps(whole, statement, by)))
        for whole in _wholes(scopes)
        if whole.printed is not None and whole.delta
    )


def _wholes(scopes: Sequence[Scope]) -> Iterator[Scope]:
    """The total of each currency: of the document, else of its account."""
    for kind in ("document", "account"):
        for scope in scopes:
            sides = scope.name in (checks.SUBTOTAL, *checks.SIDES)
            earlier = kind == "account" and any(
                one.scope == "document" and one.printed is not None and one.currency == scope.currency for one in scopes
            )
            if scope.scope == kind and scope.printed is not None and not sides and not earlier:
                yield scope


def _steps(whole: Scope, statement: Statement, by: By) -> Iterator[Step]:
    left = whole.delta or Decimal(0)
    for scope in statement.reconciliation.scopes:
        if scope.scope == by and scope.currency == whole.currency and scope.delta:
            left -= scope.delta
            name = f"page {scope.page}" if by == "page" else scope.name
            rows = _rows_of(statement, scope)
            doubted = next((row.page for row in rows if row.status == "review"), scope.page)
            yield Step(name, doubted, scope.delta, tuple(map(told, rows)))
    if left:
        yield Step(f"in no {by}'s total", whole.page, left)


def sums(statement: Statement, by: By) -> tuple[Sum, ...]:
    """The printed totals of suppliers or pages, each with its rows."""
    return tuple(
        Sum(scope, tuple(map(told, _rows_of(statement, scope))))
        for scope in statement.reconciliation.scopes
        if scope.scope == by
    )


def _rows_of(statement: Statement, scope: Scope) -> list[Row]:
    """The rows of a page or a supplier, those in review first."""
    rows = [row for row in statement.rows if row.currency == scope.currency and _belongs(row, scope)]
    return sorted(rows, key=lambda row: row.status != "review")


def _belongs(row: Row, scope: Scope) -> bool:
    return row.page == scope.page if scope.scope == "page" else row.value("supplier") == scope.name


def balances(statement: Statement) -> tuple[Balance, ...]:
    """The balances that rows print, else the sums of their amounts so far; a line a currency."""
    rows = list(enumerate(statement.rows, 1))
    printed = any(row.value("balance") for _, row in rows)
    lines: dict[str, list[Point]] = defaultdict(list)
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for number, row in rows:
        value = _number(row, "balance") if printed else _number(row, "amount")
        if value is None:
            continue
        sums[row.currency] += value
        level = value if printed else sums[row.currency]
        lines[row.currency].append(Point(number, row.page, level, _follows(row) if printed else None, told(row)))
    return tuple(Balance(currency, printed, tuple(points)) for currency, points in sorted(lines.items()))


def _number(row: Row, column: str) -> Decimal | None:
    try:
        return Decimal(row.value(column) or "")
    except InvalidOperation:
        return None


def _follows(row: Row) -> bool | None:
    outcomes = [check.outcome for check in row.checks if check.check.endswith("= balance")]
    return None if not outcomes else "failed" not in outcomes


def told(row: Row) -> str:
    """A row in words, for a hover."""
    return " · ".join(value for name in SHOWN if (value := row.value(name)))
