"""What charts and lists show of a statement, as plain values: ways from sum to total, balances, merged lines.

Comes in: a `Statement`. Goes out: `Bridge`s, `Balance`s, `Merge`s, exact. Amounts of two currencies never meet.
Refuses nothing: where a statement has no total or no amounts, there is nothing to show.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

from pipeline import checks
from pipeline.charts import Balance, Bridge, Point, Step
from pipeline.model import Row, Scope, Statement

By = Literal["supplier", "page"]
SHOWN = ("date", "invoice_number", "description", "amount")  # of a row in words


@dataclass(frozen=True)
class Merge:
    """Lines of a page that several windows read, each one row now; doubted: those that were read differently."""

    page: int
    windows: tuple[int, ...]
    rows: int
    doubted: int


def merges(statement: Statement) -> tuple[Merge, ...]:
    """Page by page, what was merged since it stands on the same line."""
    groups: dict[tuple[int, tuple[int, ...]], list[Row]] = defaultdict(list)
    for row in statement.rows:
        if len(row.windows) > 1:
            groups[row.page, row.windows].append(row)
    return tuple(
        Merge(
            page, windows, len(rows), sum(any(reason.startswith("window ") for reason in row.reasons) for row in rows)
        )
        for (page, windows), rows in sorted(groups.items())
    )


def ungrounded(statement: Statement) -> tuple[int, ...]:
    """The indices (from 0) of rows with a value that does not stand on its page: kept, in review."""
    return tuple(
        at for at, row in enumerate(statement.rows) if any(cell.source.match == "missing" for cell in row.cells)
    )


def bridges(statement: Statement, by: By) -> tuple[Bridge, ...]:
    """For each currency whose printed total differs from its rows, the way there by supplier or by page."""
    scopes = statement.reconciliation.scopes
    return tuple(
        Bridge(whole.currency, whole.computed, whole.printed, tuple(_steps(whole, scopes, by)))
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


def _steps(whole: Scope, scopes: Sequence[Scope], by: By) -> Iterator[Step]:
    left = whole.delta or Decimal(0)
    for scope in scopes:
        if scope.scope == by and scope.currency == whole.currency and scope.delta:
            left -= scope.delta
            name = f"page {scope.page}" if by == "page" else scope.name
            yield Step(name, scope.page, scope.delta, scope.rows)
    if left:
        yield Step(f"in no {by}'s total", whole.page, left, 0)


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
