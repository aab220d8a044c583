from __future__ import annotations

import csv
import io

import pytest

from pipeline import export
from pipeline.model import Box, Cell, Place, Reconciliation, Row, Source, Statement

BOX = Box(0, 0, 10, 10)


def statement(**values: str) -> Statement:
    source = Source((Place(1, BOX),), "as printed", "exact")
    cells = tuple(Cell(column, value, source) for column, value in values.items())
    row = Row(cells, 1, BOX, (1,), "review", ("=no second witness",))
    return Statement((row,), Reconciliation("human_review", ()), (), columns=("date", "description", "amount"))


def read(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def test_a_row_is_a_line_with_all_columns() -> None:
    lines = read(export.rows_csv(statement(date="2025-07-01", amount="-12.50")))
    assert lines[0] == ["page", "status", "date", "description", "amount", "reasons"]
    assert lines[1] == ["1", "review", "2025-07-01", "", "-12.50", "'=no second witness"]


def test_letters_of_all_scripts_survive() -> None:
    lines = read(export.rows_csv(statement(description='Набавка „Чачак", 3 kom.\nкраj')))
    assert lines[1][3] == 'Набавка „Чачак", 3 kom.\nкраj'


@pytest.mark.parametrize("text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "-2+3", "--1", "-1_000", "-٣"])
def test_formulas_are_neutralised(text: str) -> None:
    assert export.guarded(text) == "'" + text


@pytest.mark.parametrize("text", ["-12.50", "+3", "-0.00", "INV-1", "12=3", "", "1.234,56"])
def test_numbers_and_harmless_text_stay(text: str) -> None:
    assert export.guarded(text) == text
