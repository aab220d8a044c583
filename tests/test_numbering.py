"""The grammar of printed numbers."""

from __future__ import annotations

import pytest

from pipeline import numbering


@pytest.mark.parametrize(
    ("text", "label", "keyword", "path", "rest"),
    [
        ("4.2 Stainless Steel", "4.2", "", ("4", "2"), "Stainless Steel"),
        ("1. Definitions", "1", "", ("1",), "Definitions"),
        ("1.1.1. Scope", "1.1.1", "", ("1", "1", "1"), "Scope"),
        ("CHAPTER ONE", "CHAPTER ONE", "chapter", ("1",), ""),
        ("Article Twenty-Two: Notices", "Article Twenty-Two", "article", ("22",), "Notices"),
        ("Section 8. 01 Amendments", "Section 8.01", "section", ("8", "01"), "Amendments"),
        ("Article IV Payment", "Article IV", "article", ("IV",), "Payment"),
        ("Section 7.3(b) Notice", "Section 7.3(b)", "section", ("7", "3", "b"), "Notice"),
        ("SECTION 2.01. The Advances.", "SECTION 2.01", "section", ("2", "01"), "The Advances."),
        ("§ 5 Haftung", "§ 5", "section", ("5",), "Haftung"),
        ("§5 Haftung", "§5", "section", ("5",), "Haftung"),
        ("Члан 5", "Члан 5", "article", ("5",), ""),
        ("Član 5. Cena", "Član 5", "article", ("5",), "Cena"),
        ("PART I", "PART I", "part", ("I",), ""),
        ("Schedule 2: Fees", "Schedule 2", "schedule", ("2",), "Fees"),
        ("Appendix B — Exit", "Appendix B", "appendix", ("B",), "Exit"),
        ("B-3 Termination", "B-3", "", ("B", "3"), "Termination"),
        ("Б-3 Отказ", "Б-3", "", ("Б", "3"), "Отказ"),
        ("Додатак А Обрасци", "Додатак А", "appendix", ("А",), "Обрасци"),
        ("Ziffer 4.2 Haftung", "Ziffer 4.2", "section", ("4", "2"), "Haftung"),
        ("(a) the first", "(a)", "", ("a",), "the first"),
        ("(iv) the fourth", "(iv)", "", ("iv",), "the fourth"),
        ("Item 1A. Risk Factors", "Item 1A", "item", ("1A",), "Risk Factors"),
    ],
)
def test_a_printed_number(text: str, label: str, keyword: str, path: tuple[str, ...], rest: str) -> None:
    number = numbering.parse(text)
    assert number is not None
    assert (number.label, number.keyword, number.path, number.rest) == (label, keyword, path, rest)


@pytest.mark.parametrize(
    "text", ["2024 was a good year", "Part of the work", "Part one of it", "Parties", "Section shall", "Hello", ""]
)
def test_no_number(text: str) -> None:
    assert numbering.parse(text) is None


@pytest.mark.parametrize("text", ["12 March 2025", "A guide to bolts", "I agree"])
def test_a_bare_number_says_little(text: str) -> None:
    number = numbering.parse(text)
    assert number is not None
    assert number.bare


def test_values() -> None:
    assert [numbering.value(part, "roman") for part in ("I", "iv", "IX", "XIV", "XL")] == [1, 4, 9, 14, 40]
    assert [numbering.value(part, "letter") for part in ("a", "C")] == [1, 3]
    assert numbering.value("1A", "decimal") == 1
