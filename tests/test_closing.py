"""Sums, products and rates over the fields of an invoice: what closes, what does not, and whom that speaks against."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from pipeline.closing import checks
from pipeline.model import Box, Extra, Field, Place

WHOLE = {
    "line_item_1_quantity": "3", "line_item_1_unit_price": "12.50", "line_item_1_amount": "37.50",
    "line_item_1_tax_rate": "20", "line_item_2_quantity": "2", "line_item_2_unit_price": "31.25",
    "line_item_2_amount": "62.50", "line_item_2_tax_rate": "10", "tax_1_rate": "20", "tax_1_base": "37.50",
    "tax_1_amount": "7.50", "tax_2_rate": "10", "tax_2_base": "62.50", "tax_2_amount": "6.25", "net_total": "100.00",
    "tax_total": "13.75", "gross_total": "113.75",
}  # fmt: skip


def _fields(values: Mapping[str, str], texts: Mapping[str, str] | None = None, invoice: int = 1) -> list[Field]:
    """Each field at a place of its own."""
    made = []
    for at, (name, plain) in enumerate(values.items()):
        text = (texts or {}).get(name, plain)
        place = Place(1, Box(10, 20 * at, 60, 20 * at + 10))
        made.append(Field(invoice, name, text, plain, (place,), text, None, "review"))
    return made


def _outcomes(fields: Sequence[Field], extras: Sequence[Extra] = ()) -> dict[str, dict[str, str]]:
    found = checks(fields, Decimal(0), extras)
    return {one.name: {made.check: made.outcome for made in found.get(at, ())} for at, one in enumerate(fields)}


def _some(change: Mapping[str, str]) -> dict[str, dict[str, str]]:
    return _outcomes(_fields({**WHOLE, **change}))


def test_all_sums_of_a_right_invoice_close_over_all_its_fields() -> None:
    found = _some({})
    assert {outcome for made in found.values() for outcome in made.values()} == {"passed"}
    assert found["net_total"] == {
        "net + tax = gross": "passed", "sum of bases = net": "passed", "sum of lines = net": "passed",
    }  # fmt: skip
    assert set(found["tax_total"]) == {"net + tax = gross", "sum of taxes = tax"}
    assert set(found["line_item_2_tax_rate"]) == {"lines of a rate = base"}
    assert set(found["line_item_2_quantity"]) == {"quantity × price = amount"}


def test_a_misread_total_fails_and_is_told_with_its_figures() -> None:
    fields = _fields({**WHOLE, "gross_total": "118.75"})
    found = checks(fields)
    [told] = found[[one.name for one in fields].index("gross_total")]
    assert told.outcome == "failed"
    assert told.detail == "100.00 + 13.75 and 118.75: they do not agree"


def test_what_closes_elsewhere_is_not_blamed() -> None:
    found = _some({"gross_total": "118.75"})
    assert found["net_total"]["net + tax = gross"] == "open"
    assert found["net_total"]["sum of lines = net"] == "passed"


def test_net_and_gross_that_changed_places_fail() -> None:
    found = _some({"net_total": "113.75", "gross_total": "100.00"})
    assert found["net_total"]["net + tax = gross"] == "failed"
    assert found["gross_total"]["net + tax = gross"] == "failed"


def test_a_line_that_is_not_read_leaves_a_proven_net_total_open() -> None:
    without = {name: value for name, value in WHOLE.items() if not name.startswith("line_item_2")}
    found = _outcomes(_fields(without))
    assert found["net_total"]["sum of lines = net"] == "open"
    assert found["line_item_1_amount"]["sum of lines = net"] == "open"  # its product closes


def test_lines_beyond_the_net_total_speak_against_it_whatever_else_closes() -> None:
    found = _some({"net_total": "37.50", "tax_total": "7.50", "gross_total": "45.00"})  # the sums of one rate only
    assert found["net_total"]["net + tax = gross"] == "passed"
    assert found["net_total"]["sum of lines = net"] == "failed"


def test_an_allowance_a_charge_and_what_was_paid_before_explain_a_difference() -> None:
    lines = {"line_item_1_amount": "80.00", "line_item_2_amount": "30.00", "net_total": "105.00"}
    extras = [Extra(1, "allowance", Decimal("11.00")), Extra(1, "charge", Decimal("6.00"))]
    assert _outcomes(_fields(lines))["net_total"] == {"sum of lines = net": "failed"}
    assert _outcomes(_fields(lines), extras)["net_total"] == {"sum of lines = net": "passed"}
    sums = {"net_total": "100.00", "tax_total": "20.00", "gross_total": "70.00"}
    paid = [Extra(1, "prepaid", Decimal("50.00"))]
    assert _outcomes(_fields(sums), paid)["gross_total"] == {"net + tax = gross": "passed"}
    other = [Extra(2, "prepaid", Decimal("50.00"))]
    assert _outcomes(_fields(sums), other)["gross_total"] == {"net + tax = gross": "failed"}


def test_lines_printed_with_tax_come_to_the_gross_total() -> None:
    lines = {"line_item_1_amount": "24.00", "line_item_2_amount": "12.00", "net_total": "30.00", "tax_total": "6.00",
             "gross_total": "36.00"}  # fmt: skip
    found = _outcomes(_fields(lines))
    assert found["line_item_1_amount"] == {"sum of lines = gross": "passed"}
    assert found["gross_total"] == {"net + tax = gross": "passed", "sum of lines = gross": "passed"}
    assert found["net_total"] == {"net + tax = gross": "passed"}


def test_a_rate_is_held_to_the_cent_and_open_where_lines_were_rounded() -> None:
    exact = {"tax_1_rate": "19", "tax_1_base": "10.55", "tax_1_amount": "2.00"}
    assert _outcomes(_fields(exact))["tax_1_amount"] == {"rate × base = tax": "passed"}
    assert _outcomes(_fields({**exact, "tax_1_amount": "2.01"}))["tax_1_amount"] == {"rate × base = tax": "open"}
    assert _outcomes(_fields({**exact, "tax_1_amount": "2.08"}))["tax_1_amount"] == {"rate × base = tax": "failed"}


def test_the_only_rate_is_held_against_the_totals() -> None:
    sums = {"tax_1_rate": "21", "net_total": "200.00", "tax_total": "42.00", "gross_total": "242.00"}
    assert _outcomes(_fields(sums))["tax_1_rate"] == {"rate × base = tax": "passed"}


def test_a_price_for_a_hundred_passes_only_where_the_line_says_so() -> None:
    line = {"line_item_1_quantity": "250", "line_item_1_unit_price": "8.40", "line_item_1_amount": "21.00"}
    said = {"line_item_1_unit_price": "8,40 / 100"}
    product = "quantity × price = amount"
    assert _outcomes(_fields(line))["line_item_1_amount"] == {product: "open"}
    assert _outcomes(_fields(line, said))["line_item_1_amount"] == {product: "passed"}
    assert _outcomes(_fields(line, {"line_item_1_unit_price": "8,40 / 1000"}))["line_item_1_amount"] == {
        product: "open"
    }


def test_a_price_that_was_rounded_itself_proves_nothing_and_fails_nothing() -> None:
    line = {"line_item_1_quantity": "1000", "line_item_1_unit_price": "0.33", "line_item_1_amount": "333.33"}
    assert _outcomes(_fields(line))["line_item_1_amount"] == {"quantity × price = amount": "open"}


def test_two_names_at_one_place_are_no_sum() -> None:
    place = (Place(1, Box(10, 20, 60, 30)),)
    one = [Field(1, name, "50.00", "50.00", place, "50.00", None, "review") for name in ("tax_1_amount", "tax_total")]
    assert checks(one) == {}
    zero = {"tax_total": "0.00"}
    same = [
        Field(1, name, "50.00", "50.00", place, "50.00", None, "review") for name in ("net_total", "gross_total")
    ] + _fields(zero)
    assert checks(same) == {}


def test_invoices_are_never_added_together() -> None:
    one, other = {"net_total": "100.00", "tax_total": "20.00"}, {"gross_total": "120.00"}
    assert checks([*_fields(one), *_fields(other, invoice=2)]) == {}


def test_amounts_that_changed_lines_fail_though_their_sum_closes() -> None:
    found = _some({"line_item_1_amount": "62.50", "line_item_2_amount": "37.50"})
    for number in (1, 2):
        assert found[f"line_item_{number}_amount"]["sum of lines = net"] == "passed"
        assert found[f"line_item_{number}_amount"]["quantity × price = amount"] == "failed"
