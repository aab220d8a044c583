"""Footnotes, side notes, captions and list items on drawn pages; and text that goes on over them."""

from __future__ import annotations

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import outline, render, roles, tables
from pipeline.model import Reading
from pipeline.profiles import OutlineProfile
from tests.draw import HEIGHT, Put, column, pdf, prose, reading

RULES_AT = (72, 320)


def short_rules(y: float, *lefts: float) -> object:
    def draw(canvas: Canvas) -> None:
        for x in lefts:
            canvas.line(x, HEIGHT - y, x + 110, HEIGHT - y)

    return draw


def read(tmp_path: Path, *pages: list[Put], rules: object = None) -> Reading:
    return reading(pdf(tmp_path / "page.pdf", pages, rules))  # type: ignore[arg-type]


def of_page(read: Reading, number: int = 1) -> list[tuple[str, str]]:
    """(role, text) of each line."""
    page = read.pages[number - 1]
    laid = tables.laid(page)
    return [(role, line.text) for role, line in zip(roles.of(page, laid), laid.lines, strict=True)]


def told(read: Reading, role: str, number: int = 1) -> list[str]:
    return [text for found, text in of_page(read, number) if found == role]


def full(top: float, count: int, seed: int = 0) -> list[Put]:
    """Lines of running text over the width of the page."""
    return [Put(72, top + 14 * index, prose(16, seed + index)[:84].strip(" ."), 11) for index in range(count)]


def marked(x: float, y: float, text: str, mark: str, size: float = 11) -> list[Put]:
    """Text with a raised mark behind it."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return [Put(x, y, text, size), Put(x + stringWidth(text, "Helvetica", size) + 0.3, y - 4, mark, size * 0.6)]


NOTED = marked(72, 100, "The price is bound to an index", "1")
NOTE = [
    Put(72, 760, "1", 5.5),
    Put(77, 764, "The index of the office for statistics, as published in the first week of", 8),
    Put(72, 774, "a month.", 8),
]


def test_the_marks_that_footnotes_begin_with() -> None:
    assert roles.marker("† See above.") == "†"
    assert roles.marker("(12) See above.") == "12"
    assert roles.marker("14Estimated by the office") == "14"
    assert roles.marker("Total 12,50") == ""


def test_the_sentence_goes_on_over_a_footnote_and_a_page(tmp_path: Path) -> None:
    first = [*NOTED, *full(114, 44), Put(72, 730, "and the supplier shall deliver the goods to the", 11), *NOTE]
    second = [Put(72, 72, "place that the buyer names in the order.", 11), *full(100, 20, 90)]
    found = read(tmp_path, first, second)
    assert told(found, "footnote") == [
        "1 The index of the office for statistics, as published in the first week of",
        "a month.",
    ]
    content = outline.build(outline.features(found), OutlineProfile()).sections[0].content
    joined = "shall deliver the goods to the place that the buyer names in the order."
    assert joined in content
    note = content.index("1 The index of the office for statistics, as published in the first week of a month.")
    assert note > content.index(joined)


def test_a_short_rule_makes_up_for_the_mark_in_the_text(tmp_path: Path) -> None:
    page = [*full(100, 40), *(put._replace(y=put.y - 20) for put in NOTE[1:])]
    page[-2] = page[-2]._replace(text="* The index of the office for statistics")
    assert told(read(tmp_path, page), "footnote") == []
    assert len(told(read(tmp_path, page, rules=short_rules(734, 72)), "footnote")) == 2


def test_footnotes_under_each_of_two_columns(tmp_path: Path) -> None:
    page: list[Put] = []
    for x, mark in zip(RULES_AT, ("*", "†"), strict=True):
        page += [*column(x, 100, 40, seed=int(x)), Put(x, 600, f"{mark} A note under this column of", 7)]
        page += [Put(x, 609, "the text, in two lines.", 7)]
    found = read(tmp_path, page, rules=short_rules(588, *RULES_AT))
    assert told(found, "footnote") == [
        "* A note under this column of", "the text, in two lines.",
        "† A note under this column of", "the text, in two lines.",
    ]  # fmt: skip
    texts = [text for _, text in of_page(found)]
    assert texts.index("* A note under this column of") == 40


def test_notes_with_marks_set_apart_may_be_more_than_the_text(tmp_path: Path) -> None:
    page = [
        *marked(72, 100, "The price is bound to an index", "1"),
        *marked(72, 114, "of the office for statistics", "2"),
    ]
    page += [*full(128, 10), Put(72, 297, "1", 5), *(put._replace(x=90, size=8) for put in full(300, 14, 30))]
    page += [Put(72, 507, "2", 5), *(put._replace(x=90, size=8) for put in full(510, 12, 60))]
    found = read(tmp_path, page, rules=short_rules(280, 72))
    assert len(told(found, "footnote")) == 28
    *_, first, second = outline.build(outline.features(found), OutlineProfile()).sections[0].content.split("\n")
    assert first.startswith("1 ") and second.startswith("2 ")


def test_a_numbered_list_at_the_foot_of_a_page_is_no_footnote(tmp_path: Path) -> None:
    items = [Put(72, 680 + 14 * index, f"{index + 1}. {prose(8, index)}", 11) for index in range(5)]
    assert told(read(tmp_path, [*full(100, 38), *items]), "footnote") == []


def test_a_row_of_totals_at_the_foot_of_a_page_is_no_footnote(tmp_path: Path) -> None:
    rows = [
        put
        for index in range(20)
        for put in (Put(72, 400 + 15 * index, f"Item {index}"), Put(400, 400 + 15 * index, f"{index},50"))
    ]
    total = [Put(72, 710, "Total of all items on this page", 8), Put(400, 710, "190,00", 8)]
    assert told(read(tmp_path, [*full(100, 18), *rows, *total], rules=short_rules(698, 400)), "footnote") == []


def test_the_footer_of_a_page_is_no_footnote(tmp_path: Path) -> None:
    footer = [Put(72, 810, "Offer 14 of the supplier, valid for four weeks from its date", 8), Put(500, 810, "2", 8)]
    assert told(read(tmp_path, [*full(100, 40), *footer], rules=short_rules(798, 72)), "footnote") == []


def test_a_name_under_a_line_to_sign_is_no_footnote(tmp_path: Path) -> None:
    signed = [Put(72, 740, "Name, title", 8)]
    assert told(read(tmp_path, [*full(100, 38), *signed], rules=short_rules(728, 72)), "footnote") == []


def test_a_side_note_does_not_cut_a_sentence(tmp_path: Path) -> None:
    text = [Put(190, 100 + 14 * index, prose(11, index)[:58].strip(" .").lower(), 11) for index in range(30)]
    notes = [Put(60, 240, "Short title", 8), Put(60, 250, "and extent", 8), Put(60, 260, "of this act", 8)]
    found = read(tmp_path, [*text, *notes])
    assert told(found, "side note") == ["Short title", "and extent", "of this act"]
    content = outline.build(outline.features(found), OutlineProfile()).sections[0].content
    assert " ".join(put.text for put in text) in content
    assert "Short title and extent of this act" in content


def test_a_side_note_on_one_line_of_the_text_is_apart_from_it(tmp_path: Path) -> None:
    text = [Put(190, 100 + 14 * index, prose(11, index)[:58].strip(" .").lower(), 11) for index in range(12)]
    found = read(tmp_path, [*text, Put(60, 156, "53 of 2005.", 8)])
    assert told(found, "side note") == ["53 of 2005."]
    content = outline.build(outline.features(found), OutlineProfile()).sections[0].content
    assert content == " ".join(put.text for put in text) + "\n53 of 2005."


def test_labels_left_of_their_values_are_no_side_notes(tmp_path: Path) -> None:
    rows = [
        put
        for index in range(20)
        for put in (Put(72, 100 + 30 * index, f"Label {index}"), Put(190, 100 + 30 * index, prose(10, index)[:58]))
    ]
    assert told(read(tmp_path, rows), "side note") == []


@pytest.mark.parametrize(
    "text",
    ["Figure 3: The parts of a valve", "Table 2. Prices", "Abb. 4 Ventil", "Slika 1 – Ventil", "Tableau 5 : Prix",
     "Tabla 1. Precios", "Fig. 12", "TABLE A-3. Prices"],
)  # fmt: skip
def test_captions(tmp_path: Path, text: str) -> None:
    assert told(read(tmp_path, [*full(100, 10), Put(120, 300, text, 9), *full(340, 10, 20)]), "caption") == [text]


def test_a_cyrillic_caption() -> None:
    assert roles.CAPTION_LINE.match("Слика 1. Вентил")
    assert roles.CAPTION_LINE.match("Табела 2")


@pytest.mark.parametrize("text", ["Table 2 shows what the parts cost", "Figure 3 ............ 12", "Tables of 3 kinds"])
def test_sentences_and_lists_of_figures_are_no_captions(tmp_path: Path, text: str) -> None:
    assert told(read(tmp_path, [*full(100, 10), Put(72, 300, text, 11), *full(340, 10, 20)]), "caption") == []


def test_a_bold_caption_is_no_heading_and_the_sentence_goes_on_over_it(tmp_path: Path) -> None:
    page = [
        *full(100, 10), Put(72, 240, "and the supplier shall deliver the goods to the", 11),
        Put(72, 290, "Figure 3: The parts of a valve", 11, "Helvetica-Bold"),
        Put(72, 330, "place that the buyer names in the order.", 11), *full(344, 10, 20),
    ]  # fmt: skip
    built = outline.build(outline.features(read(tmp_path, page)), OutlineProfile())
    assert built.headings == ()
    content = built.sections[0].content
    assert "deliver the goods to the place that the buyer names" in content
    assert "\nFigure 3: The parts of a valve" in content


def test_words_carry_the_role_of_their_line(tmp_path: Path) -> None:
    found = read(tmp_path, [*NOTED, *full(114, 44), *NOTE])
    text = "".join(render.words_json(found.document, found.pages))
    assert text.count('"role":"footnote"') == 17
    assert text.count('"role":"text"') == len(found.pages[0]) - 17


def test_items_of_a_list(tmp_path: Path) -> None:
    page = [*full(100, 10), Put(72, 300, "• the first item, which", 11), Put(84, 314, "goes on;", 11)]
    page += [Put(72, 328, "(b) the second item.", 11), Put(72, 342, "Text behind the list", 11)]
    assert told(read(tmp_path, page), "list item") == ["• the first item, which", "goes on;", "(b) the second item."]
