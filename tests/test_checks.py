"""Sums held against what is printed: the verdict and the words it is given in."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from pipeline.checks import Carry, Facts, balance, page_sum, product, reconcile
from pipeline.model import Box, Row, Scope
from pipeline.profiles import StatementProfile

STRICT = StatementProfile()


def _scope(kind: str, printed: str | None, computed: str, page: int | None = None, name: str = "") -> Scope:
    value = None if printed is None else Decimal(printed)
    return Scope(kind, name, page, "EUR", value, Decimal(computed), 4)  # type: ignore[arg-type]


def test_a_closing_total_is_imported() -> None:
    verdict, findings = reconcile([_scope("document", "100.00", "100.00", 3)], STRICT)
    assert (verdict.action, findings) == ("auto_import", ())


def test_one_cent_goes_to_a_person() -> None:
    verdict, findings = reconcile([_scope("document", "100.00", "99.99", 3)], STRICT)
    assert verdict.action == "human_review"
    assert verdict.scopes[0].delta == Decimal("0.01")
    assert findings[0].message == "the whole document, page 3: printed 100.00, rows sum to 99.99: 0.01 EUR missing"


def test_the_finding_names_page_supplier_amounts_and_direction_once() -> None:
    scopes = [
        _scope("document", "5312.40", "5000.00", 40),
        _scope("supplier", "1234.56", "922.16", 22, "Norvik"),
        _scope("page", "800.00", "487.60", 21, "page 21"),
        _scope("page", "10.00", "10.00", 22, "page 22"),
    ]
    _, findings = reconcile(scopes, STRICT)
    assert [(finding.message, finding.page) for finding in findings] == [
        (
            "page 21, supplier Norvik: printed 800.00, rows sum to 487.60: 312.40 EUR missing "
            "(the document's total differs by the same)",
            21,
        )
    ]


def test_a_sum_that_is_too_large_says_so_with_its_sign_kept() -> None:
    verdict, findings = reconcile([_scope("document", "100.00", "184.00")], STRICT)
    assert verdict.scopes[0].delta == Decimal("-84.00")
    assert findings[0].message.endswith("84.00 EUR too much")


def test_two_causes_are_two_findings() -> None:
    scopes = [
        _scope("document", "30", "33"),
        _scope("page", "10", "11", 1, "page 1"),
        _scope("page", "20", "22", 2, "page 2"),
    ]
    _, findings = reconcile(scopes, STRICT)
    assert [finding.page for finding in findings] == [None, 1, 2]


def test_without_a_printed_total_a_person_is_asked() -> None:
    verdict, findings = reconcile([_scope("document", None, "100.00"), _scope("page", "100.00", "100.00", 1)], STRICT)
    assert verdict.action == "human_review"
    assert "no printed total was found that covers all 4 rows" in findings[0].message


def test_without_rows_a_person_is_asked() -> None:
    assert reconcile([], STRICT)[0].action == "human_review"


def test_subtotals_over_all_rows_are_a_printed_total() -> None:
    scopes = [_scope("document", None, "50"), _scope("supplier", "50", "50", 2, "Norvik")]
    assert reconcile(scopes, STRICT)[0].action == "auto_import"
    other = replace(scopes[0], rows=5)
    assert reconcile([other, scopes[1]], STRICT)[0].action == "human_review"


def test_currencies_are_never_added() -> None:
    euros = _scope("document", "100", "100")
    dollars = replace(_scope("document", None, "7"), currency="USD")
    verdict, findings = reconcile([euros, dollars], STRICT)
    assert verdict.action == "human_review"
    assert "4 rows in USD" in findings[0].message


def test_the_relative_tolerance_is_a_switch_that_is_off() -> None:
    scope = _scope("document", "18420", "18236")
    assert reconcile([scope], STRICT)[0].action == "human_review"
    assert reconcile([scope], StatementProfile(relative_tolerance=Decimal("0.01")))[0].action == "auto_import"
    assert reconcile([scope], StatementProfile(tolerance=Decimal(184)))[0].action == "auto_import"
    assert reconcile([scope], StatementProfile(tolerance=Decimal("183.99")))[0].action == "human_review"


def test_a_row_in_review_holds_the_document_back() -> None:
    row = Row((), 7, Box(1, 2, 3, 4), (1,), "review", ("the amount is ambiguous",))
    verdict, findings = reconcile([_scope("document", "1", "1")], STRICT, Facts([row]))
    assert verdict.action == "human_review"
    assert (findings[0].message, findings[0].page) == ("page 7: the amount is ambiguous", 7)
    _, together = reconcile([_scope("document", "1", "1")], STRICT, Facts([row, replace(row, page=9)]))
    assert [finding.message for finding in together] == ["pages 7, 9: 2 rows: the amount is ambiguous"]


@pytest.mark.parametrize(
    ("quantity", "price", "amount", "outcome"),
    [
        ("79", "11.66", "921.14", "passed"),
        ("79", "11.66", "921.15", "failed"),
        ("1.5", "0.33", "0.50", "passed"),
        ("1.5", "0.33", "0.49", "failed"),
        ("-8", "10.98", "-87.84", "passed"),
        ("8", "10.98", "-87.84", "passed"),
        ("-8", "10.98", "87.84", "failed"),
        ("3", "4", "12", "passed"),
    ],
)
def test_quantity_times_price_is_the_amount(quantity: str, price: str, amount: str, outcome: str) -> None:
    assert product(Decimal(quantity), Decimal(price), Decimal(amount)).outcome == outcome


def test_a_failed_product_says_what_it_should_be() -> None:
    assert product(Decimal(2), Decimal("1.10"), Decimal("2.30")).detail == "2 × 1.10 is 2.20, not 2.30"


def test_a_running_balance_is_exact() -> None:
    assert balance(Decimal("10.00"), Decimal("-2.50"), Decimal("7.50")).outcome == "passed"
    assert balance(Decimal("10.00"), Decimal("2.50"), Decimal("7.50")).outcome == "failed"


def test_a_page_sums_to_carried_less_brought() -> None:
    assert page_sum(Carry(2, Decimal(10), Decimal(25)), None) == 15
    assert page_sum(Carry(2, None, Decimal(25)), Carry(1, None, Decimal(7))) == 18
    assert page_sum(Carry(1, None, Decimal(25)), None) == 25
    assert page_sum(Carry(2, None, Decimal(25)), Carry(1, None, None)) is None
    assert page_sum(Carry(2, Decimal(10), None), None) is None
