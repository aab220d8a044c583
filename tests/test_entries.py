"""Codes in rows and lines: what is listed, and what is only mentioned."""

from __future__ import annotations

import pytest

from pipeline import attributes, entries
from pipeline.model import Section


@pytest.mark.parametrize(
    ("code", "printed", "there"),
    [
        ("X-204", "X-204", True),
        ("x204", "X-204", True),
        ("X 204", "x–204", True),
        ("X-204", "X-2041", False),
        ("X-204", "AX-204", False),
        ("X-204", "X-204B", False),
        ("X-204", "X-204/2", False),
        ("X-20", "X-204", False),
        ("M8x40", "M8×40", True),
        ("6.2.1", "6.2.1", True),
        ("6.2.1", "16.2.1", False),
    ],
)
def test_codes_as_they_may_be_printed(code: str, printed: str, there: bool) -> None:
    assert (entries.code_pattern(code).search(f"the {printed} bolt") is not None) is there


@pytest.mark.parametrize(
    ("line", "listed"),
    [
        ("X-204 | hex bolt | 100", True),
        ("Y-100 | replaces X-204 | 100", False),
        ("X-204 — M8x40 hex bolt, 316 grade", True),
        ("• X-204 hex bolt", True),
        ("X-204 is replaced by X-205.", False),
        ("See X-204 for details.", False),
    ],
)
def test_where_a_product_is_listed(line: str, listed: bool) -> None:
    section = Section("sec_a", None, 1, None, "A", 1, None, line)
    (found,) = entries.find(section, [(0, len(line))], ["X-204"])
    assert found.listed is listed


HEADER = ("Code", "Product", "Pack", "EUR")
ROW = "X-204 | M8x40 hex bolt, 316 grade | 100 | 7.00"


@pytest.mark.parametrize(
    ("words", "column"),
    [
        (["price"], 3),
        (["price", "euros"], 3),
        (["price", "usd"], None),
        (["much", "cost"], 3),
        (["cena"], 3),
        (["pack"], 2),
        (["pack", "size"], 2),
        (["pack", "weight"], None),
        (["units", "pack"], 2),
        (["product", "name"], 1),
        (["price", "hex", "bolt"], 3),
        (["price", "washer"], None),
        (["weight"], None),
        (["colour"], None),
    ],
)
def test_columns_that_words_ask_for(words: list[str], column: int | None) -> None:
    assert attributes.column(words, HEADER, ROW, "en") == column


@pytest.mark.parametrize(
    ("words", "text", "said"),
    [
        (["thread"], "M8x40 hex bolt, 316 grade", "M8x40"),
        (["gewinde"], "M8 hex bolt", "M8"),
        (["thread", "pitch"], "M8x40 hex bolt", None),
        (["thread"], "M8 to M10 adapter", None),
        (["thread"], "10 mm open-end wrench", None),
        (["material"], "25 mm bore ring, spring steel", "spring steel"),
        (["material"], "300 g hammer, tubular steel shaft", None),
        (["weight"], "500 g claw hammer", None),
    ],
)
def test_what_a_products_text_tells_by_its_form(words: list[str], text: str, said: str | None) -> None:
    assert attributes.told(words, text) == said


def test_units_stay_with_their_numbers() -> None:
    assert attributes.with_unit("7.00", "Price (EUR)") == "7.00 EUR"
    assert attributes.with_unit("12", "Length mm") == "12 mm"
    assert attributes.with_unit("7.00", "Price") == "7.00"
    assert attributes.with_unit("each", "EUR") == "each"
