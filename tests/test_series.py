from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from pipeline import evaluate, series
from pipeline.charts import Bridge, Point, Step
from pipeline.model import Box, Cell, Check, Match, Place, Reconciliation, Row, Scope, Source, Statement
from pipeline.profiles import StatementProfile

BOX = Box(0, 0, 10, 10)


def row(page: int, amount: str, *windows: int, match: Match = "exact", **more: str) -> Row:
    source = Source((Place(page, BOX),), amount, match)
    cells = tuple(Cell(name, value, source) for name, value in {"amount": amount, **more}.items())
    return Row(cells, page, BOX, windows or (1,), "confirmed", currency="EUR")


def scope(kind: str, name: str, page: int, printed: str, computed: str) -> Scope:
    return Scope(kind, name, page, "EUR", Decimal(printed), Decimal(computed), 3)  # type: ignore[arg-type]


def statement(rows: tuple[Row, ...] = (), scopes: tuple[Scope, ...] = ()) -> Statement:
    return Statement(rows, Reconciliation("human_review", scopes), (), columns=("amount",))


def test_rows_of_two_windows_are_told_with_their_line_and_what_was_read_differently() -> None:
    differs = replace(row(5, "2.00", 1, 2), reasons=("window 1 read amount “2.00”, window 2 “3.00”",))
    found = series.merges(statement((row(4, "1.00", 1), row(5, "1.00", 1, 2), differs, row(9, "1.00", 2, 3))))
    assert found == (
        series.Merge(2, 5, (1, 2), 0, 10, "1.00", ()),
        series.Merge(3, 5, (1, 2), 0, 10, "2.00", ("window 1 read amount “2.00”, window 2 “3.00”",)),
        series.Merge(4, 9, (2, 3), 0, 10, "1.00", ()),
    )


def test_rows_are_counted_by_the_windows_that_read_them() -> None:
    assert series.read(statement((row(4, "1.00", 1), row(5, "1.00", 1, 2), row(9, "1.00", 2)))) == {1: 2, 2: 2}


def test_rows_that_do_not_stand_on_their_page_are_told() -> None:
    assert series.ungrounded(statement((row(1, "1.00"), row(1, "2.00", match="missing")))) == (1,)


def test_a_bridge_has_a_step_for_each_supplier_and_for_what_none_explains() -> None:
    scopes = (
        scope("document", "", 9, "1310.00", "1000.00"),
        scope("document", "subtotal", 5, "500.00", "400.00"),
        scope("supplier", "Norvik", 4, "700.40", "388.00"),
        scope("supplier", "Amberlow", 8, "10.00", "10.00"),
        scope("page", "", 4, "712.40", "400.00"),
    )
    doubted = replace(row(3, "88.00", supplier="Norvik"), status="review")
    rows = (row(4, "300.00", supplier="Norvik"), doubted, row(4, "12.00", supplier="Amberlow"))
    steps = (
        Step("Norvik", 3, Decimal("312.40"), ("88.00", "300.00")),
        Step("in no supplier's total", 9, Decimal("-2.40")),
    )
    bridge = Bridge("EUR", Decimal("1000.00"), Decimal("1310.00"), steps)
    assert series.bridges(statement(rows, scopes), "supplier") == (bridge,)
    (by_page,) = series.bridges(statement(rows, scopes), "page")
    assert (by_page.steps[0].page, by_page.steps[0].told) == (4, ("300.00", "12.00"))
    assert [step.name for step in by_page.steps] == ["page 4", "in no page's total"]
    assert by_page.computed + sum(step.delta for step in by_page.steps) == by_page.printed


def test_a_total_that_agrees_needs_no_bridge() -> None:
    assert series.bridges(statement(scopes=(scope("document", "", 9, "5.00", "5.00"),)), "page") == ()


def test_balances_are_those_printed_or_the_sums_so_far() -> None:
    first = row(1, "5.00", balance="105.00", description="Fee")
    second = replace(
        row(2, "-1.00", balance="99.00"),
        checks=(Check("previous balance + movement = balance", "failed", "105.00 + -1.00 is 104.00, not 99.00"),),
    )
    (line,) = series.balances(statement((first, second)))
    assert line.printed
    assert line.points == (
        Point(1, 1, Decimal("105.00"), None, "Fee · 5.00"),
        Point(2, 2, Decimal("99.00"), False, "-1.00"),
    )
    (summed,) = series.balances(statement((row(1, "5.00"), replace(row(1, "3.00"), currency="EUR"), row(2, "-1.00"))))
    assert not summed.printed
    assert [point.value for point in summed.points] == [Decimal("5.00"), Decimal("8.00"), Decimal("7.00")]


def test_currencies_have_lines_of_their_own() -> None:
    found = series.balances(statement((row(1, "5.00"), replace(row(1, "3.00"), currency="USD"))))
    assert [(line.currency, line.points[-1].value) for line in found] == [
        ("EUR", Decimal("5.00")),
        ("USD", Decimal("3.00")),
    ]


def test_settings_are_named_in_words() -> None:
    assert evaluate.setting(StatementProfile(), 40) == "5 pages + 1 overlap"
    assert evaluate.setting(StatementProfile(chunk_pages=40, overlap=0), 40) == "one call"
