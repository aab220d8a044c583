from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import evaluate
from pipeline.charts import PageShare
from pipeline.model import Box, Cell, Match, Place, Reconciliation, Row, Source, Statement, Status, UsageError

BOX = Box(0, 0, 10, 10)
COLUMNS = ("invoice_number", "amount")


def row(page: int, number: str, amount: str, status: Status = "confirmed", match: Match = "exact") -> Row:
    source = Source((Place(page, BOX),), amount, match)
    return Row((Cell("invoice_number", number, source), Cell("amount", amount, source)), page, BOX, (1,), status)


def statement(*rows: Row) -> Statement:
    return Statement(rows, Reconciliation("auto_import", ()), (), columns=COLUMNS)


TRUTH = evaluate.read_truth(
    """{"rows": [{"page": 1, "values": {"invoice_number": "7", "amount": "10.00"}},
                 {"page": 1, "values": {"invoice_number": "7", "amount": "10.00"}},
                 {"page": 2, "values": {"invoice_number": "8", "amount": "1234.50"}}]}"""
)


def test_all_right() -> None:
    frame = evaluate.page_accuracy(statement(row(1, "7", "10.00"), row(1, "7", "10.00"), row(2, "8", "1234.5")), TRUTH)
    assert frame["accuracy"].to_list() == [1.0, 1.0]
    assert evaluate.shares(frame) == [PageShare(1, 2, 2), PageShare(2, 1, 1)]


def test_one_of_two_twins_is_missing() -> None:
    frame = evaluate.page_accuracy(statement(row(1, "7", "10.00"), row(2, "8", "1234.50")), TRUTH)
    assert frame.row(0, named=True) == {
        "page": 1, "expected": 2, "found": 1, "right": 1, "missing": 1, "extra": 0, "accuracy": 0.5,
    }  # fmt: skip


def test_an_invented_row_costs_and_is_named() -> None:
    found = statement(row(1, "7", "10.00"), row(1, "7", "10.00"), row(1, "9", "3.00"), row(2, "8", "1234.50"))
    frame = evaluate.page_accuracy(found, TRUTH)
    assert frame["extra"].to_list() == [1, 0]
    assert frame["accuracy"].to_list()[0] == pytest.approx(2 / 3)
    assert evaluate.differences(found, TRUTH).rows() == [(1, "not in the truth", "9", "3")]


def test_a_row_on_the_wrong_page_is_wrong_on_both() -> None:
    frame = evaluate.page_accuracy(statement(row(1, "7", "10.00"), row(1, "7", "10.00"), row(3, "8", "1234.50")), TRUTH)
    assert frame["page"].to_list() == [1, 2, 3]
    assert frame["accuracy"].to_list() == [1.0, 0.0, 0.0]


def test_a_statement_without_rows_misses_all() -> None:
    assert evaluate.page_accuracy(statement(), TRUTH)["accuracy"].to_list() == [0.0, 0.0]
    assert evaluate.witnessed(statement()).is_empty()
    assert evaluate.rows_frame(statement()).columns == ["row", "page", "status", "invoice_number", "amount", "reasons"]


def test_truth_as_csv_with_printed_amounts() -> None:
    text = "page;invoice_number;amount\n1;0007;1.234,56\n1;7;10,00\n"
    truth = evaluate.read_truth(text, "truth.CSV")
    assert truth.decimal == ","
    frame = evaluate.page_accuracy(statement(row(1, "0007", "1234.56"), row(1, "7", "10.00")), truth)
    assert frame["accuracy"].to_list() == [1.0]


def test_leading_zeros_of_numbers_that_name_something_count() -> None:
    frame = evaluate.page_accuracy(
        statement(row(1, "7", "10.00"), row(1, "07", "10.00"), row(2, "8", "1234.50")), TRUTH
    )
    assert frame["right"].to_list() == [1, 1]


def test_only_the_columns_of_the_truth_are_compared() -> None:
    truth = evaluate.read_truth("page,amount\n1,10.00\n", "amounts.csv")
    assert evaluate.page_accuracy(statement(row(1, "7", "10.00")), truth)["accuracy"].to_list() == [1.0]


def test_a_truth_survives_being_kept() -> None:
    truth = evaluate.read_truth("page;amount\n3;1.234,56\n", "t.csv")
    assert evaluate.read_truth(evaluate.truth_json(truth)) == truth


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("", "t.json"),
        ("[1, 2]", "t.json"),
        ('{"sections": []}', "t.json"),
        ('{"rows": []}', "t.json"),
        ('{"rows": [{"page": "x", "values": {}}]}', "t.json"),
        ("a,b\n1,2\n", "t.csv"),
        ("page,amount\nx,2\n", "t.csv"),
        ('page,amount\n1,"2\n', "t.csv"),
    ],
)
def test_what_is_no_truth_is_refused_in_one_line(text: str, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        evaluate.read_truth(text, name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_truth_of_the_sample_is_understood(samples: Path) -> None:
    truth = evaluate.read_truth((samples / "statement.truth.json").read_text(encoding="utf-8"))
    assert truth.decimal == "."
    assert {"invoice_number", "date", "supplier", "amount"} <= set(truth.columns)
    assert max(row.page for row in truth.rows) == 40


def test_witnessed_values_are_those_of_confirmed_rows_found_on_the_page() -> None:
    frame = evaluate.witnessed(
        statement(row(1, "7", "10.00"), row(1, "8", "2.00", "review"), row(2, "9", "3.00", match="missing"))
    )
    assert frame.rows() == [(1, 4, 2, 0.5), (2, 2, 0, 0.0)]
    assert evaluate.shares(frame) == [PageShare(1, 2, 4), PageShare(2, 0, 2)]
