"""Fields of invoices drawn for the purpose: which value each label claims, what closes, what stays in review."""

from __future__ import annotations

from pathlib import Path

from pipeline import invoices, profiles
from pipeline.local import LocalEngine
from pipeline.model import Field, Invoices
from tests import draw
from tests.draw import Put

PROFILE = profiles.load("default")
HEAD = (
    Put(50, 60, "Norvik Supplies Ltd", 12), Put(50, 75, "4 Harbour Lane, Ostby"), Put(50, 90, "VAT No: GB 205 6064 50"),
    Put(330, 60, "Invoice", 16), Put(50, 130, "Bill to"), Put(50, 145, "Quarrel Bakery"),
    Put(50, 160, "9 Mill Rise, Ostby"),
    Put(330, 130, "Invoice number: INV-7001"), Put(330, 145, "Order number: PO-5512"),
    Put(330, 160, "Invoice date: 14 March 2025"), Put(330, 175, "Due date: 13 April 2025"),
)  # fmt: skip
COLUMNS = (
    Put(50, 230, "Description"), Put(260, 230, "Quantity"), Put(330, 230, "Unit price"), Put(420, 230, "VAT %"),
    Put(490, 230, "Amount"),
)  # fmt: skip


def row(y: float, *texts: str) -> tuple[Put, ...]:
    return tuple(Put(x, y, text) for x, text in zip((50, 260, 330, 420, 490), texts, strict=False))


ITEMS = (
    *row(250, "Oak board", "4 pcs", "25.00", "20%", "100.00"), Put(50, 263, "planed on both sides"),
    *row(285, "Hinge", "10 pcs", "2.50", "20%", "25.00"),
)  # fmt: skip
TOTALS = (
    Put(330, 330, "Net total"), Put(490, 330, "125.00"), Put(330, 345, "VAT 20%"), Put(490, 345, "25.00"),
    Put(330, 360, "Invoice total"), Put(490, 360, "150.00"),
)  # fmt: skip


def extracted(tmp_path: Path, *pages: tuple[Put, ...]) -> Invoices:
    return invoices.extract(draw.reading(draw.pdf(tmp_path / "a.pdf", pages)), PROFILE, LocalEngine())


def named(found: Invoices, invoice: int = 1) -> dict[str, Field]:
    return {field.name: field for field in found.fields if field.invoice == invoice}


def test_a_plain_invoice_is_confirmed_field_by_field(tmp_path: Path) -> None:
    fields = named(extracted(tmp_path, (*HEAD, *COLUMNS, *ITEMS, *TOTALS)))
    told = {name: field.normalised for name, field in fields.items()}
    assert told["invoice_number"] == "INV-7001"
    assert (told["issue_date"], told["due_date"]) == ("2025-03-14", "2025-04-13")
    assert (told["net_total"], told["tax_total"], told["gross_total"]) == ("125.00", "25.00", "150.00")
    assert told["line_item_1_description"] == "Oak board planed on both sides"
    assert (told["line_item_1_quantity"], told["line_item_1_unit"], told["line_item_2_amount"]) == ("4", "pcs", "25.00")
    assert (told["supplier_name"], told["buyer_name"]) == ("Norvik Supplies Ltd", "Quarrel Bakery")
    sure = {name for name, field in fields.items() if field.status == "confirmed"}
    assert {"invoice_number", "issue_date", "due_date", "net_total", "tax_total", "gross_total"} <= sure
    assert fields["invoice_number"].places[0].page == 1


def test_what_is_still_due_is_not_the_gross_total(tmp_path: Path) -> None:
    paid = (Put(330, 375, "Prepaid"), Put(490, 375, "50.00"), Put(330, 390, "Amount due"), Put(490, 390, "100.00"))
    gross = named(extracted(tmp_path, (*HEAD, *COLUMNS, *ITEMS, *TOTALS, *paid)))["gross_total"]
    assert (gross.normalised, gross.status) == ("150.00", "confirmed")


def test_totals_that_do_not_close_are_in_review(tmp_path: Path) -> None:
    wrong = tuple(put._replace(text="151.00") if put.text == "150.00" else put for put in TOTALS)
    gross = named(extracted(tmp_path, (*HEAD, *COLUMNS, *ITEMS, *wrong)))["gross_total"]
    assert (gross.normalised, gross.status) == ("151.00", "review")
    assert gross.reasons


def test_two_values_for_one_label_are_in_review(tmp_path: Path) -> None:
    again = (Put(330, 190, "Invoice number: INV-7010"),)
    number = named(extracted(tmp_path, (*HEAD, *again, *TOTALS)))["invoice_number"]
    assert number.status == "review"
    assert "INV-7010" in " ".join(number.reasons)


def test_day_and_month_that_may_change_places_are_in_review(tmp_path: Path) -> None:
    dated = tuple(put._replace(text=put.text.replace("14 March 2025", "04/03/2025")) for put in HEAD)
    issued = named(extracted(tmp_path, (*dated, *TOTALS)))["issue_date"]
    assert issued.status == "review"


def test_a_title_holds_number_and_date(tmp_path: Path) -> None:
    page = (
        Put(50, 60, "Rechnung des Versicherers (575) Nr. 01.234-9 vom"), Put(50, 75, "06.12.2024"),
        Put(50, 100, "Gemäß Bestellung Nr. 4711 vom 01.11.2024"), Put(300, 300, "Nettobetrag"), Put(490, 300, "100,00"),
        Put(300, 315, "19% MwSt"), Put(490, 315, "19,00"), Put(300, 330, "Bruttosumme"), Put(490, 330, "119,00"),
    )  # fmt: skip
    fields = named(extracted(tmp_path, page))
    assert (fields["invoice_number"].normalised, fields["invoice_number"].status) == ("01.234-9", "confirmed")
    assert (fields["issue_date"].normalised, fields["issue_date"].status) == ("2024-12-06", "confirmed")


def test_another_number_begins_another_invoice(tmp_path: Path) -> None:
    second = tuple(put._replace(text=put.text.replace("7001", "7002")) for put in (*HEAD, *TOTALS))
    found = extracted(tmp_path, (*HEAD, *COLUMNS, *ITEMS), TOTALS, second)
    assert found.pages == ((1, 2), (3,))
    assert named(found, 2)["invoice_number"].normalised == "INV-7002"
    assert named(found, 1)["gross_total"].status == "confirmed"


def test_what_is_no_invoice_has_nothing_confirmed(tmp_path: Path) -> None:
    letter = (Put(50, 60, "Date: 14 March 2025"), Put(50, 90, "Dear neighbours, the total of all trees is 12."))
    found = extracted(tmp_path, letter)
    assert [finding.kind for finding in found.findings] == ["no_invoice"]
    assert not [field for field in found.fields if field.status == "confirmed"]


def test_a_credit_note_keeps_its_signs(tmp_path: Path) -> None:
    page = (
        Put(50, 60, "Avoir AV-2025-0005"), Put(50, 90, "Date de facture"), Put(200, 90, "16/11/2025"),
        Put(300, 300, "Total HT"), Put(480, 300, "-200,00 €"), Put(300, 315, "Total TVA"), Put(480, 315, "-40,00 €"),
        Put(300, 330, "Total TTC"), Put(480, 330, "-240,00 €"),
    )  # fmt: skip
    fields = named(extracted(tmp_path, page))
    assert fields["gross_total"].normalised == "-240.00"
    assert fields["invoice_number"].normalised == "AV-2025-0005"


def test_a_bare_number_is_not_surely_the_invoices(tmp_path: Path) -> None:
    page = tuple(put._replace(text=put.text.replace("Invoice number", "No.")) for put in (*HEAD[:3], *HEAD[4:]))
    number = named(extracted(tmp_path, (*page, *TOTALS)))["invoice_number"]
    assert (number.normalised, number.status) == ("INV-7001", "review")


def test_a_due_date_in_parts_is_in_review(tmp_path: Path) -> None:
    parts = "Due date: 13 April 2025 and 13 May 2025"
    head = tuple(put._replace(text=parts) if put.text.startswith("Due") else put for put in HEAD)
    due = named(extracted(tmp_path, (*head, *COLUMNS, *ITEMS, *TOTALS)))["due_date"]
    assert (due.normalised, due.status) == ("2025-04-13", "review")
    assert due.reasons == ("“13 May 2025” stands behind the same label",)


def test_a_sum_carried_to_the_next_page_is_no_item(tmp_path: Path) -> None:
    carried = Put(50, 305, "Carried forward"), Put(490, 305, "100.00")
    first = (*HEAD, *COLUMNS, *ITEMS[:5], *carried)
    brought = Put(50, 250, "Brought forward"), Put(490, 250, "100.00")
    second = (*COLUMNS, *brought, *row(265, "Hinge", "10 pcs", "2.50", "20%", "25.00"), *TOTALS)
    fields = named(extracted(tmp_path, first, second))
    assert [one.normalised for name, one in fields.items() if name.endswith("_amount") and "item" in name] == [
        "100.00",
        "25.00",
    ]
    assert fields["net_total"].status == "confirmed"
    assert fields["tax_1_rate"].normalised == "20"  # 2.50 are no 10 per cent of 25.00 where the line says 20 %


def test_who_prints_decimal_commas_prints_the_day_first(tmp_path: Path) -> None:
    page = tuple(put._replace(text=put.text.replace(".", ",")) for put in (*COLUMNS, *ITEMS, *TOTALS))
    head = tuple(put._replace(text="Invoice date: 03/04/2025") if "date: 14" in put.text else put for put in HEAD)
    issued = named(extracted(tmp_path, (*head, *page)))["issue_date"]
    assert (issued.normalised, issued.status) == ("2025-04-03", "confirmed")


RATES = (
    *row(250, "Oak board", "4 pcs", "25.00", "20%", "100.00"), *row(270, "Seed", "10 pcs", "2.50", "5%", "25.00"),
)  # fmt: skip


def test_a_tax_total_that_stands_in_a_cell_for_each_rate_has_both_places(tmp_path: Path) -> None:
    totals = (
        Put(330, 330, "Net total"), Put(490, 330, "125.00"), Put(330, 345, "VAT 20% on 100.00"), Put(490, 345, "20.00"),
        Put(330, 360, "VAT 5%"), Put(490, 360, "1.25"), Put(330, 375, "Invoice total"), Put(490, 375, "146.25"),
    )  # fmt: skip
    fields = named(extracted(tmp_path, (*HEAD, *COLUMNS, *RATES, *totals)))
    tax = fields["tax_total"]
    assert (tax.value, tax.normalised, tax.status, len(tax.places)) == ("20.00 + 1.25", "21.25", "confirmed", 2)
    assert {fields[name].status for name in ("net_total", "gross_total", "tax_2_amount")} == {"confirmed"}


def test_an_amount_that_does_not_close_is_no_part_of_a_tax_total(tmp_path: Path) -> None:
    totals = (
        Put(330, 330, "Net total"), Put(490, 330, "125.00"), Put(330, 345, "VAT 20%"), Put(490, 345, "20.00"),
        Put(330, 360, "VAT 5%"), Put(490, 360, "1.20"), Put(330, 375, "Invoice total"), Put(490, 375, "146.25"),
    )  # fmt: skip
    fields = named(extracted(tmp_path, (*HEAD, *COLUMNS, *RATES, *totals)))
    assert {fields[name].status for name in ("net_total", "tax_total", "gross_total") if name in fields} == {"review"}


def test_the_balance_before_is_no_item(tmp_path: Path) -> None:
    balance = (Put(330, 315, "Previous balance"), Put(490, 315, "21.07"))
    fields = named(extracted(tmp_path, (*HEAD, *COLUMNS, *ITEMS, *balance, *TOTALS)))
    assert "line_item_3_amount" not in fields
    assert fields["net_total"].status == "confirmed"


def test_the_day_of_a_date_is_no_number_of_an_invoice(tmp_path: Path) -> None:
    head = tuple(put for put in HEAD if "INV-7001" not in put.text and put.text != "Invoice")
    title = (Put(330, 60, "Beitragsrechnung"), Put(450, 60, "24. Januar 2025"))
    fields = named(extracted(tmp_path, (*head, *title, *COLUMNS, *ITEMS, *TOTALS)))
    assert "invoice_number" not in fields


def rates(fields: dict[str, Field]) -> list[tuple[str, str]]:
    """The rate of each item and its status, where there is one."""
    found = [fields.get(f"line_item_{n}_tax_rate") for n in (1, 2, 3)]
    return [(one.normalised, one.status) for one in found if one]


def test_the_only_rate_holds_for_all_items_and_its_place_is_shared(tmp_path: Path) -> None:
    columns = tuple(put for put in COLUMNS if put.text != "VAT %")
    items = tuple(put for put in ITEMS if put.text != "20%")
    fields = named(extracted(tmp_path, (*HEAD, *columns, *items, *TOTALS)))
    assert rates(fields) == [("20", "confirmed"), ("20", "confirmed")]
    one, other, owner = (fields[name] for name in ("line_item_1_tax_rate", "line_item_2_tax_rate", "tax_1_rate"))
    assert one.places == other.places == owner.places
    assert "its place is shared by 2 items" in {check.detail for check in one.checks}


MERGED = (
    *row(250, "Oak board", "4 pcs", "25.00", "20%", "100.00"), *row(270, "Hinge", "10 pcs", "2.50", "", "25.00"),
    *row(290, "Seed", "2 pcs", "10.00", "5%", "20.00"),
)  # fmt: skip


def summed(low: str, high: str) -> tuple[Put, ...]:
    """Totals over MERGED, with the base of each rate."""
    rows = (("Net total", "145.00"), (f"VAT 20% on {high}", "25.00"), (f"VAT 5% on {low}", "1.00"),
            ("Invoice total", "171.00"))  # fmt: skip
    return tuple(put for n, (label, text) in enumerate(rows) for put in
                 (Put(330, 340 + 15 * n, label), Put(490, 340 + 15 * n, text)))  # fmt: skip


def test_a_rate_over_several_rows_holds_for_them_where_their_bases_say_so(tmp_path: Path) -> None:
    assert rates(named(extracted(tmp_path, (*HEAD, *COLUMNS, *MERGED, *summed("20.00", "125.00"))))) == [
        ("20", "confirmed"), ("20", "confirmed"), ("5", "confirmed"),
    ]  # fmt: skip
    open_ = named(extracted(tmp_path, (*HEAD, *COLUMNS, *MERGED, *summed("30.00", "115.00"))))
    assert "line_item_2_tax_rate" not in open_
