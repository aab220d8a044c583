"""Faults that users met, each named after what was seen: the right value now."""

from __future__ import annotations

from pathlib import Path

from pipeline import outline
from pipeline.model import Outline
from pipeline.profiles import OutlineProfile
from sample_docs import drawing
from tests.draw import Put, column, pdf, prose, reading

BOLD = "Helvetica-Bold"


def built(path: Path) -> Outline:
    return outline.build(outline.features(reading(path)), OutlineProfile())


def tree(result: Outline) -> list[tuple[str | None, str]]:
    return [(section.number, section.title) for section in result.sections]


def test_clauses_between_lists_with_cyrillic_letters_were_rows_of_a_table(tmp_path: Path) -> None:
    face = drawing.family("NotoSans")
    put: list[Put] = []
    y = 90.0
    for number, title in (("8.4", "Мере безбедности"), ("9.1", "Раскид због више силе"), ("9.2", "Помоћ при изласку")):
        put += [Put(66, y, number, 9, face.bold), Put(102, y, title, 9, face.bold)]
        put.append(Put(102, y + 18, "Пружалац је дужан да у року који одређује овај уговор:", 9, face.regular))
        for at, letter in enumerate(("(а)", "(б)", "(ђ)")):
            put += [
                Put(102, y + 36 + 15 * at, letter, 9, face.regular),
                Put(
                    126,
                    y + 36 + 15 * at,
                    "ажурира стандард шифровања у роковима које даје прилог",
                    9,
                    face.regular,
                ),
            ]
        y += 105
    result = built(pdf(tmp_path / "doc.pdf", [put]))
    assert tree(result) == [
        ("8.4", "Мере безбедности"), ("9.1", "Раскид због више силе"), ("9.2", "Помоћ при изласку")
    ]  # fmt: skip
    assert [section.tables for section in result.sections] == [(), (), ()]


def test_a_centred_paragraph_sign_at_the_top_was_a_page_number(tmp_path: Path) -> None:
    put = [Put(280, 110, "§ 1", 12, BOLD), Put(250, 128, "Firma und Sitz", 12, BOLD), *column(72, 150, 12)]
    put += [Put(280, 350, "§ 2", 12, BOLD), Put(250, 368, "Stammkapital", 12, BOLD), *column(72, 390, 12)]
    result = built(pdf(tmp_path / "doc.pdf", [put]))
    assert tree(result) == [("§ 1", "Firma und Sitz"), ("§ 2", "Stammkapital")]
    assert result.removed == ()


def test_a_bold_number_above_its_title_was_the_number_of_page_one(tmp_path: Path) -> None:
    put = [Put(290, 110, "I.", 12, BOLD), Put(250, 128, "Scope of Supply", 12, BOLD), *column(72, 150, 12)]
    result = built(pdf(tmp_path / "doc.pdf", [put]))
    assert result.removed == ()
    assert result.sections[0].title == "Scope of Supply"


def test_a_clause_heading_right_below_that_of_its_article_was_text(tmp_path: Path) -> None:
    put: list[Put] = []
    for at, title in enumerate(("Definitions", "Supply"), 1):
        y = 300 * at - 200
        put += [Put(72, y, f"{at} {title}", 10, BOLD), Put(72, y + 12, f"{at}.1 Notice and {title}", 10, BOLD)]
        put += column(72, y + 30, 6)
        put += [Put(72, y + 120, f"{at}.2 Costs", 10, BOLD), *column(72, y + 138, 6)]
    assert tree(built(pdf(tmp_path / "doc.pdf", [put]))) == [
        ("1", "Definitions"), ("1.1", "Notice and Definitions"), ("1.2", "Costs"),
        ("2", "Supply"), ("2.1", "Notice and Supply"), ("2.2", "Costs"),
    ]  # fmt: skip


def test_an_article_in_the_block_of_its_first_clause_was_text(tmp_path: Path) -> None:
    put: list[Put] = []
    for at, (roman, title) in enumerate((("I", "Definitions"), ("II", "Supply"))):
        y = 100 + 250 * at
        put += [Put(72, y, f"Article {roman}. {title}"), Put(72, y + 12, f"Section {at + 1}.01 Notice. {prose(11)}")]
        put += column(72, y + 24, 8)
    assert tree(built(pdf(tmp_path / "doc.pdf", [put])))[:1] == [("Article I", "Definitions")]
