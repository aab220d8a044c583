"""Tests of parting a document into invoices, by what pages show of their place."""

from __future__ import annotations

from dataclasses import replace

from pipeline import issuing
from pipeline.model import Origin, Page
from tests import draw

FIRST = ("Račun br. {number}", "Datum izdavanja: 20.07.2025.", "Kupac:", "Lipova 88", "1. Roba 2 100,00 200,00")
SUMS = ("Osnovica 20% 200,00 40,00", "Ukupno bez PDV: 200,00", "ZA UPLATU: 240,00")
ROWS = ("2. Roba 2 100,00 200,00", "3. Usluga 2 100,00 200,00", "4. Servis 2 100,00 200,00")


def page(*lines: str, foot: str = "", origin: Origin = "ocr") -> Page:
    words = [part for at, line in enumerate(lines) for part in _line(line, 60.0 + 18 * at)]
    return replace(draw.page([*words, *_line(foot, 810.0)]), origin=origin)


def _line(text: str, top: float) -> list[tuple[str, float, float]]:
    words = text.split()
    return [(word, 50.0 + 6 * len(" ".join(words[:at])), top) for at, word in enumerate(words)]


def first(number: str, *rest: str) -> tuple[str, ...]:
    return (*(line.format(number=number) for line in FIRST), *rest)


def parted(*pages: Page) -> list[tuple[int, ...]]:
    """The pages of each invoice, counted from 1."""
    numbered = [replace(one, number=number) for number, one in enumerate(pages, start=1)]
    return [tuple(each.number for each in issue.pages) for issue in issuing.groups(numbered)]


def test_consecutive_numbers_are_two_invoices_on_a_scan() -> None:
    assert parted(page(*first("R-556/2025", *SUMS)), page(*first("R-557/2025", *SUMS))) == [(1,), (2,)]


def test_a_misread_number_on_a_page_that_goes_on_parts_nothing() -> None:
    more = page("Račun br. 1225-00226, nastavok", *ROWS, *SUMS)
    assert parted(page(*first("IF25-00226")), more) == [(1, 2)]


def test_a_first_page_whose_number_was_not_read_begins_an_invoice() -> None:
    unread = page("Paun 6p. 282", *FIRST[1:], *SUMS)
    assert parted(page(*first("R-556/2025", *SUMS)), unread) == [(1,), (2,)]


def test_rows_after_the_sums_of_an_invoice_on_a_scan_begin_another() -> None:
    unread = page("PauyH 6p. 282/25", *ROWS, foot="Crpana 1")
    more = page("Račun br. 282/25, nastavak", *ROWS, *SUMS)
    assert parted(page(*first("R-556/2025", *SUMS)), unread, more) == [(1,), (2, 3)]


def test_terms_after_the_sums_belong_to_their_invoice() -> None:
    terms = page("Opšti uslovi prodaje", "Roba se vraća u roku od 14 dana.")
    assert parted(page(*first("R-556/2025", *SUMS)), terms) == [(1, 2)]


def test_the_second_sheet_of_another_invoice_is_its_own() -> None:
    sheet = page(*first("0042004801351", *SUMS), foot="Strana 2/2")
    assert parted(page(*first("14", *SUMS)), sheet) == [(1,), (2,)]


def test_a_page_that_counts_as_the_first_again_begins_an_invoice() -> None:
    pages = [page(*first("R-556/2025")), page(*ROWS, *SUMS, foot="Strana 2 od 2")]
    assert parted(*pages, page("Kupac:", "Račun", *ROWS, foot="Strana 1 od 2"), pages[1]) == [(1, 2), (3, 4)]


def test_a_number_on_a_second_page_of_a_text_layer_is_another_invoices() -> None:
    pages = page(*first("R-556/2025"), origin="text"), page("Račun br. R-557/2025", *ROWS, origin="text")
    assert parted(*pages) == [(1,), (2,)]


def test_a_page_that_sums_up_again_is_doubted() -> None:
    again = page("Ukupno bez PDV: 200,00", "ZA UPLATU: 240,00")
    issue = issuing.groups([page(*first("R-556/2025", *SUMS)), replace(again, number=2)])[0]
    assert issue.doubt == "page 2 sums up again but names no number: it may be an invoice of its own"
