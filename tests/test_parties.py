"""Tests of the blocks of supplier and buyer on scans, as OCR reads them."""

from __future__ import annotations

from dataclasses import replace

from pipeline import labels, marks, parties
from pipeline.engine import RawField
from tests import draw
from tests.test_issuing import page

BUYER = ("Датум издавања: 20.07.2025.", "Kynau:", "Његован Хотел д.о.о.", "Њивска 145, 18266 Горња Липа")


def read(*lines: str) -> dict[str, str]:
    """The fields of parties on a scan of these lines, by name."""
    return {one.name: one.text for one in parties.fields(marks.printed((page(*lines),), labels.vocabulary()))}


def test_a_buyers_heading_in_latin_letters_for_cyrillic_ones_is_known() -> None:
    assert read("Рачун бр. 282/25", *BUYER)["buyer_name"] == "Његован Хотел д.о.о."


def test_a_buyers_tax_number_is_known_by_its_check_digits_where_its_label_is_misread() -> None:
    assert read("Рачун бр. 282/25", *BUYER, "NUB: 196777595")["buyer_tax_id"] == "196777595"


def test_a_number_without_these_check_digits_is_no_tax_number() -> None:
    assert "buyer_tax_id" not in read("Рачун бр. 282/25", *BUYER, "NUB: 196777596")


def test_a_name_that_differs_from_a_label_in_a_letter_is_a_name() -> None:
    assert read("Kupac:", "Džep Market a.d.", "Lipova 88, 18266 Gornja Lipa")["buyer_name"] == "Džep Market a.d."


def test_a_logo_beside_the_supplier_is_no_part_of_it() -> None:
    below = page("Žubor Oprema d.o.o.", "Njivska 59, 11429 Novi Brod", "PIB: 196777595")
    logo = replace(draw.page([("2K", 34, 78)]), origin="ocr")
    sheet = below.with_words([*logo.words, *below.words])
    found = {one.name: one.text for one in parties.fields(marks.printed((sheet,), labels.vocabulary()))}
    assert found["supplier_name"] == "Žubor Oprema d.o.o."
    assert found["supplier_address"] == "Njivska 59, 11429 Novi Brod"


def found(*put: tuple[str, float, float]) -> dict[str, RawField]:
    """The fields of parties on a page with these texts, each at (x, top)."""
    prints = marks.printed((draw.page(list(put)),), labels.vocabulary())
    return {one.name: one for one in parties.fields(prints)}


def test_what_stands_beside_a_block_is_no_part_of_it() -> None:
    fields = found(
        ("Customer", 50, 100), ("Client ID", 350, 106), ("Bellmoor Catering Ltd", 50, 114), ("29813", 350, 120),
        ("12 Fennel Row", 50, 128), ("March 4, 2025", 350, 128),
    )  # fmt: skip
    assert (fields["buyer_name"].text, fields["buyer_address"].text) == ("Bellmoor Catering Ltd", "12 Fennel Row")


def test_a_currency_that_a_sentence_names_rivals_that_of_a_second_total() -> None:
    fields = found(
        ("Total due", 50, 100), ("119.00", 300, 100), ("Equivalent", 50, 120), ("13,941.12", 300, 120),
        ("RSD", 352, 120), ("All", 50, 160), ("in", 70, 160), ("EUR", 84, 160),
    )  # fmt: skip
    assert (fields["currency"].text, fields["currency"].rivals) == ("RSD", ("EUR",))
