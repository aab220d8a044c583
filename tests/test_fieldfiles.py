"""Fields of invoices as CSV and XLSX: exact, no formulas, with status, reasons and boxes beside the values."""

from __future__ import annotations

import csv
import io

from pipeline import fieldfiles
from pipeline.fieldfiles import Read
from pipeline.model import Box, Check, Field, Invoices, Place, Status
from pipeline.profiles import FieldProfile
from tests.test_rowfiles import sheet


def field(name: str, value: str, normalised: str, status: Status = "confirmed", invoice: int = 1) -> Field:
    places = (Place(2, Box(10.126, 20, 80, 31)), Place(3, Box(1, 2, 3, 4)))
    reasons = () if status == "confirmed" else ("the second reader saw 7",)
    checks = (Check("net + tax = gross", "passed", "100.00 + 20.00 = 120.00"),)
    return Field(invoice, name, value, normalised, places, value, "7", status, checks, reasons)


READ = Read(
    "a.pdf",
    Invoices(
        (
            field("gross_total", "12.345.678.901.234.567,89", "12345678901234567.89"),
            field("issue_date", "3.4.2025", "2025-04-03"),
            field("supplier_name", "=HYPERLINK(1)", "=HYPERLINK(1)", "review"),
            field("line_item_1_amount", "-1.000,50", "-1000.50"),
            field("line_item_1_description", "Saw", "Saw", "review"),
            field("line_item_2_amount", "2,00", "2.00"),
            field("gross_total", "9,99", "9.99", invoice=2),
        ),
        ((2, 3), (4,)),
    ),
)


def test_a_csv_has_a_line_a_field_with_everything_beside_it() -> None:
    rows = list(csv.DictReader(io.StringIO(fieldfiles.made([READ], "csv", FieldProfile()).decode("utf-8-sig"))))
    assert len(rows) == 7
    assert rows[2] == {
        "document": "a.pdf", "invoice": "1", "name": "supplier_name", "value": "'=HYPERLINK(1)",
        "normalised": "'=HYPERLINK(1)", "page": "2", "x0": "10.13", "top": "20", "x1": "80", "bottom": "31",
        "status": "review", "reasons": "the second reader saw 7", "first_read": "'=HYPERLINK(1)", "second_read": "7",
        "checks": "net + tax = gross passed: 100.00 + 20.00 = 120.00", "other_boxes": "page 3: 1 2 3 4",
    }  # fmt: skip
    assert [row["normalised"] for row in rows[:2]] == ["12345678901234567.89", "2025-04-03"]
    assert rows[3]["normalised"] == "-1000.50"


def test_a_workbook_has_invoices_items_and_fields_exactly() -> None:
    content = fieldfiles.made([READ], "xlsx", FieldProfile())
    invoices, items = sheet(content), sheet(content, 2)
    assert [cell[2] for cell in invoices[0]] == [
        "document", "invoice", "in_review", "supplier_name", "issue_date", "gross_total",
    ]  # fmt: skip
    assert [cell[2] for cell in invoices[1]] == [
        "a.pdf", "1", "supplier_name", "=HYPERLINK(1)", "45750", "12345678901234567.89",
    ]  # fmt: skip
    assert [cell[1] for cell in invoices[1]] == ["s", "n", "s", "s", "n", "s"]  # what a float cannot hold is text
    assert [cell[2] for cell in invoices[2]] == ["a.pdf", "2", "9.99"]
    assert [cell[2] for cell in items[1]] == ["a.pdf", "1", "1", "line_item_description", "Saw", "-1000.50"]
    assert [cell[2] for cell in items[2]] == ["a.pdf", "1", "2", "2.00"]
    assert len(sheet(content, 3)) == 8


def test_no_invoice_gives_empty_tables() -> None:
    empty = Read("a.pdf", Invoices((), ()))
    assert len(fieldfiles.made([empty], "csv", FieldProfile()).splitlines()) == 1
    assert len(sheet(fieldfiles.made([empty], "xlsx", FieldProfile()))) == 1
