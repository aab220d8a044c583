"""What is stamped on contracts and what frames them: each in the ledger by its own reason, no word of text lost."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import facts, outline
from pipeline.model import Outline, Reading
from pipeline.profiles import OutlineProfile
from sample_docs import agreement, drawing
from sample_docs.agreement import AgreementOptions, Numbering, Tongue
from sample_docs.agreement_stamps import Extra
from tests.draw import HEIGHT, WIDTH, Put, column, pdf, prose, reading

PLAIN = OutlineProfile()
BOLD = "Helvetica-Bold"
SERIF = "Times-Roman"
Prepare = Callable[[Canvas], None]


@pytest.fixture(scope="module")
def face() -> str:
    """A font with Cyrillic letters."""
    return drawing.family("NotoSans").regular


def read(tmp_path: Path, pages: Iterable[Iterable[Put]], prepare: Prepare | None = None) -> Reading:
    return reading(pdf(tmp_path / "doc.pdf", pages, prepare))


def built(found: Reading, profile: OutlineProfile = PLAIN) -> Outline:
    return outline.build(outline.features(found), profile)


def reasons(result: Outline) -> Counter[str]:
    return Counter(line.reason for line in result.removed)


def set_aside(result: Outline, reason: str) -> list[str]:
    return [line.text for line in result.removed if line.reason == reason]


def said(result: Outline) -> str:
    return " ".join(" ".join(filter(None, (one.number, one.title, one.content))) for one in result.sections)


def letters(texts: Iterable[str]) -> Counter[str]:
    return Counter(re.sub(r"\W", "", "".join(texts)))


def assert_nothing_is_lost(found: Reading, result: Outline) -> None:
    printed = [word.text for page in found.pages for word in page.words]
    assert letters([said(result), *(line.text for line in result.removed)]) == letters(printed)


def words(texts: Iterable[str]) -> Counter[str]:
    return Counter(re.sub(r"\W", " ", " ".join(texts)).split())


def stream(lines: int, seed: int) -> list[str]:
    """Lines of one long text whose sentences run on from line to line."""
    words = " ".join(prose(17, seed + index) for index in range(lines)).split()
    return [" ".join(words[11 * index : 11 * index + 11]) for index in range(lines)]


def pleading(pages: int, first: int = 1) -> list[list[Put]]:
    """Pages with 25 numbered lines each, as courts ask for."""
    return [
        [
            put
            for row, text in enumerate(stream(25, 40 * page))
            for put in (Put(62, 90 + 25 * row, str(first + row), 10, SERIF), Put(100, 90 + 25 * row, text, 12, SERIF))
        ]
        for page in range(pages)
    ]


def test_line_numbers_of_pleadings_go_to_the_ledger_and_leave_the_text_whole(tmp_path: Path) -> None:
    found = read(tmp_path, pleading(3))
    result = built(found)
    numbers = " ".join(map(str, range(1, 26)))
    assert [(line.page, line.text, line.repeats) for line in result.removed] == [(n, numbers, 3) for n in (1, 2, 3)]
    assert reasons(result) == {"line numbers": 3}
    assert said(result).split() == " ".join(text for page in range(3) for text in stream(25, 40 * page)).split()


def test_line_numbers_stand_beside_few_lines_of_a_last_page_too(tmp_path: Path) -> None:
    short = [put for put in pleading(1)[0] if put.x == 62 or put.y < 160]
    result = built(read(tmp_path, [*pleading(1), short]))
    assert [(line.page, len(line.text.split())) for line in result.removed] == [(1, 25), (2, 25)]


def test_a_page_of_two_lines_has_two_numbers(tmp_path: Path) -> None:
    result = built(read(tmp_path, [*pleading(1), pleading(1)[0][:4]]))
    assert [len(text.split()) for text in set_aside(result, "line numbers")] == [25, 2]


def test_every_fifth_line_may_be_numbered(tmp_path: Path) -> None:
    page = [put for put in pleading(1)[0] if put.x == 100 or int(put.text) % 5 == 0]
    result = built(read(tmp_path, [page]))
    assert set_aside(result, "line numbers") == ["5 10 15 20 25"]


def test_a_numbered_list_and_a_column_of_a_table_are_no_line_numbers(tmp_path: Path) -> None:
    items = [
        Put(62 + 30 * at, 90 + 20 * n, text) for n in range(15) for at, text in ((0, str(n + 1)), (1, prose(6, n)))
    ]
    names = ("bolts", "nuts", "washers", "rivets", "screws", "pins", "hooks", "rings", "clips", "hinges")
    rows = [
        Put(x, 450 + 20 * n, text)
        for n, name in enumerate(names)
        for x, text in ((62, str(n + 1)), (100, name), (300, f"{n}5.00"))
    ]
    result = built(read(tmp_path, [[*items, *rows]]))
    assert result.removed == ()
    assert [name for name in names if name not in said(result)] == []


def test_restored_line_numbers_are_text_again(tmp_path: Path) -> None:
    found = read(tmp_path, pleading(2))
    kept = replace(PLAIN, keep=(" ".join("#" * 25),))
    result = built(found, kept)
    assert result.removed == ()
    assert_nothing_is_lost(found, result)


def watermark(text: str, size: float, angle: float, y: float = 420) -> Prepare:
    def draw(canvas: Canvas) -> None:
        canvas.saveState()
        canvas.setFillGray(0.85)
        canvas.setFont(BOLD, size)
        canvas.translate(300, HEIGHT - y)
        canvas.rotate(angle)
        canvas.drawCentredString(0, 0, text)
        canvas.restoreState()

    return draw


@pytest.mark.parametrize(("text", "angle"), [("DRAFT", 45), ("ENTWURF", 60), ("CONFIDENTIAL", 45), ("DRAFT", 0)])
def test_a_watermark_is_set_aside_and_the_text_under_it_stays(text: str, angle: float, tmp_path: Path) -> None:
    pages = [column(72, 90, 50, 50 * page) for page in range(4)]
    found = read(tmp_path, pages, watermark(text, 80, angle))
    result = built(found)
    assert [(line.text, line.reason, line.repeats) for line in result.removed] == [(text, "watermark", 4)] * 4
    assert said(result).split() == [word for page in pages for put in page for word in put.text.split()]


def test_a_watermark_drawn_after_a_word_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "doc.pdf"
    canvas = Canvas(str(path), pagesize=(WIDTH, HEIGHT), invariant=1)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(90, 300, "Datum: 13.3.2026")
    watermark("ENTWURF", 84, 45)(canvas)
    canvas.save()
    assert [word.text for word in reading(path).pages[0].words] == ["Datum:", "13.3.2026", "ENTWURF"]


def test_slanted_words_of_a_chart_stay(tmp_path: Path) -> None:
    result = built(read(tmp_path, [column(72, 90, 20)], watermark("Northern region", 9, 45, 600)))
    assert result.removed == ()
    assert "Northern region" in said(result)


def test_bates_numbers_rise_from_page_to_page(tmp_path: Path) -> None:
    pages = [[*column(72, 90, 40, 50 * page), Put(480, 800, f"NVK{page + 98:07d}", 8)] for page in range(3)]
    result = built(read(tmp_path, pages))
    assert [(line.text, line.reason, line.repeats) for line in result.removed] == [
        ("NVK0000098", "Bates number", 3),
        ("NVK0000099", "Bates number", 3),
        ("NVK0000100", "Bates number", 3),
    ]


def test_a_number_that_does_not_rise_is_no_bates_number(tmp_path: Path) -> None:
    pages = [
        [*column(72, 90, 40, 50 * page), Put(480, 800, number, 8)] for page, number in enumerate(("A00017", "B00391"))
    ]
    assert built(read(tmp_path, pages)).removed == ()


@pytest.mark.parametrize(
    "text",
    [
        "DRAFT", "Draft 12/3/2026", "[Draft of 12 March 2026]", "Execution Version", "K&B Draft 12/3/26",
        "ENTWURF", "Entwurf vom 12.3.2026", "NACRT", "Projet du 12 mars 2026",
    ],
)  # fmt: skip
def test_a_draft_stamp_at_the_head_of_the_first_page_is_set_aside(text: str, tmp_path: Path) -> None:
    result = built(read(tmp_path, [[Put(400, 50, text), *column(72, 90, 40)]]))
    assert [(line.text, line.reason) for line in result.removed] == [(text, "draft stamp")]


@pytest.mark.parametrize(
    "text", ["Draft Horses of Norvik", "The draft is sent on 12 March.", "Drafts", "Projects 2026"]
)
def test_a_line_about_drafts_stays(text: str, tmp_path: Path) -> None:
    assert built(read(tmp_path, [[Put(72, 50, text), *column(72, 90, 40)]])).removed == ()


def signed(*lines: str, font: str, step: float = 16) -> list[Put]:
    return [Put(72, 480 + step * at, text, 10, font) for at, text in enumerate(lines)]


BLOCKS = (
    ("NORVIK LTD", "By: Ana Norvik", "Name: Ana Norvik", "Title: Director", "Date: 12 March 2026"),
    ("For and on behalf of Norvik Ltd", "Name: Ana Norvik", "Title: Director", "Date: 12 March 2026"),
    ("NORVIK LTD", "/s/ Ana Norvik", "Ana Norvik"),
    ("Für die Norvik GmbH", "Name: Ana Norvik", "Funktion: Geschäftsführerin", "Ort, Datum: Köln, 12. März 2026"),
    ("Norvik GmbH", "Unterschrift: __________", "Name: Ana Norvik", "Funktion: Geschäftsführerin"),
    ("Za Naručioca:", "____________________", "Ana Norvik, direktor"),
    ("U ime i za račun Norvik d.o.o.", "Potpis:", "Ime i prezime: Ana Norvik", "Funkcija: direktor"),
    ("У име и за рачун Норвик д.о.о.", "Потпис: __________", "Име и презиме: Ана Норвик", "Функција: директор"),
    ("Pour Norvik SARL", "Nom : Ana Norvik", "Qualité : Gérante", "Date : 12 mars 2026", "Signature :"),
)


@pytest.mark.parametrize("block", BLOCKS, ids=[block[0] for block in BLOCKS])
def test_signature_blocks_go_to_the_ledger_with_their_party(block: tuple[str, ...], face: str, tmp_path: Path) -> None:
    result = built(read(tmp_path, [[*column(72, 90, 20), *signed(*block, font=face)]]))
    assert [(line.text, line.reason) for line in result.removed] == [(text, "signature block") for text in block]


def test_a_signature_after_by_stands_on_a_rule_of_its_own_line(tmp_path: Path, face: str) -> None:
    block = ("Norvik Ltd", "By:", "________________________", "P. Norvik")
    result = built(read(tmp_path, [[*column(72, 90, 20), *signed(*block, font=face, step=13)]]))
    assert set_aside(result, "signature block") == list(block)


def test_notes_about_pages_are_set_aside_and_clauses_about_them_stay(tmp_path: Path, face: str) -> None:
    notes = ("[Signature Page to Supply Agreement]", "[Remainder of page intentionally left blank]")
    clauses = ("Signature pages to this agreement may be sent as copies", "The potpis is a signature.")
    pages = [[*column(72, 90, 20, 30 * n), *signed(*notes, font=face, step=40)] for n in range(2)]
    pages.append([*column(72, 90, 20), *signed(*clauses, font=face, step=40)])
    result = built(read(tmp_path, pages))
    assert [(line.text, line.reason, line.repeats) for line in result.removed] == [
        (text, "note about the page", 2) for text in notes
    ] * 2


STAMPS = (
    ("DocuSigned by:", "Ana Norvik", "3F2A9B1C4D5E4F6..."),
    ("Digitally signed by Ana Norvik", "Date: 2026.03.12 10:22:11 +01'00'"),
    ("Digital unterschrieben von Ana Norvik", "Datum: 2026.03.12 10:22:11 +01'00'"),
    ("Дигитално потписао Ана Норвик", "Датум: 12.3.2026."),
    ("Signé électroniquement par Ana Norvik", "Date : 12/03/2026"),
)


@pytest.mark.parametrize("stamp", STAMPS, ids=[stamp[0] for stamp in STAMPS])
def test_electronic_signatures_have_their_own_reason(stamp: tuple[str, ...], face: str, tmp_path: Path) -> None:
    result = built(read(tmp_path, [[*column(72, 90, 20), *signed(*stamp, font=face, step=12)]]))
    assert [(line.text, line.reason) for line in result.removed] == [(text, "e-signature stamp") for text in stamp]


def test_an_envelope_id_over_every_page_is_an_electronic_signature(tmp_path: Path) -> None:
    line = "DocuSign Envelope ID: 3F2A9B1C-4D5E-4F6A-8B7C-1234567890AB"
    pages = [[Put(72, 40, line, 7), *column(72, 90, 40, 50 * page)] for page in range(3)]
    assert [(line.reason, line.repeats) for line in built(read(tmp_path, pages)).removed] == [
        ("e-signature stamp", 3)
    ] * 3


@pytest.mark.parametrize(
    "lines",
    [
        ("If to the Supplier:", "Name: Ana Norvik", "Title: Director", "Email: ana@norvik.example"),
        ("Electronically signed copies of this agreement bind the parties.",),
        ("This clause binds whoever signs for Norvik Ltd.", "Ana Norvik"),
    ],
)
def test_what_only_resembles_a_signature_stays(lines: tuple[str, ...], face: str, tmp_path: Path) -> None:
    assert built(read(tmp_path, [[*column(72, 90, 20), *signed(*lines, font=face)]])).removed == ()


def test_an_exhibit_keeps_its_name_as_a_heading_and_loses_what_its_sheet_says_besides(tmp_path: Path) -> None:
    sheet = [
        Put(260, 380, "EXHIBIT A", 20, BOLD),
        Put(230, 410, "Form of Note", 20, BOLD),
        Put(250, 440, "[see attached]"),
    ]
    pages = [[Put(72, 90, "1. Term", 10, BOLD), *column(72, 110, 40)], sheet, column(72, 90, 40, 60)]
    result = built(read(tmp_path, pages))
    assert [(one.number, one.title, one.page, bool(one.content)) for one in result.sections] == [
        ("1", "Term", 1, True),
        ("EXHIBIT A", "Form of Note", 2, True),
    ]
    assert [(line.text, line.reason) for line in result.removed] == [("[see attached]", "exhibit cover sheet")]


def test_a_sheet_whose_name_is_printed_again_goes_whole(tmp_path: Path, face: str) -> None:
    sheet = [Put(260, 380, "ПРИЛОГ 1", 20, face), Put(250, 440, "Цене", 14, face)]
    annex = [Put(72, 90, "Прилог 1", 16, face), *column(72, 120, 40, 60)]
    result = built(read(tmp_path, [[Put(72, 90, "1. Term", 10, BOLD), *column(72, 110, 40)], sheet, annex]))
    assert [(one.number, one.page) for one in result.sections] == [("1", 1), ("Прилог 1", 3)]
    assert set_aside(result, "exhibit cover sheet") == ["ПРИЛОГ 1", "Цене"]


def test_nothing_is_lost_where_everything_is_stamped(tmp_path: Path, face: str) -> None:
    pages = pleading(3)
    for number, page in enumerate(pages):
        page += [Put(480, 815, f"NVK{number + 1:07d}", 8), Put(400, 40, "Draft 12/3/2026", 9)]
    pages.append([*column(72, 90, 20), *signed(*BLOCKS[0], font=face)])
    found = read(tmp_path, pages, watermark("DRAFT", 90, 45))
    result = built(found)
    assert reasons(result) == {
        "line numbers": 3, "Bates number": 3, "draft stamp": 3, "watermark": 4, "signature block": 5
    }  # fmt: skip
    assert_nothing_is_lost(found, result)


EVERYTHING: tuple[Extra, ...] = ("lines", "bates", "watermark", "draft", "esign", "sheets")


@pytest.mark.parametrize(("language", "numbering"), [("de", "paragraph"), ("sr-Cyrl", "article")])
def test_a_stamped_agreement_keeps_every_clause_word(language: Tongue, numbering: Numbering, tmp_path: Path) -> None:
    options = AgreementOptions(
        seed=31, pages=36, language=language, numbering=numbering, vary=True, name="stamped", extras=EVERYTHING
    )
    files = agreement.write(tmp_path, options)
    truth = json.loads(files.truth.read_text(encoding="utf-8"))
    result = built(reading(files.pdf), replace(PLAIN, by_bookmarks=False))
    assert words(line.text for line in result.removed) == words(line["text"] for line in truth["boilerplate"])
    found = [(one.number, one.title, one.level, one.page, one.anchor) for one in result.sections]
    assert found == [
        (one["number"], one["title"], one["level"], one["page"], one["anchor"]) for one in truth["sections"]
    ]
    told = {(fact.name, fact.value) for fact in facts.find(result.removed)}
    assert [fact for fact in truth["facts"] if (fact["name"], fact["value"]) not in told] == []
    assert {line["reason"] for line in truth["boilerplate"]} >= {
        "line numbers", "bates", "watermark", "draft", "e-signature", "exhibit sheet"
    }  # fmt: skip
