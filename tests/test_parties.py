"""Tests of the blocks of supplier and buyer on scans, as OCR reads them."""

from __future__ import annotations

from dataclasses import replace

from pipeline import labels, marks, parties
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
