from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest
from hypothesis import given, strategies as st

from pipeline import evaluate, rowfiles, tablefiles
from pipeline.cli import main
from pipeline.model import (
    Box,
    Cell,
    Finding,
    InReview,
    Place,
    Reconciliation,
    Row,
    Source,
    Statement,
    Status,
    UsageError,
)

BOX = Box(40, 100.123, 555, 112)
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
COLUMNS = ("date", "description", "quantity", "amount")
HEADER = "page,status,date,description,quantity,amount,currency,x0,top,x1,bottom,windows,reasons"


def row(status: Status = "confirmed", reasons: tuple[str, ...] = (), **values: str) -> Row:
    source = Source((Place(3, BOX),), "as printed", "exact")
    cells = tuple(Cell(column, value, source) for column, value in values.items())
    return Row(cells, 3, BOX, (1, 2), status, reasons, currency="EUR")


def statement(*rows: Row) -> Statement:
    review = any(one.status == "review" for one in rows)
    findings = (Finding("total_differs", "error", "page 3: 4.00 EUR missing", 3),) if review else ()
    verdict = Reconciliation("human_review" if review else "auto_import", ())
    return Statement(rows, verdict, findings, columns=COLUMNS)


GOOD = row(date="2025-07-01", description="Saw", quantity="2", amount="-1234.50")
HUGE = row(date="03/04/2025", description="=HYPERLINK(1)", amount="12345678901234567.89")


def sheet(content: bytes, number: int = 1) -> list[list[tuple[str, str, str]]]:
    """The cells of a workbook: (reference, type, value) with shared strings looked up; formulas would show as f."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        strings = ["".join(item.itertext()) for item in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))]
        lines = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{MAIN}row")
        found = []
        for line in lines:
            cells = []
            for cell in line:
                value, kind = cell.findtext(f"{MAIN}v", ""), cell.get("t", "n")
                assert cell.find(f"{MAIN}f") is None
                cells.append((cell.get("r", ""), kind, strings[int(value)] if kind == "s" else value))
            found.append(cells)
    return found


def test_csv_has_status_currency_page_box_windows_and_reasons() -> None:
    text = rowfiles.made(statement(GOOD, row("review", ("=no sum",), amount="1.00")), "csv").decode("utf-8-sig")
    assert text.split("\r\n") == [
        HEADER,
        "3,confirmed,2025-07-01,Saw,2,-1234.50,EUR,40,100.12,555,112,1 2,",
        "3,review,,,,1.00,EUR,40,100.12,555,112,1 2,'=no sum",
        "",
    ]


def test_csv_is_read_back_as_a_truth_of_the_values_alone() -> None:
    truth = evaluate.read_truth(rowfiles.made(statement(GOOD), "csv").decode("utf-8-sig"), "rows.csv")
    assert truth.columns == ("date", "description", "quantity", "amount", "currency")
    assert truth.rows[0].values == ("2025-07-01", "Saw", "2", "-1234.50", "EUR")


def test_a_workbook_holds_numbers_dates_and_the_exact_text_of_what_no_float_holds() -> None:
    lines = sheet(rowfiles.made(statement(GOOD, HUGE), "xlsx"))
    assert [cell[2] for cell in lines[0]] == HEADER.split(",")
    assert lines[1][2:6] == [("C2", "n", "45839"), ("D2", "s", "Saw"), ("E2", "n", "2"), ("F2", "n", "-1234.50")]
    assert lines[2][2:4] == [("C3", "s", "03/04/2025"), ("D3", "s", "=HYPERLINK(1)")]
    assert lines[2][4] == ("F3", "s", "12345678901234567.89")


def test_a_workbook_shows_the_decimals_as_printed_and_marks_formulas_as_text() -> None:
    content = rowfiles.made(statement(GOOD, HUGE), "xlsx")
    styles = zipfile.ZipFile(io.BytesIO(content)).read("xl/styles.xml").decode()
    assert 'formatCode="yyyy-mm-dd"' in styles
    assert styles.count('quotePrefix="1"') == 1
    assert 'formatCode="#,##0.00"' in styles
    assert 'formatCode="#,##0"' in styles


@given(st.decimals(allow_nan=False, allow_infinity=False, places=2, max_value=10**12, min_value=-(10**12)))
def test_a_number_in_a_workbook_is_the_amount_to_the_cent(value: Decimal) -> None:
    cell = sheet(rowfiles.made(statement(row(amount=format(value, "f"))), "xlsx"))[1][2]
    assert cell[1] == "n"
    assert Decimal(cell[2]) == value


def test_parquet_holds_decimals_and_dates() -> None:
    half = row(date="2025-07-02", description="Oil", quantity="0.5", amount="7.00")
    frame = pl.read_parquet(rowfiles.made(statement(GOOD, half), "parquet"))
    assert frame.schema["amount"] == pl.Decimal(38, 2)
    assert frame.schema["quantity"] == pl.Decimal(38, 1)
    assert frame["amount"].to_list() == [Decimal("-1234.50"), Decimal("7.00")]
    assert frame["date"].to_list() == [date(2025, 7, 1), date(2025, 7, 2)]
    assert frame.select("page", "status", "top").rows()[0] == (3, "confirmed", 100.12)


def test_parquet_keeps_a_column_as_text_where_one_value_is_no_number() -> None:
    frame = pl.read_parquet(rowfiles.made(statement(GOOD, row(amount="1.234,5"), HUGE), "parquet"))
    assert frame["amount"].to_list() == ["-1234.50", "1.234,5", "12345678901234567.89"]
    assert frame["date"].to_list() == ["2025-07-01", None, "03/04/2025"]
    wide = pl.read_parquet(rowfiles.made(statement(row(amount="9" * 37), row(amount="0.25")), "parquet"))
    assert wide["amount"].to_list() == ["9" * 37, "0.25"]


def test_json_lines_hold_exact_strings_and_places() -> None:
    lines = rowfiles.made(statement(GOOD, HUGE), "jsonl").decode().splitlines()
    assert len(lines) == 2
    told = json.loads(lines[1])
    assert told["values"]["amount"] == "12345678901234567.89"
    assert told["cells"]["amount"] == [{"page": 3, "box": [40, 100.12, 555, 112]}]
    assert told["currency"] == "EUR"


@pytest.mark.parametrize("text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_text_that_could_start_a_formula_is_text_in_a_workbook(text: str) -> None:
    content = rowfiles.made(statement(row(description=text)), "xlsx")
    assert sheet(content)[1][2][:2] == ("D2", "s")
    assert b'quotePrefix="1"' in zipfile.ZipFile(io.BytesIO(content)).read("xl/styles.xml")


def test_equal_rows_give_equal_bytes() -> None:
    for form in rowfiles.FORMS:
        assert rowfiles.made(statement(GOOD), form, "a.pdf") == rowfiles.made(statement(GOOD), form, "a.pdf")


def test_no_rows_give_a_file_with_a_header() -> None:
    assert rowfiles.made(statement(), "csv").decode("utf-8-sig") == HEADER + "\r\n"
    assert [cell[2] for cell in sheet(rowfiles.made(statement(), "xlsx"))[0]] == HEADER.split(",")
    assert pl.read_parquet(rowfiles.made(statement(), "parquet")).columns == HEADER.split(",")


def test_accounting_takes_the_rows_of_a_statement_that_closes() -> None:
    lines = list(csv.reader(io.StringIO(rowfiles.made(statement(GOOD), "accounting", "a.pdf").decode("utf-8-sig"))))
    assert lines == [
        ["document", "page", "date", "description", "quantity", "amount", "currency"],
        ["a.pdf", "3", "2025-07-01", "Saw", "2", "-1234.50", "EUR"],
    ]


def test_accounting_refuses_what_is_in_review() -> None:
    with pytest.raises(InReview) as refused:
        rowfiles.made(statement(GOOD, row("review", ("no sum",), amount="1.00")), "accounting", "a.pdf")
    assert str(refused.value) == (
        "a.pdf: the verdict is human review (1 findings, 1 of 2 rows in review; first: page 3: 4.00 EUR missing): "
        "nothing was exported. `rows FILE` lists what to look at."
    )
    assert refused.value.exit_code == 1
    loose = replace(statement(row("review", amount="1.00")), reconciliation=Reconciliation("auto_import", ()))
    with pytest.raises(InReview):
        rowfiles.made(loose, "accounting", "a.pdf")


def test_what_no_sheet_holds_is_refused() -> None:
    with pytest.raises(UsageError, match="more than a cell holds"):
        rowfiles.made(statement(row(description="x" * 32_768)), "xlsx")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        tablefiles.write(tmp_path / "folder", b"x")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def test_the_command_writes_each_form(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pdf = str(samples / "statement.pdf")
    target = tmp_path / "rows.parquet"
    assert main(["rows", pdf, "--format", "parquet", "-o", str(target)]) == 0
    frame = pl.read_parquet(target)
    assert frame["status"].unique().to_list() == ["confirmed"]
    truth = json.loads((samples / "statement.truth.json").read_text())
    assert frame["amount"].sum() == Decimal(truth["totals"]["grand_total"])
    assert main(["rows", pdf, "--format", "xlsx"]) == 2
    assert "name it with -o" in capsys.readouterr().err
    assert main(["rows", pdf, "--format", "accounting"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(truth["rows"])
    assert main(["rows", str(samples / "agreement.pdf"), "--format", "accounting"]) == 1
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert "the verdict is human review" in told.err
