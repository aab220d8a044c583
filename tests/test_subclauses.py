"""Numbered paragraphs inside sections: their anchors, nesting and ends."""

from __future__ import annotations

import pytest

from pipeline import subclauses
from pipeline.model import Section


def section(
    content: str, number: str = "7.3", anchor: str | None = "section-7-3", section_id: str = "sec_x"
) -> Section:
    return Section(section_id, None, 1, number, "Title", 1, anchor, content)


def anchors(content: str, number: str = "7.3", anchor: str | None = "section-7-3") -> list[str]:
    return [one.anchor for one in subclauses.of(section(content, number, anchor))]


NESTED = """The Supplier shall:
(a) deliver;
(b) assign:
(i) patents; and
(ii) designs:
(A) registered;
(c) leave."""


def test_paragraphs_nest_under_their_section() -> None:
    found = subclauses.of(section(NESTED))
    assert [(one.anchor, one.number, one.parent) for one in found] == [
        ("section-7-3-a", "(a)", None),
        ("section-7-3-b", "(b)", None),
        ("section-7-3-b-i", "(i)", "section-7-3-b"),
        ("section-7-3-b-ii", "(ii)", "section-7-3-b"),
        ("section-7-3-b-ii-a", "(A)", "section-7-3-b-ii"),
        ("section-7-3-c", "(c)", None),
    ]
    assert NESTED[found[1].start : found[1].end] == "(b) assign:\n(i) patents; and\n(ii) designs:\n(A) registered;"
    assert NESTED[found[-1].start : found[-1].end] == "(c) leave."


def test_i_after_h_is_a_letter_unless_a_roman_run_begins() -> None:
    letters = "\n".join(f"({letter}) thing;" for letter in "abcdefghij")
    assert anchors(letters)[-2:] == ["section-7-3-i", "section-7-3-j"]
    roman = "\n".join([*(f"({letter}) thing:" for letter in "abcdefgh"), "(i) one;", "(ii) two."])
    assert anchors(roman)[-2:] == ["section-7-3-h-i", "section-7-3-h-ii"]


def test_letters_go_on_after_roman_ones_inside() -> None:
    assert anchors("(a) x:\n(i) one;\n(ii) two;\n(b) y.") == [
        "section-7-3-a",
        "section-7-3-a-i",
        "section-7-3-a-ii",
        "section-7-3-b",
    ]


def test_a_run_that_starts_again_is_counted() -> None:
    assert anchors("First:\n(a) x;\n(b) y.\nSecond:\n(a) z.") == ["section-7-3-a", "section-7-3-b", "section-7-3-a-2"]


@pytest.mark.parametrize(
    "content",
    [
        "as referred to in clause\n(b) above the Supplier shall pay.",
        "in accordance with paragraphs (a) and\n(b) of this clause.",
        "The list (a) x and (b) y stands in a sentence.",
        "(the “Supplier”) shall deliver.",
        "a | b | c\n(a) | 12 | 13",
        "30. juni 2024. godine",
    ],
)
def test_marks_that_are_none(content: str) -> None:
    assert anchors(content) == []


def test_paragraph_after_a_list_that_has_ended_is_not_part_of_it() -> None:
    content = "Notice of:\n(a) a Default; and\n(b) a claim.\nEach notice shall be in writing."
    last = subclauses.of(section(content))[-1]
    assert content[last.start : last.end] == "(b) a claim."


def test_decimal_numbers_without_title_extend_the_section() -> None:
    found = anchors("9.13.1 comply; and\n9.13.2 report:\n(a) monthly.", "9.13", "section-9-13")
    assert found == ["section-9-13-1", "section-9-13-2", "section-9-13-2-a"]
    assert anchors("4.1 First.\n4.2 Second.", "Article IV", "article-iv") == ["section-4-1", "section-4-2"]
    assert anchors("1. First.\n2. Second.", "Schedule 2", "schedule-2") == ["schedule-2-1", "schedule-2-2"]
    assert anchors("2.5 times the rate\n3.50 to 1.00", "7.3") == []


def test_serbian_and_german_forms() -> None:
    assert anchors("(1) Уговорне стране:\n1) прва;\n2) друга.", "Члан 5", "article-5") == [
        "article-5-1",
        "article-5-1-1",
        "article-5-1-2",
    ]
    assert anchors("тачка 1) прва;\nтачка 2) друга.", "Члан 5", "article-5") == ["article-5-1", "article-5-2"]
    assert anchors("a) eins;\nb) zwei.", "§ 5", "section-5") == ["section-5-a", "section-5-b"]
    assert anchors("(а) прво;\n(б) друго.", "Члан 5", "article-5") == ["article-5-a", "article-5-b"]


def test_two_marks_on_one_line() -> None:
    assert anchors("(a) (i) one;\n(ii) two.") == ["section-7-3-a", "section-7-3-a-i", "section-7-3-a-ii"]


def test_section_without_an_anchor_has_none() -> None:
    assert subclauses.of(section("(a) x;\n(b) y.", anchor=None)) == ()


def test_anchors_are_unique_in_the_document() -> None:
    one = section("(2) x:\n(a) y.", "7.3", "section-7-3", "one")
    other = Section("other", None, 1, "7.3", "Again", 2, "section-7-3-2", "(a) z.")
    found = subclauses.within([one, other])
    assert [(item.anchor, item.parent) for item in found["one"]] == [
        ("section-7-3-2-2", None),
        ("section-7-3-2-2-a", "section-7-3-2-2"),
    ]
    assert [item.anchor for item in found["other"]] == ["section-7-3-2-a"]
