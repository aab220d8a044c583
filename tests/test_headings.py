"""What is a heading and what is none, faults found in documents of others, drawn anew."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth

from pipeline import outline
from pipeline.model import Outline
from pipeline.profiles import OutlineProfile
from tests.draw import Put, column, pdf, reading

BOLD = "Helvetica-Bold"


def built(tmp_path: Path, pages: list[list[Put]]) -> Outline:
    return outline.build(outline.features(reading(pdf(tmp_path / "doc.pdf", pages))), OutlineProfile())


def tree(result: Outline) -> list[tuple[int, str | None, str]]:
    return [(section.level, section.number, section.title) for section in result.sections]


def text(top: float, seed: int, count: int = 20) -> list[Put]:
    return column(72, top, count, seed)


def middle(top: float, words: str) -> Put:
    return Put(300 - stringWidth(words, "Helvetica", 10) / 2, top, words)


def test_running_titles_that_change_on_each_page_are_told_by_the_page_number(tmp_path: Path) -> None:
    running = ["1.1. Scope", "1.2. Terms", "2.1. Price", "2.4. Law"]
    pages = [
        [Put(300, 40, f"{title} {page + 4}", 10, BOLD), Put(72, 90, f"{page}. Heading", 14, BOLD), *text(130, page)]
        for page, title in enumerate(running, 1)
    ]
    result = built(tmp_path, pages)
    assert [section.title for section in result.sections] == ["Heading"] * 4
    assert [(line.text, line.reason) for line in result.removed] == [
        (f"{title} {page + 4}", "running header") for page, title in enumerate(running, 1)
    ]


def test_the_page_number_may_stand_before_the_running_title(tmp_path: Path) -> None:
    running = ["Chapter 1. About", "Chapter 2. Prices", "Chapter 3. Law"]
    pages = [
        [Put(72, 100, title[11:], 14, BOLD), *text(130, page), Put(72, 800, str(page + 1)), Put(400, 800, title)]
        for page, title in enumerate(running, 1)
    ]
    result = built(tmp_path, pages)
    assert {line.reason for line in result.removed} == {"running footer"}
    assert len(result.removed) == 3


def test_a_chapter_counted_in_words_above_its_title_is_one_heading(tmp_path: Path) -> None:
    pages = [
        [
            Put(400, 100, "CHAPTER", 10, BOLD),
            Put(400, 122, word, 14, BOLD),
            Put(300, 172, title, 14, BOLD),
            Put(72, 230, f"{number}.1 Scope", 14, BOLD),
            *text(260, number),
        ]
        for number, (word, title) in enumerate((("ONE", "ABOUT US"), ("TWO", "ABOUT YOU"), ("THREE", "ABOUT THEM")), 1)
    ]
    assert tree(built(tmp_path, pages)) == [
        (1, "CHAPTER ONE", "ABOUT US"),
        (2, "1.1", "Scope"),
        (1, "CHAPTER TWO", "ABOUT YOU"),
        (2, "2.1", "Scope"),
        (1, "CHAPTER THREE", "ABOUT THEM"),
        (2, "3.1", "Scope"),
    ]


def test_a_title_far_below_the_number_of_its_chapter_belongs_to_it(tmp_path: Path) -> None:
    pages = [
        [Put(72, 100, f"Chapter {number}", 18, BOLD), Put(72, 155, title, 22, BOLD), *text(220, number)]
        for number, title in enumerate(("First steps", "Next steps"), 1)
    ]
    assert tree(built(tmp_path, pages)) == [(1, "Chapter 1", "First steps"), (1, "Chapter 2", "Next steps")]


def test_a_title_of_two_lines_with_a_word_set_in_another_weight_is_one(tmp_path: Path) -> None:
    page = [
        Put(72, 100, "Instructions for the use of ", 16, BOLD),
        Put(300, 100, "paperclass", 16, "Courier"),
        Put(72, 119, "in the proceedings of a meeting", 16, BOLD),
        *text(160, 1),
    ]
    titles = [section.title for section in built(tmp_path, [page]).sections]
    assert titles == ["Instructions for the use of paperclass in the proceedings of a meeting"]


def test_what_stands_large_in_a_figure_does_not_end_what_numbers_count(tmp_path: Path) -> None:
    pages = [
        *([Put(72, 100, f"{number} Chapter", 14, BOLD), *text(130, number)] for number in (1, 2, 3)),
        [Put(72, 100, "4 Details", 14, BOLD), *text(130, 1, 5), Put(72, 250, "4.1 Items", 12, BOLD), *text(270, 2, 5)],
        [Put(200, 100, "Storage Unit", 16), *text(200, 3, 5), Put(72, 400, "4.2 Tax", 12, BOLD), *text(420, 4, 9)],
        [Put(72, 100, "4.3 Terms", 12, BOLD), *text(130, 5, 9), Put(72, 400, "5 Law", 14, BOLD), *text(420, 6, 9)],
    ]
    assert tree(built(tmp_path, pages))[3:] == [
        (1, "4", "Details"),
        (2, "4.1", "Items"),
        (2, None, "Storage Unit"),
        (2, "4.2", "Tax"),
        (2, "4.3", "Terms"),
        (1, "5", "Law"),
    ]


def test_lines_in_parentheses_and_points_of_a_list_are_no_headings(tmp_path: Path) -> None:
    page = [
        Put(72, 80, "Income", 12, BOLD),
        Put(250, 110, "(In millions)", 10, BOLD),
        *text(140, 1, 6),
        Put(90, 250, "• PRIMARY", 10),
        *text(280, 2, 6),
    ]
    assert [section.title for section in built(tmp_path, [page]).sections] == ["Income"]


def test_a_contents_list_may_leave_out_the_word_chapter(tmp_path: Path) -> None:
    titles = ["Scope of work", "Charges", "Term of it", "Liability"]
    contents = [
        Put(72, 80, "Contents", 14),
        *(Put(72, 110 + 14 * n, f"{n + 1}. {title} {'.' * 60} {n + 2}") for n, title in enumerate(titles)),
    ]
    pages = [
        [Put(72, 100, f"Chapter {number}. {title}", 14, BOLD), *text(130, number)]
        for number, title in enumerate(titles, 1)
    ]
    result = built(tmp_path, [contents, *pages])
    assert {heading.evidence[0] for heading in result.headings} == {"named by the contents list"}


def test_a_chapter_in_the_middle_between_lines_of_text_is_one_heading_with_its_title(tmp_path: Path) -> None:
    page = [
        middle(100, "CHAPTER I"),
        middle(117, "PRELIMINARY"),
        *text(134, 1, 12),
        middle(308, "CHAPTER II"),
        middle(325, "OBLIGATIONS OF DATA FIDUCIARY"),
        *text(342, 2, 12),
    ]
    found = [(number, title) for _, number, title in tree(built(tmp_path, [page])) if number]
    assert found == [("CHAPTER I", "PRELIMINARY"), ("CHAPTER II", "OBLIGATIONS OF DATA FIDUCIARY")]


@pytest.mark.parametrize("label", ["Commission File Number: 0-15175", "California 94-2404110", "DELIVERY FOB:0152"])
def test_a_label_with_its_value_is_no_heading(tmp_path: Path, label: str) -> None:
    page = [Put(72, 80, "Terms", 10, BOLD), *text(110, 1, 6), Put(72, 250, label, 10, BOLD), *text(280, 2, 6)]
    assert [section.title for section in built(tmp_path, [page]).sections] == ["Terms"]


def test_the_number_of_a_standard_may_end_a_title(tmp_path: Path) -> None:
    page = [Put(72, 80, "Differences from EN 16931", 10, BOLD), *text(110, 1, 6)]
    assert [section.title for section in built(tmp_path, [page]).sections] == ["Differences from EN 16931"]


def test_a_count_that_begins_under_another_is_within_it(tmp_path: Path) -> None:
    titles = [
        "I. Introduction",
        "A. History",
        "B. Scope",
        "C. Guidance",
        "1. Discretion",
        "2. Monitoring",
        "II. Economy",
    ]
    pages = [[Put(72, 100, title, 10, BOLD), *text(130, seed)] for seed, title in enumerate(titles)]
    levels = [(section.level, section.title) for section in built(tmp_path, pages).sections]
    assert levels == [
        (1, "Introduction"),
        (2, "History"),
        (2, "Scope"),
        (2, "Guidance"),
        (3, "Discretion"),
        (3, "Monitoring"),
        (1, "Economy"),
    ]


def test_what_stands_after_the_last_number_is_beside_the_numbered(tmp_path: Path) -> None:
    titles = ["Abstract", "1 Introduction", "2 Work", "3 Results", "Acknowledgments", "References", "Checklist", "Data"]
    pages = [[Put(72, 100, title, 14, BOLD), *text(130, seed)] for seed, title in enumerate(titles)]
    assert {section.level for section in built(tmp_path, pages).sections} == {1}
