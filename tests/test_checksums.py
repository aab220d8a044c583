"""Check digits of identifiers, and dates in their order."""

from __future__ import annotations

import pytest

from pipeline.checksums import DATES, check, country, dates
from pipeline.model import Field


def _field(name: str, plain: str, invoice: int = 1) -> Field:
    return Field(invoice, name, plain, plain, (), plain, None, "review")


@pytest.mark.parametrize(
    ("name", "value", "of", "what"),
    [
        ("iban", "RS35 2600 0560 1001 6113 79", "", "IBAN"),
        ("iban", "DE02 1203 0000 0000 2020 51", "", "IBAN"),
        ("supplier_tax_id", "101134702", "RS", "PIB"),
        ("supplier_tax_id", "RS101134702", "", "VAT number (RS)"),
        ("buyer_tax_id", "DE136695976", "", "VAT number (DE)"),
        ("buyer_tax_id", "ATU13585627", "", "VAT number (AT)"),
        ("buyer_tax_id", "EL 094259216", "", "VAT number (EL)"),
        ("supplier_tax_id", "CHE-107.787.577 IVA", "", "VAT number (CH)"),
        ("supplier_tax_id", "27AAPFU0939F1ZV", "IN", "GSTIN"),
        ("supplier_tax_id", "732 829 320 00074", "FR", "SIRET"),
        ("payment_reference", "RF18 5390 0754 7034", "", "RF reference"),
        ("payment_reference", "21 00000 00003 13947 14300 09017", "CH", "QR reference"),
        ("payment_reference", "97 48-10011225", "RS", "reference of model 97"),
        ("payment_reference", "(97) 48-10011225", "RS", "reference of model 97"),
        ("payment_reference", "+++010/8068/17183+++", "BE", "structured reference"),
    ],
)
def test_check_digits(name: str, value: str, of: str, what: str) -> None:
    made = check(name, value, of)
    assert made is not None
    assert (made.check, made.outcome, made.detail) == ("checksum", "passed", f"the check digits of the {what} hold")


@pytest.mark.parametrize(
    ("name", "value", "of"),
    [
        ("iban", "DE02120300000000202051", ""), ("supplier_tax_id", "101134702", "RS"),
        ("supplier_tax_id", "DE136695976", ""), ("payment_reference", "97 48-10011225", "RS"),
        ("payment_reference", "RF18539007547034", ""),
    ],
)  # fmt: skip
def test_any_digit_read_wrong_is_seen(name: str, value: str, of: str) -> None:
    for at in range(4 if name == "payment_reference" else 2, len(value)):
        if value[at].isdigit():
            other = str((int(value[at]) + 6) % 10)
            made = check(name, value[:at] + other + value[at + 1 :], of)
            assert made is not None and made.outcome == "failed", at


def test_a_form_without_check_digit_proves_nothing() -> None:
    made = check("supplier_tax_id", "201/113/40209", "DE")
    assert made is not None
    assert made.outcome == "open"
    assert "Steuernummer" in made.detail


@pytest.mark.parametrize(
    ("name", "value", "of"),
    [
        ("supplier_tax_id", "US123456789", ""), ("buyer_tax_id", "12345678", ""), ("payment_reference", "2025-04", ""),
        ("payment_reference", "97 48-10011225", "DE"), ("invoice_number", "101134702", "RS"), ("iban", "", ""),
    ],
)  # fmt: skip
def test_what_carries_no_known_check_digit_has_no_check(name: str, value: str, of: str) -> None:
    assert check(name, value, of) is None


def test_the_country_of_an_invoice() -> None:
    assert country([_field("iban", "DE02120300000000202051"), _field("currency", "CHF")]) == "DE"
    assert country([_field("supplier_tax_id", "EL094259216")]) == "GR"
    assert country([_field("supplier_tax_id", "101134702"), _field("currency", "RSD")]) == "RS"
    assert country([_field("currency", "EUR")], "de") == ""
    assert country([], "sr") == "RS"


def test_dates_in_order_pass_and_those_out_of_it_fail_with_both_days() -> None:
    good = [_field("issue_date", "2025-03-14"), _field("supply_date", "2025-03-01"), _field("due_date", "2025-04-13")]
    assert {made[0].outcome for made in dates(good).values()} == {"passed"}
    found = dates(
        [_field("issue_date", "2025-04-13"), _field("supply_date", "2025-04-10"), _field("due_date", "2025-03-14")]
    )
    assert [found[at][0].outcome for at in (0, 1, 2)] == ["failed", "passed", "failed"]
    assert found[2][0].detail == "due on 2025-03-14, before the issue on 2025-04-13"


def test_a_misread_year_fails() -> None:
    found = dates(
        [_field("issue_date", "2025-03-14"), _field("due_date", "2026-08-13"), _field("supply_date", "2052-03-14")]
    )
    assert [found[at][0].outcome for at in (0, 1, 2)] == ["failed", "failed", "failed"]
    assert "more than 400 days after" in found[1][0].detail
    assert "far from the issue" in found[2][0].detail
    [alone] = dates([_field("issue_date", "1025-03-14")])[0]
    assert (alone.check, alone.outcome) == (DATES, "failed")


def test_dates_of_another_invoice_do_not_count() -> None:
    assert dates([_field("issue_date", "2025-03-14"), _field("due_date", "2024-03-14", 2)]) == {}
