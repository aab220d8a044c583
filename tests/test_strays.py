"""Rows that stand under a wrong supplier, and rows too many: which page the verdict names."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pipeline.checks import Facts, reconcile
from pipeline.model import Box, Cell, Row, Scope, Source
from pipeline.profiles import StatementProfile


def row(page: int, supplier: str, amount: str) -> Row:
    source = Source((), amount, "exact")
    cells = (Cell("supplier", supplier, source), Cell("amount", amount, source))
    return Row(cells, page, Box(0, 10, 100, 20), (1,), "confirmed", currency="EUR")


def supplier(name: str, page: int, printed: str, computed: str) -> Scope:
    return Scope("supplier", name, page, "EUR", Decimal(printed), Decimal(computed), 2)


ROWS = (row(1, "Norvik", "10.00"), row(2, "Tarn", "4.00"), row(2, "Norvik", "6.00"), row(5, "Tarn", "8.00"))


def test_a_row_under_a_wrong_supplier_is_named_by_its_own_page() -> None:
    scopes = (supplier("Norvik", 3, "20.00", "16.00"), supplier("Tarn", 6, "8.00", "12.00"))
    _, (finding, *others) = reconcile(scopes, StatementProfile(), Facts(ROWS))
    assert finding.page == 2
    lacks = "its total lacks 4.00 EUR, and a row of that amount stands under Tarn"
    assert finding.message == f"page 2, supplier Norvik: {lacks}, read in window 1"
    assert [other.kind for other in others] == []


def test_the_only_row_that_makes_a_supplier_too_large_is_named() -> None:
    _, (finding, *_) = reconcile((supplier("Tarn", 6, "4.00", "12.00"),), StatementProfile(), Facts(ROWS))
    assert finding.page == 5
    assert "too much, the amount of one row, on page 5" in finding.message


def test_two_rows_of_the_amount_are_both_named_before_the_page_of_the_total() -> None:
    rows = (*ROWS, row(4, "Tarn", "8.00"))
    _, (finding, *_) = reconcile((supplier("Tarn", 6, "12.00", "20.00"),), StatementProfile(), Facts(rows))
    assert (finding.page, finding.pages) == (4, (4, 5, 2, 3, 6))
    assert "; its rows stand on pages 2 to 6, look first on page 4" in finding.message


def test_the_last_of_equal_rows_on_a_page_is_named_where_one_is_too_many() -> None:
    rows = (*ROWS[:3], row(5, "Tarn", "8.00"), row(5, "Tarn", "8.00"))
    scope = Scope("document", "", 7, "EUR", Decimal("28.00"), Decimal("36.00"), 5)
    _, (finding, *_) = reconcile((scope,), StatementProfile(), Facts(rows))
    assert finding.page == 5
    assert "too much, the amount of one row, which stands twice, on page 5" in finding.message


def test_a_page_without_any_row_is_named_where_a_sum_lacks_as_much_as_a_page_has() -> None:
    rows = (row(1, "Norvik", "40.00"), row(1, "Norvik", "50.00"), row(3, "Norvik", "70.00"))
    lacking = Scope("document", "", 4, "EUR", Decimal("240.00"), Decimal("160.00"), 3)
    _, (finding, *_) = reconcile((lacking,), StatementProfile(), Facts(rows))
    assert (finding.page, finding.pages) == (2, (2, 1, 3, 4))


def test_a_row_whose_sign_is_wrong_is_named_and_rows_that_another_sum_vouches_for_are_not() -> None:
    rows = (row(1, "Tarn", "10.00"), row(2, "Norvik", "10.00"), row(3, "Norvik", "6.00"))
    sound = Scope("page", "page 1", 1, "EUR", Decimal("10.00"), Decimal("10.00"), 1)
    lacking = Scope("document", "", 3, "EUR", Decimal("6.00"), Decimal("26.00"), 3)
    _, (finding, *_) = reconcile((sound, lacking), StatementProfile(), Facts(rows, [[0], [0, 1, 2]]))
    assert finding.page == 2
    assert "twice the amount of one row: its sign may be wrong, on page 2" in finding.message


def test_the_amount_of_a_row_in_another_currency_is_named() -> None:
    pounds = replace(row(2, "Tarn", "8.00"), currency="GBP")
    lacking = Scope("document", "", 3, "EUR", Decimal("18.00"), Decimal("10.00"), 1)
    _, (finding, *_) = reconcile((lacking,), StatementProfile(), Facts((row(1, "Tarn", "10.00"), pounds)))
    assert finding.page == 2
    assert "the amount of one row that is in another currency, on page 2" in finding.message
