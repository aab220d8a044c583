"""Net, tax and gross of a row: parts by title, relations that close, and those that are not held."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import worker
from pipeline.local import LocalEngine
from pipeline.model import Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from pipeline.taxes import Figure, Part, Taxed, checks, part


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("VAT", "tax"), ("VAT rate", "rate"), ("MwSt %", "rate"), ("Net amount", "net"), ("Brutto", "gross"),
        ("TVA", "tax"), ("Total TTC", "gross"), ("Imponibile", "net"), ("ПДВ", "tax"), ("Основица", "net"),
        ("Стопа ПДВ", "rate"), ("Discount", None),
    ],
)  # fmt: skip
def test_a_title_tells_the_part(title: str, expected: Part | None) -> None:
    assert part(title) == expected


def _row(net: str, tax: str, gross: str) -> tuple[Taxed, Decimal]:
    return Taxed((Figure("tax", Decimal(tax)), Figure("gross", Decimal(gross)))), Decimal(net)


def test_net_and_tax_give_gross_and_a_row_that_does_not_close_fails() -> None:
    rows = {at: _row("100.00", "20.00", "120.00") for at in range(9)} | {9: _row("100.00", "20.00", "121.00")}
    found = checks(rows)
    assert [(c.outcome, c.detail) for c in found[0]] == [("passed", "100.00 + 20.00 = 120.00")]
    assert [(c.outcome, c.detail) for c in found[9]] == [("failed", "100.00 + 20.00 is 120.00, not 121.00")]


def test_a_relation_that_most_rows_break_is_not_held() -> None:
    assert checks({at: _row("100.00", "20.00", "130.00") for at in range(5)}) == {}


def test_rate_times_net_is_tax_rounded_to_the_cent() -> None:
    def row(tax: str) -> tuple[Taxed, Decimal]:
        return Taxed((Figure("rate", Decimal(19)), Figure("tax", Decimal(tax))), "net"), Decimal("10.03")

    found = checks({at: row("1.91") for at in range(5)} | {5: row("1.92")})
    assert [check.detail for check in found[0]] == ["19 % of 10.03 = 1.91"]
    assert [(check.outcome, check.detail) for check in found[5]] == [("failed", "19 % of 10.03 is 1.91, not 1.92")]


COLUMNS = ((40.0, "Invoice"), (110.0, "Date"), (180.0, "Description"), (-350.0, "Net EUR"), (-410.0, "VAT %"),
           (-480.0, "VAT"), (-555.0, "Gross EUR"))  # fmt: skip


def _statement(path: Path, wrong: str) -> Statement:
    """Six rows at 20 %, the last with `wrong` as its tax, and the total of the net."""
    rows = [(f"R-{at}", f"0{at}.07.2025", "Copper pipe", "10,00", "20 %", "2,00", "12,00") for at in range(1, 6)]
    rows.append(("R-6", "06.07.2025", "Brass valve", "50,00", "20 %", wrong, "60,00"))
    lines = [tuple(title for _, title in COLUMNS), *rows, ("", "", "Grand total", "100,00", "", "", "")]
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.setFont("Helvetica", 9)
    for at, cells in enumerate(lines):
        for (x, _), text in zip(COLUMNS, cells, strict=True):
            (canvas.drawString if x > 0 else canvas.drawRightString)(abs(x), 742 - 16 * at, text)
    canvas.save()
    return extract(worker.read(path, ReadingProfile()), Profile(), LocalEngine())


def test_columns_of_tax_are_checked_row_by_row(tmp_path: Path) -> None:
    right = _statement(tmp_path / "right.pdf", "10,00")
    assert [check.detail for check in right.rows[5].checks if "tax" in check.check] == [
        "50.00 + 10.00 = 60.00", "20 % of 50.00 = 10.00",
    ]  # fmt: skip
    assert right.reconciliation.action == "auto_import"


def test_a_wrong_tax_puts_its_row_in_review(tmp_path: Path) -> None:
    wrong = _statement(tmp_path / "wrong.pdf", "11,00")
    assert wrong.reconciliation.action == "human_review"
    assert [row.status for row in wrong.rows] == ["confirmed"] * 5 + ["review"]
    assert wrong.rows[5].reasons == (
        "net + tax = gross: 50.00 + 11.00 is 61.00, not 60.00", "rate × net = tax: 20 % of 50.00 is 10.00, not 11.00",
    )  # fmt: skip
