"""Faults that users met, each named after what was seen: the right value now."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import addresses, cli, outline, subclauses
from pipeline.citations import Checker, Cited
from pipeline.claude import find_prompts
from pipeline.engine import Query
from pipeline.model import Outline, Section
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


@pytest.fixture(scope="module")
def loan(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Two clauses, the second with a table of instalments, and a title above them."""
    rows = (
        ("Instalment", "Due date", "Amount"),
        ("First", "1 May 2020", "12 500"),
        ("Second", "1 June 2020", "14,750.00"),
        ("Third", "1 July 2020", "9,100.00"),
    )
    put = [Put(220, 60, "LOAN AGREEMENT", 16, BOLD), Put(72, 110, "1. Definitions", 12, BOLD), *column(72, 130, 5)]
    put += [Put(72, 220, "2. Price and Payment", 12, BOLD), *column(72, 240, 5, 9)]
    put += [
        Put(72 + 120 * at, 330 + 16 * row, text, 10, BOLD if row == 0 else "Helvetica")
        for row, texts in enumerate(rows)
        for at, text in enumerate(texts)
    ]
    found = reading(pdf(tmp_path_factory.mktemp("loan") / "doc.pdf", [put]))
    return Checker(outline.build(outline.features(found), OutlineProfile()).sections, found)


@pytest.mark.parametrize(
    ("anchor", "quote", "verdict"),
    [
        ("section-2", "Second 1 June 2020 14,750.00", "verified"),
        ("section-2", "Second | 1 June 2020 | 14,750.00", "verified"),
        ("section-2", "First 1 May 2020 12 500", "verified"),
        ("section-2", "Second 1 June 2020 12 500", "invented"),
        ("section-2", "Second 1 June 202014,750.00", "invented"),
        ("section-1", "Second 1 June 2020 14,750.00", "wrong_section"),
        ("section-2", "2. Price and Payment", "verified"),
        ("section-2", "3. Price and Payment", "invented"),
        ("section-1", "2. Price and Payment", "wrong_section"),
        ("page 2", "Second 1 June 2020 14,750.00", "not_found"),
    ],
)
def test_quotes_of_table_rows_and_headings_were_outside_of_all_clauses(
    loan: Checker, anchor: str, quote: str, verdict: str
) -> None:
    assert loan.verdict(Cited(anchor, quote)).verdict == verdict


def test_a_page_was_taken_for_a_clause() -> None:
    assert addresses.parse("page 2") == ()
    assert [one.path for one in addresses.parse("p. 12, Section 4.2")] == [("4", "2")]
    assert [one.path for one in addresses.parse("Section 4.2, page 12")] == [("4", "2")]


@pytest.mark.parametrize(
    ("cited", "code", "said"),
    [
        ("[" * 100_000, 2, "brackets stand too deep"),
        ('[{"anchor": "section-1", "quote": "half a pair \\ud800 of letters"}]', 0, "\\ud800"),
    ],
)
def test_cited_json_that_no_encoding_or_stack_holds_ended_in_a_traceback(
    tmp_path: Path, samples: Path, capsys: pytest.CaptureFixture[str], cited: str, code: int, said: str
) -> None:
    path = tmp_path / "cited.json"
    path.write_text(cited, encoding="utf-8")
    assert cli.main(["citations", str(samples / "agreement.pdf"), str(path), "--json"]) == code
    out, err = capsys.readouterr()
    assert said in out + err
    assert len((out + err).splitlines()) == 1


@pytest.mark.parametrize("query", ["", "  ", "?!"])
def test_a_question_without_a_word_was_answered(capsys: pytest.CaptureFixture[str], query: str) -> None:
    assert cli.main(["clauses", "none.pdf", query]) == 2
    assert "the question has no word" in capsys.readouterr().err


def test_a_compound_lost_its_hyphen_at_the_end_of_a_line(tmp_path: Path) -> None:
    lines = ("The result is implementation-defined for each vendor and stays so.", "What follows is implementation-",
             "defined too, as the main-", "tenance of the agree-", "ment requires.")  # fmt: skip
    path = pdf(tmp_path / "doc.pdf", [[Put(72, 100 + 12 * at, text) for at, text in enumerate(lines)]])
    text = " ".join(section.content for section in built(path).sections)
    assert "What follows is implementation-defined too, as the maintenance of the agreement requires." in text


def numbered(section: Section) -> list[tuple[str, str]]:
    return [(one.number, one.anchor) for one in subclauses.of(section)]


def clause(number: str, content: str) -> Section:
    anchor = f"section-{number.lower()}" if number[:1].isdigit() else f"article-{number.split()[-1].lower()}"
    return Section("sec", None, 1, number, "Loans", 1, anchor, content, ())


def test_sections_of_an_article_that_runs_on_had_no_anchor() -> None:
    text = "Section 2.01 Notice. The Borrower asks.\n(a) in writing;\nSection 2.02. “Costs”. Each pays.\n(a) its own."
    assert numbered(clause("Article II", text)) == [
        ("Section 2.01", "section-2-01"), ("(a)", "section-2-01-a"),
        ("Section 2.02", "section-2-02"), ("(a)", "section-2-02-a"),
    ]  # fmt: skip
    assert numbered(clause("Article II", "Section 2.01 applies to all.\nSection 2.02 does not.")) == []


def test_clauses_put_in_later_had_no_anchor() -> None:
    text = "2A.1 The Tenant pays.\n2A.1A The Tenant insures.\n2A.2 The Tenant repairs."
    assert numbered(clause("2A", text)) == [
        ("2A.1", "section-2a-1"), ("2A.1A", "section-2a-1a"), ("2A.2", "section-2a-2")
    ]  # fmt: skip


def test_letters_behind_z_had_no_anchor() -> None:
    letters = [*"abcdefghijklmnopqrstuvwxyz", "aa", "bb"]
    found = numbered(clause("4", "\n".join(f"{letter}) the goods;" for letter in letters)))
    assert [anchor for _, anchor in found] == [f"section-4-{letter}" for letter in letters]


def test_the_first_numbered_title_below_one_without_a_number_was_text(tmp_path: Path) -> None:
    put = [Put(72, 100, "AGREEMENT", 10, BOLD), Put(72, 112, "1) Definitions", 10, BOLD), *column(72, 130, 6)]
    put += [Put(72, 230, "2) Supply", 10, BOLD), *column(72, 248, 6)]
    assert tree(built(pdf(tmp_path / "doc.pdf", [put]))) == [
        (None, "AGREEMENT"), ("1", "Definitions"), ("2", "Supply")
    ]  # fmt: skip


def test_sections_without_words_of_their_own_could_not_be_sent() -> None:
    parent = Section("s1", None, 1, "9", "Termination", 1, "section-9", "")
    child = Section("s2", "s1", 2, "9.1", "Notice", 1, "section-9-1", "Thirty days.")
    (prompt,) = find_prompts(Query("termination"), [parent, child])
    assert "Thirty days." in prompt.document
