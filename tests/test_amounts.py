"""Amounts, separators and dates: what is printed and the exact value it must give."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, strategies as st

from pipeline.amounts import Amount, Date, date, parse, plain, separator


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("1.234,56", "1234.56", ""),
        ("1,234.56", "1234.56", ""),
        ("1 234,56", "1234.56", ""),
        ("1\u00a0234,56", "1234.56", ""),
        ("1\u202f234,56", "1234.56", ""),
        ("1\u2009234,56", "1234.56", ""),
        ("1'234.56", "1234.56", ""),
        ("1’234.56", "1234.56", ""),
        ("(1,234.56)", "-1234.56", ""),
        ("50.00-", "-50.00", ""),
        ("-$1,716.96", "-1716.96", "USD"),
        ("$(5.00)", "-5.00", "USD"),
        ("−5,00", "-5.00", ""),
        ("\u00ad1,00", "-1.00", ""),
        ("50,00 CR", "-50.00", ""),
        ("50,00 DR", "50.00", ""),
        ("CR 50,00", "-50.00", ""),
        ("12,50 S", "12.50", ""),
        ("EUR 5", "5", "EUR"),
        ("5,00 €", "5.00", "EUR"),
        ("S$22,058.11", "22058.11", "SGD"),
        ("1.250,00 дин.", "1250.00", "RSD"),
        ("RSD 1.250,00", "1250.00", "RSD"),
        ("99 Kč", "99", "CZK"),
        ("CHF 1'000.00", "1000.00", "CHF"),
        ("- Rs.305.49", "-305.49", "INR"),
        ("¥500", "500", "JPY"),
        ("£3.10", "3.10", "GBP"),
        ("٤٬٥٦٧٫٨٩", "4567.89", ""),
        ("١٬٢٥٠", "1250", ""),
        ("１，２３４．５６", "1234.56", ""),
        ("1,23,456.00", "123456.00", ""),
        ("12,34,567", "1234567", ""),
        ("1.234.567", "1234567", ""),
        ("0.250", "0.250", ""),
        ("50,-", "50", ""),
        (".50", "0.50", ""),
    ],
)
def test_an_amount_is_read_exactly(text: str, value: str, currency: str) -> None:
    amount = parse(text, None)
    assert amount is not None
    assert (plain(amount.value), amount.currency, amount.ambiguous) == (value, currency, False)


@pytest.mark.parametrize(
    "text",
    [
        "", "-", "(", "()", "1.2.3", "12.03.2025", "2025-03-12", "4711-A", "12-345", "007", "RS35260005601001611379",
        "DE89 3704 0044 0532 0130 00", "7 %", "7,5%", "5 USD/h", "1,234,56", "--5", "€ 5 $", "4/5", "(5", "24 V",
        "INCLUS", "1234567890123",
    ],
)  # fmt: skip
def test_what_is_no_amount_gives_none(text: str) -> None:
    assert parse(text, None) is None


def test_a_percentage_is_read_only_when_asked_for() -> None:
    assert parse("7,5 %", ",", percent=True) == Amount(Decimal("7.5"), "", False, 1)


def test_one_separator_before_three_digits_stays_ambiguous_until_the_document_decides() -> None:
    amount = parse("1.250", None)
    assert amount is not None and amount.ambiguous
    assert {amount.value, amount.other} == {Decimal("1.250"), Decimal(1250)}
    assert parse("1.250", ",") == Amount(Decimal(1250), "", False, 0)
    assert parse("1.250", ".") == Amount(Decimal("1.250"), "", False, 3)
    assert parse("-1,250", ".") == Amount(Decimal(-1250), "", False, 0)


def test_a_minus_printed_twice_is_ambiguous() -> None:
    amount = parse("-50.00 CR", None)
    assert amount is not None and amount.ambiguous and amount.mark == "CR"


def test_the_document_tells_its_separator_with_the_evidence() -> None:
    told = separator(["1.234,56", "12,00", "1.250", "7"])
    assert told.decimal == "," and told.ambiguous == ()
    assert told.evidence == ("2 amounts such as 1.234,56: decimal comma",)


def test_a_document_of_thousands_alone_does_not_tell() -> None:
    told = separator(["1.250", "3.400", "12"])
    assert told.decimal is None and told.ambiguous == ("1.250", "3.400")
    assert told.evidence == ("no amount tells the decimal separator",)


def test_two_separators_in_one_document_are_reported() -> None:
    told = separator(["1.234,56", "1,234.56", "1.250"])
    assert told.decimal is None and told.ambiguous == ("1.250",)
    assert told.evidence[-1] == "the amounts contradict each other"


def test_a_quantity_with_one_decimal_does_not_outweigh_cents() -> None:
    assert separator(["1.5", "12,00", "13,50"]).decimal == ","


@given(
    st.decimals(-999_999_999, 999_999_999, places=2),
    st.sampled_from([(",", "."), (".", ","), (",", " "), (",", "\u202f"), (".", "'")]),
)
def test_what_is_printed_comes_back(value: Decimal, style: tuple[str, str]) -> None:
    point, group = style
    printed = f"{value:,.2f}".translate({ord(","): group, ord("."): point})
    amount = parse(printed, None)
    assert amount is not None and amount.value == value and not amount.ambiguous


@given(st.text(max_size=24))
def test_no_text_breaks_the_reading(text: str) -> None:
    amount, found = parse(text, None), date(text, True)
    assert amount is None or amount.value.is_finite()
    assert found is None or len(found.iso) == 10


def test_plain_is_without_exponent_and_without_minus_zero() -> None:
    assert [plain(Decimal(text)) for text in ("1E+3", "-0.00", "12.50", "-7", "1E-7")] == [
        "1000", "0.00", "12.50", "-7", "0.0000001",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="no amount"):
        plain(Decimal("NaN"))


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("12.03.2025", "2025-03-12"),
        ("12.03.2025.", "2025-03-12"),
        ("12. 3. 2025", "2025-03-12"),
        ("31/12/25", "2025-12-31"),
        ("12/31/2025", "2025-12-31"),
        ("2025-03-12", "2025-03-12"),
        ("12 March 2025", "2025-03-12"),
        ("12. März 2025", "2025-03-12"),
        ("Mar 12, 2025", "2025-03-12"),
        ("March 12th, 2025", "2025-03-12"),
        ("12 mars 2025", "2025-03-12"),
        ("1er août 2024", "2024-08-01"),
        ("12 juil. 2024", "2024-07-12"),
        ("12 gennaio 2024", "2024-01-12"),
        ("12 giu 2024", "2024-06-12"),
        ("12 de marzo de 2025", "2025-03-12"),
        ("3 ene 2025", "2025-01-03"),
        ("12 mrt 2025", "2025-03-12"),
        ("12. marta 2025.", "2025-03-12"),
        ("12. март 2025. године", "2025-03-12"),
        ("5 JAN'26", "2026-01-05"),
        ("12-Mar-2025", "2025-03-12"),
        ("5 Jan 2026, 3:22 PM", "2026-01-05"),
    ],
)
def test_a_date_is_read_in_its_language(text: str, iso: str) -> None:
    assert date(text, day_first=True) == Date(iso, ambiguous=False)


@pytest.mark.parametrize("text", ["30.02.2024", "1.2.3", "Feb 2026", "03 Feb", "13/07", "12 apples 2024", "12.03", ""])
def test_what_is_no_whole_date_gives_none(text: str) -> None:
    assert date(text, day_first=True) is None


def test_day_and_month_that_could_change_places_are_reported() -> None:
    assert date("03/04/2025", day_first=True) == Date("2025-04-03", ambiguous=True)
    assert date("03/04/2025", day_first=False) == Date("2025-03-04", ambiguous=True)
    assert date("04/04/2025", day_first=True) == Date("2025-04-04", ambiguous=False)


def test_a_date_without_its_year_takes_the_one_it_is_given() -> None:
    assert date("03 Feb", day_first=True, year=2026) == Date("2026-02-03", ambiguous=False)
    assert date("13/07", day_first=True, year=2023) == Date("2023-07-13", ambiguous=False)
