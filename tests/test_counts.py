"""Printed counts of rows, found where they stand and held against the rows."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from pipeline import worker
from pipeline.counts import find, is_count
from pipeline.local import LocalEngine
from pipeline.model import Reading, Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from sample_docs.drawing import family

ROWS = (("R-1", "01.07.2025", "Copper pipe", "10,00"), ("R-1", "01.07.2025", "Box of 12 items", "5,00"),
        ("R-2", "03.07.2025", "Brass valve", "20,00"))  # fmt: skip


def _statement(path: Path, count: str, total: str = "Grand total") -> Reading:
    """Three rows of two invoices and their total, with a count below."""
    font = family("Roboto").regular
    assert font in pdfmetrics.getRegisteredFontNames()
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.setFont(font, 9)
    lines = [("Invoice no.", "Date", "Description", "Amount EUR"), *ROWS, ("", "", total, "35,00")]
    for at, cells in enumerate(lines):
        for x, text in zip((40, 120, 190), cells[:3], strict=True):
            canvas.drawString(x, 742 - 16 * at, text)
        canvas.drawRightString(555, 742 - 16 * at, cells[3])
    canvas.drawString(40, 600, count)
    canvas.save()
    return worker.read(path, ReadingProfile())


def _extract(reading: Reading) -> Statement:
    return extract(reading, Profile(), LocalEngine())


@pytest.mark.parametrize(
    "count", ["3 items", "2 invoices", "Number of invoices: 2", "Anzahl Posten: 3", "Број ставки: 3", "Broj računa: 2",
              "Nombre de factures : 2", "Número de facturas: 2", "Numero di righe: 3"],
)  # fmt: skip
def test_a_count_that_fits_is_no_finding(tmp_path: Path, count: str) -> None:
    reading = _statement(tmp_path / "counted.pdf", count)
    assert [found.text.replace(" :", ":") for found in find(reading.pages)] == [count.replace(" :", ":")]
    statement = _extract(reading)
    assert statement.findings == ()
    assert statement.reconciliation.action == "auto_import"


@pytest.mark.parametrize("count", ["4 items", "Anzahl Posten: 34", "Број ставки: 4", "Number of invoices: 1,002"])
def test_a_count_that_does_not_fit_goes_to_a_person(tmp_path: Path, count: str) -> None:
    statement = _extract(_statement(tmp_path / "counted.pdf", count))
    assert [(found.kind, found.message, found.page) for found in statement.findings] == [
        ("count_differs", f"page 1: printed “{count}”, but 3 rows of 2 invoices were found", 1)
    ]
    assert statement.reconciliation.action == "human_review"


def test_a_count_in_brackets_behind_a_total_counts(tmp_path: Path) -> None:
    [count] = find(_statement(tmp_path / "counted.pdf", "", total="Grand total (7 invoices)").pages)
    assert (count.number, count.text) == (7, "7 invoices")


@pytest.mark.parametrize("text", ["We send up to 4 items a day.", "Page 1 of 4 documents", "Order 7 entries late"])
def test_numbers_in_running_text_are_no_counts(tmp_path: Path, text: str) -> None:
    assert find(_statement(tmp_path / "counted.pdf", text).pages) == ()


@pytest.mark.parametrize(
    ("text", "count"),
    [("Nombre de lignes : 78", True), ("3 items", True), ("Box of 3 items", False), ("Norvik 3", False)],
)
def test_a_count_alone_names_no_supplier(text: str, count: bool) -> None:
    assert is_count(text) == count
