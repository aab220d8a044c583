"""Results against truth, page by page, as polars frames.

Comes in: a `Statement`, and truth as JSON (`X.truth.json` beside a sample, or what the command `rows` prints) or CSV
with a column `page`. Goes out: frames with a row a page. Refuses, as UsageError: a truth that cannot be understood.
Equal rows are counted, never collapsed: two equal lines are two transactions, so pages are compared as multisets.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import polars as pl

from pipeline import amounts, series, statements
from pipeline.charts import PageRun, PageShare
from pipeline.faulty import FaultyReader, Simulation
from pipeline.local import LocalEngine
from pipeline.model import Reading, Row, Statement, UsageError
from pipeline.profiles import Profile, StatementProfile
from pipeline.settled import decided_by

NUMBERS = frozenset({"quantity", "unit_price", "amount", "debit", "credit", "balance"})
BESIDE = frozenset({"row", "status", "reasons", "windows", "x0", "top", "x1", "bottom"})  # of exports: no values
LOST_IN_THE_MIDDLE = (0.0, 0.2, 0.57, 0.2, 0.0)  # at even steps through a call of 40 pages
WITNESSED = ("exact", "normalised")

Values = tuple[str, ...]


@dataclass(frozen=True)
class TruthRow:
    """A row that is known to be right; `values` stand in the order of `Truth.columns`, plain or as printed."""

    page: int
    values: Values


@dataclass(frozen=True)
class Truth:
    """Rows that are known to be right. Only their columns are compared. decimal: the separator of its numbers."""

    columns: tuple[str, ...]
    rows: tuple[TruthRow, ...]
    decimal: Literal[",", "."] = "."


def read_truth(text: str, name: str = "truth.json") -> Truth:
    """Truth from JSON text, or from CSV text where `name` ends with .csv."""
    try:
        records = list(_csv(text) if name.lower().endswith(".csv") else _json(text))
    except (ValueError, TypeError, KeyError, AttributeError, csv.Error) as error:
        raise UsageError(
            f"{name} is no truth: it needs rows with a page and values. Look at sample_docs/statement.truth.json."
        ) from error
    columns = tuple(dict.fromkeys(column for _, values in records for column in values))
    if not columns:
        raise UsageError(f"{name} holds no rows. Look at sample_docs/statement.truth.json for the shape.")
    rows = tuple(TruthRow(page, tuple(values.get(column, "") for column in columns)) for page, values in records)
    numbers = [value for _, values in records for column, value in values.items() if column in NUMBERS]
    return Truth(columns, rows, amounts.separator(numbers).decimal or ".")


def known(text: str | None) -> Truth | None:
    """The truth about rows in a text, if it holds one: one about sections or fields says nothing about rows."""
    try:
        return read_truth(text) if text else None
    except UsageError:
        return None


def _json(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    told: Any = json.loads(text)
    for row in told["rows"] if isinstance(told, dict) else told:
        values = row["values"]
        yield int(row["page"]), {str(key): "" if value is None else str(value) for key, value in values.items()}


def _csv(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    body = text.removeprefix("\ufeff")
    separator = max(",;\t", key=body.split("\n", 1)[0].count)
    for row in csv.DictReader(io.StringIO(body), delimiter=separator, strict=True):
        page = int(row.pop("page"))
        yield (
            page,
            {key.strip(): (value or "").removeprefix("'") for key, value in row.items() if key and key not in BESIDE},
        )


def page_accuracy(statement: Statement, truth: Truth) -> pl.DataFrame:
    """page, expected, found, right, missing, extra, accuracy: right / max(expected, found), 0..1."""
    lines = [(page, want.total(), have.total(), (want & have).total()) for page, want, have in _pages(statement, truth)]
    frame = _counts(("page", "expected", "found", "right"), lines)
    return frame.with_columns(
        missing=pl.col("expected") - pl.col("right"),
        extra=pl.col("found") - pl.col("right"),
        accuracy=pl.col("right") / pl.max_horizontal("expected", "found"),
    )


def differences(statement: Statement, truth: Truth) -> pl.DataFrame:
    """page, what ("missing" or "not in the truth"), then the truth's columns: every row that is not right."""
    lines: list[tuple[int, str, *tuple[str, ...]]] = []
    for page, want, have in _pages(statement, truth):
        for what, rows in (("missing", want - have), ("not in the truth", have - want)):
            lines += [(page, what, *values) for values in rows.elements()]
    schema = {"page": pl.Int64, "what": pl.String} | dict.fromkeys(truth.columns, pl.String)
    return pl.DataFrame(lines, schema, orient="row")


def witnessed(statement: Statement) -> pl.DataFrame:
    """page, values, witnessed, share: the values of confirmed rows that stand on the page as they were read.

    This says nothing about rows that were not found at all; only truth does.
    """
    lines = [
        (row.page, len(row.cells), sum(_is_witnessed(row, cell.source.match) for cell in row.cells))
        for row in statement.rows
    ]
    frame = _counts(("page", "values", "witnessed"), lines)
    summed = frame.group_by("page").agg(pl.col("values", "witnessed").sum()).sort("page")
    return summed.with_columns(share=pl.col("witnessed") / pl.col("values"))


def _counts(columns: tuple[str, ...], lines: Sequence[tuple[int, ...]]) -> pl.DataFrame:
    return pl.DataFrame(lines, dict.fromkeys(columns, pl.Int64), orient="row")


def _is_witnessed(row: Row, match: str) -> bool:
    return row.status == "confirmed" and match in WITNESSED


def shares(frame: pl.DataFrame, notes: Mapping[int, Sequence[str]] | None = None) -> list[PageShare]:
    """What `charts.page_shares` draws, of `page_accuracy` or `witnessed`. notes: by page, rows to look at, in words."""
    if "accuracy" in frame.columns:
        columns = frame.select("page", "right", pl.max_horizontal("expected", "found"))
    else:
        columns = frame.select("page", "witnessed", "values")
    told = notes or {}
    return [PageShare(page, right, count, tuple(told.get(page, ()))) for page, right, count in columns.iter_rows()]


def wrong_rows(statement: Statement, truth: Truth) -> dict[int, list[str]]:
    """By page, the rows that differ from the truth, in words."""
    found: dict[int, list[str]] = {}
    for page, what, *values in differences(statement, truth).iter_rows():
        found.setdefault(page, []).append(f"{what}: {' · '.join(filter(None, values))}")
    return found


def doubted_rows(statement: Statement) -> dict[int, list[str]]:
    """By page, the rows in review, with the first reason."""
    found: dict[int, list[str]] = {}
    for row in statement.rows:
        if row.status == "review":
            found.setdefault(row.page, []).append(f"{series.told(row)}: {next(iter(row.reasons), 'not confirmed')}")
    return found


def page_shares(statement: Statement, truth: Truth | None) -> list[PageShare]:
    """What share of each page is right against the truth; without one, what share of its values is witnessed."""
    if truth is None:
        return shares(witnessed(statement), doubted_rows(statement))
    return shares(page_accuracy(statement, truth), wrong_rows(statement, truth))


def page_run(name: str, statement: Statement, truth: Truth | None, simulated: bool = False) -> PageRun:
    """How a setting fared, for `charts.compared`: as `page_shares`."""
    return PageRun(name, tuple(page_shares(statement, truth)), simulated)


def simulated(reading: Reading, truth: Truth, part: StatementProfile, seed: int = 1) -> PageRun:
    """How a setting would fare with a reader that loses the middle of long calls: a simulation, and named so.

    Assumed: the chance that a row is misread grows with the pages of a call and is highest in its middle, 57 % where a
    call has 40 pages. Overlaps are read anew, not misread the same way.
    """
    pages = min(part.chunk_pages, len(reading.pages))
    curve = tuple(min(1.0, rate * pages / 40) for rate in LOST_IN_THE_MIDDLE)
    reader = FaultyReader(LocalEngine(), Simulation(seed=seed, curve=curve, stubborn=False))
    found = statements.extract(reading, Profile(statement=part), reader)
    return page_run(setting(part, len(reading.pages)), found, truth, simulated=True)


def setting(part: StatementProfile, pages: int) -> str:
    """A setting in words: `one call` or `5 pages + 1 overlap`."""
    return "one call" if part.chunk_pages >= pages else f"{part.chunk_pages} pages + {part.overlap} overlap"


def _true(truth: Truth) -> Iterator[tuple[int, Values]]:
    for row in truth.rows:
        cells = zip(truth.columns, row.values, strict=True)
        yield row.page, tuple(_plain(column, value, truth.decimal) for column, value in cells)


def _found(statement: Statement, columns: tuple[str, ...]) -> Iterator[tuple[int, Values]]:
    for row in statement.rows:
        yield row.page, tuple(_plain(column, row.value(column) or "", ".") for column in columns)


def _pages(statement: Statement, truth: Truth) -> Iterator[tuple[int, Counter[Values], Counter[Values]]]:
    """Page by page, the rows that are true and those that were found."""
    known, read = _by_page(_true(truth)), _by_page(_found(statement, truth.columns))
    for page in sorted(known.keys() | read.keys()):
        yield page, known.get(page, Counter()), read.get(page, Counter())


def _by_page(rows: Iterable[tuple[int, Values]]) -> Mapping[int, Counter[Values]]:
    pages: dict[int, Counter[Values]] = {}
    for page, values in rows:
        pages.setdefault(page, Counter())[values] += 1
    return pages


def _plain(column: str, value: str, decimal: Literal[",", "."]) -> str:
    """A value as it is compared: numbers without trailing zeros, text with single spaces."""
    amount = amounts.parse(value, decimal) if column in NUMBERS else None
    if amount is not None:
        return amounts.plain(amount.value.normalize())
    return " ".join(unicodedata.normalize("NFC", value).split())


def rows_frame(statement: Statement) -> pl.DataFrame:
    """row (from 1), page, status, the statement's columns, reasons: the rows as a table shows them, all text exact.

    status: `decided` where a person settled the row, and who did stands for the reasons.
    """
    lines = [
        (
            number,
            row.page,
            "decided" if decided_by(row) else row.status,
            *(row.value(column) for column in statement.columns),
            decided_by(row) or "; ".join(row.reasons),
        )
        for number, row in enumerate(statement.rows, 1)
    ]
    schema = {"row": pl.Int64, "page": pl.Int64, "status": pl.String} | dict.fromkeys(statement.columns, pl.String)
    return pl.DataFrame(lines, schema | {"reasons": pl.String}, orient="row")


def scopes_frame(statement: Statement) -> pl.DataFrame:
    """scope, name, page, currency, printed, computed, delta (signed, exact, as text), rows."""
    lines = [
        (
            scope.scope,
            scope.name,
            scope.page,
            scope.currency,
            _text(scope.printed),
            _text(scope.computed),
            _text(scope.delta),
            scope.rows,
        )
        for scope in statement.reconciliation.scopes
    ]
    text = dict.fromkeys(("currency", "printed", "computed", "delta"), pl.String)
    schema = {"scope": pl.String, "name": pl.String, "page": pl.Int64} | text | {"rows": pl.Int64}
    return pl.DataFrame(lines, schema, orient="row")


def _text(value: Decimal | None) -> str | None:
    return None if value is None else f"{value:,f}"


def truth_json(truth: Truth) -> str:
    """The truth as JSON text that `read_truth` understands."""
    rows = [{"page": row.page, "values": dict(zip(truth.columns, row.values, strict=True))} for row in truth.rows]
    return json.dumps({"rows": rows}, ensure_ascii=False)
