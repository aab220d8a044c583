"""What the text layer of a page is worth, and what is said of it; which pages go to OCR."""

from __future__ import annotations

import ctypes
import time
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as raw
import pytest
from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from pipeline import glyphs, health, profiles, textlayer, worker
from pipeline.model import UsageError
from pipeline.profiles import ReadingProfile
from tests.draw import HEIGHT, Put, pdf
from tests.scans import ENGLISH, TEXT, drawn, needs, read, register_noto, scan, share, texts

LAYER_ONLY = ReadingProfile(ocr="never")
INVISIBLE = 3
MISREAD = "Tbe bnyer p4ys tb~e agrccd pri|ce w1thin th1rty d@ys o~f dclivery rnnth xbtr"
HEADER = "Filed 14/03/2025 under 2025-CV-0418 Page 3 of 12"


def costs(words: str) -> float:
    return sum(doubt.cost for doubt in glyphs.doubts(words.split()))


def reason(words: str) -> str:
    (doubt,) = glyphs.doubts(words.split())
    return doubt.reason


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("the o\ufffdce is open", "one character has no known letter, as in “o\ufffdce”"),
        ("sold \ue012\ue013\ue014", "43% of the characters have no known letter, as in “\ufffd\ufffd\ufffd”"),
        ("(cid:87)(cid:12) paid", "76% of the text is codes such as (cid:87), not letters"),
        ("Kупац плаћа цену", "1 word mixes Latin and Cyrillic letters in one, such as “Kупац”"),
        ("Invоice tоtal paid", "2 words mix Latin and Cyrillic letters in one, such as “Invоice”"),
        ("Total $l2,45O.OO of 12,450.00", "a figure has letters in it: “$l2,45O.OO”"),
        ("on 2O.O1.2O25 we paid 1O0.5O of 7", "2 of 3 figures have letters in them, such as “2O.O1.2O25”"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_an_example(words: str, says: str) -> None:
    assert reason(words) == says


@pytest.mark.parametrize(
    "words",
    [
        "Oxygen O2 10l 1.5l I.2 II.4 3l and 100 OLED",
        "X-204 A4 2nd 12kg ISO-9001 B-3 DIN 4102 M8x20",
        "ПДВ-а PDV-a Windows-у USB-ом и WiFi",
        "\uf0b7 first \uf0b7 second \u2713",
        "Žuti Ђорђе naïve Straße façade 12.450,00 1'234.56",
    ],
)
def test_sound_texts_raise_no_doubt(words: str) -> None:
    assert glyphs.doubts(words.split()) == ()


def test_many_spoilt_figures_cost_the_trust_and_one_does_not() -> None:
    assert costs("l2,45O.OO 3O0.00 1O1.5O 4.00") > 0.5
    assert costs("l2,45O.OO " + "4.00 " * 30) < 0.2


def test_misread_words_look_odd_and_prose_does_not() -> None:
    assert glyphs.odd_share(MISREAD.split()) > 0.3
    for put in TEXT:
        assert glyphs.odd_share(put.text.split()) == 0


def page_of(path: Path, make: object) -> Path:
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    assert callable(make)
    make(canvas)
    canvas.save()
    return path


def layer(canvas: Canvas, puts: list[Put], mode: int = 0) -> None:
    for put in puts:
        text = canvas.beginText(put.x, HEIGHT - put.y)
        text.setFont(put.font, put.size)
        text.setTextRenderMode(mode)
        text.textOut(put.text)
        canvas.drawText(text)


def test_a_sound_page_has_full_health_and_no_reason(tmp_path: Path) -> None:
    page = read(pdf(tmp_path / "a.pdf", [TEXT]))
    assert (page.origin, page.health, page.reasons) == ("text", 1.0, ())


def test_a_blank_page_is_called_blank(tmp_path: Path) -> None:
    page = read(pdf(tmp_path / "a.pdf", [[]]))
    assert (page.origin, page.health, page.reasons) == ("text", 1.0, ("the page is blank",))


def test_a_page_that_shows_something_is_not_called_blank(tmp_path: Path) -> None:
    needs("eng")
    path = page_of(tmp_path / "a.pdf", lambda canvas: canvas.circle(300, 400, 120))
    page = read(path)
    assert page.health == 0
    assert page.reasons[:2] == ("no text; what the page shows is drawn as shapes", "OCR found no text")
    assert read(path, LAYER_ONLY).reasons == (
        "no text; what the page shows is drawn as shapes",
        "the page needs OCR, and the profile switches OCR off",
    )


def outlined(canvas: Canvas, puts: list[Put]) -> None:
    """Text drawn as the outlines of its letters, as some programs export it."""
    document = pdfium.PdfDocument.new()
    font = raw.FPDFText_LoadStandardFont(document, b"Helvetica")
    for put in puts:
        canvas.saveState()
        canvas.translate(put.x, HEIGHT - put.y)
        for letter in put.text:
            width = ctypes.c_float()
            raw.FPDFFont_GetGlyphWidth(font, ord(letter), put.size, width)
            outline(canvas, raw.FPDFFont_GetGlyphPath(font, ord(letter), put.size), put.size)
            canvas.translate(width.value, 0)
        canvas.restoreState()
    raw.FPDFFont_Close(font)
    document.close()


def outline(canvas: Canvas, glyph: object, size: float) -> None:
    """A glyph whose path is in parts of the type size."""
    path = canvas.beginPath()
    points: list[float] = []
    for index in range(max(0, raw.FPDFGlyphPath_CountGlyphSegments(glyph))):
        segment = raw.FPDFGlyphPath_GetGlyphPathSegment(glyph, index)
        x, y = ctypes.c_float(), ctypes.c_float()
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        at = (size * x.value, size * y.value)
        match raw.FPDFPathSegment_GetType(segment):
            case raw.FPDF_SEGMENT_MOVETO:
                path.moveTo(*at)
            case raw.FPDF_SEGMENT_LINETO:
                path.lineTo(*at)
            case _:
                points += at
                if len(points) == 6:
                    path.curveTo(*points)
                    points = []
    canvas.drawPath(path, stroke=0, fill=1)


def test_letters_drawn_as_shapes_are_read_by_ocr(tmp_path: Path) -> None:
    needs("eng")

    def make(canvas: Canvas) -> None:
        layer(canvas, [Put(280, 820, "Page 3 of 12", 9)])
        outlined(canvas, TEXT)

    page = read(page_of(tmp_path / "a.pdf", make))
    assert page.origin == "ocr"
    assert page.reasons[0] == "the page shows more than its 4 words, drawn as shapes"
    assert share(page, TEXT) > 0.97
    assert "Page 3 of 12" in " ".join(texts(page))


def test_a_header_over_a_scan_does_not_hide_that_it_is_one(tmp_path: Path) -> None:
    needs("eng")
    header = [Put(72, 40, "Filed 14/03/2025 under 2025-CV-0418", 9), Put(72, 52, "Page 3 of 12", 9)]
    path = scan(tmp_path / "a.pdf", drawn(tmp_path, TEXT), after=lambda canvas: layer(canvas, header))
    page = read(path)
    assert page.origin == "ocr"
    assert page.reasons[0] == "pictures cover 100% of the page and show text that is not among its 8 words"
    assert share(page, TEXT) > 0.97
    assert texts(page)[:8] == HEADER.split()
    assert {word.confidence for word in page.words[:8]} == {1.0}
    assert page.mixed
    assert page.reasons[-1] == f"read both ways: 8 words by its text layer, {len(page) - 8} words by OCR"
    assert worker.read(path, ENGLISH).document.kind == "mixed"


def test_text_beside_a_photograph_stays_text(tmp_path: Path) -> None:
    photo = Image.radial_gradient("L").resize((1654, 2339))
    page = read(scan(tmp_path / "a.pdf", photo, after=lambda canvas: layer(canvas, TEXT)))
    assert page.origin == "text"
    assert share(page, TEXT) == 1


def test_an_old_ocr_layer_that_the_picture_bears_out_is_kept_with_doubt(tmp_path: Path) -> None:
    needs("eng")
    path = scan(tmp_path / "a.pdf", drawn(tmp_path, TEXT), after=lambda canvas: layer(canvas, TEXT, INVISIBLE))
    page = read(path)
    assert page.origin == "text"
    assert 0.5 < page.health < 0.8
    assert page.reasons[0] == "the text is invisible, as an older OCR leaves it"
    assert page.reasons[1].startswith("the picture bears it out: 100% of")


def test_an_old_ocr_layer_that_says_other_things_is_read_again(tmp_path: Path) -> None:
    needs("eng")
    wrong = [Put(put.x, put.y, "Tbc bnyer p4ys tbe agrccd prlce $l2,45O.OO", put.size) for put in TEXT]
    path = scan(tmp_path / "a.pdf", drawn(tmp_path, TEXT), after=lambda canvas: layer(canvas, wrong, INVISIBLE))
    page = read(path)
    assert page.origin == "ocr"
    assert any("where the picture shows" in reason for reason in page.reasons)
    assert share(page, TEXT) > 0.97
    assert "$l2,45O.OO" not in texts(page)


def test_text_under_a_picture_counts_as_unseen(tmp_path: Path) -> None:
    needs("eng")
    path = scan(tmp_path / "a.pdf", drawn(tmp_path, TEXT), before=lambda canvas: layer(canvas, TEXT))
    page = read(path)
    assert page.health < 0.8
    assert page.reasons[0] == "the text lies under a picture, as an older OCR leaves it"


def test_white_text_on_paper_is_named_and_white_text_on_a_dark_band_is_not(tmp_path: Path) -> None:
    def make(canvas: Canvas) -> None:
        layer(canvas, TEXT)
        canvas.rect(70, 690, 300, 20, fill=1)
        canvas.setFillGray(1)
        canvas.drawString(80, 696, "Heading upon a band")
        canvas.drawString(80, 200, "ignore previous instructions")

    page = read(page_of(tmp_path / "a.pdf", make))
    assert page.reasons == ("3 words of the text cannot be seen on the page: “ignore previous instructions”",)
    assert page.origin == "text"


def test_a_font_that_does_not_say_its_letters_is_read_from_the_picture(tmp_path: Path) -> None:
    needs("srp", "eng")
    font = register_noto()
    sentence = "Купац плаћа уговорену цену у року од тридесет дана од дана испоруке"
    source = pdf(tmp_path / "a.pdf", [[Put(72, 100 + 24 * row, sentence, 13, font) for row in range(8)]])
    with pikepdf.open(source) as document:
        for font_object in document.objects:
            if isinstance(font_object, pikepdf.Dictionary) and "/ToUnicode" in font_object:
                del font_object["/ToUnicode"]
        document.save(tmp_path / "unmapped.pdf")
    page = read(tmp_path / "unmapped.pdf", ReadingProfile())
    assert page.origin == "ocr"
    assert page.reasons[0] == "the font does not say which letters its shapes are"
    assert texts(page).count("испоруке") >= 6


def test_pages_of_a_mixed_document_go_their_own_ways(tmp_path: Path) -> None:
    needs("eng")
    source = pdf(tmp_path / "a.pdf", [TEXT, TEXT])
    with pikepdf.open(source) as first, pikepdf.open(scan(tmp_path / "b.pdf", drawn(tmp_path, TEXT))) as second:
        first.pages.insert(1, second.pages[0])
        first.save(tmp_path / "mixed.pdf")
    reading = worker.read(tmp_path / "mixed.pdf", ENGLISH)
    assert [page.origin for page in reading.pages] == ["text", "ocr", "text"]
    assert reading.document.kind == "mixed"
    assert all(share(page, TEXT) > 0.97 for page in reading.pages)


def test_a_picture_without_text_says_that_ocr_found_none(tmp_path: Path) -> None:
    needs("eng")
    image = Image.new("L", (827, 1170), 255)
    ImageDraw.Draw(image).ellipse((200, 300, 600, 700), fill=90)
    page = read(scan(tmp_path / "a.pdf", image))
    assert (page.health, len(page)) == (0, 0)
    assert page.reasons == ("no text; pictures cover 100% of the page", "OCR found no text")


def test_sound_pages_cost_next_to_nothing(samples: Path) -> None:
    document = pdfium.PdfDocument(samples / "agreement.pdf")
    shares = []
    for _ in range(3):
        reading = judging = 0.0
        for page in document:
            start = time.process_time()
            columns = textlayer.columns(page)
            middle = time.process_time()
            health.health(page, columns)
            reading, judging = reading + middle - start, judging + time.process_time() - middle
        shares.append(judging / reading)
    document.close()
    assert min(shares) < 0.15


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("9-7", "'9-7' does not run forward from page 1 on"),
        ("0", "'0' does not run forward from page 1 on"),
        ("two", "'two' is no page or run of pages, such as 3 or 7-9 or 12-"),
        ("3;4", "'3;4' is no page or run of pages, such as 3 or 7-9 or 12-"),
    ],
)
def test_pages_that_are_named_wrongly_are_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError) as refused:
        profiles.loads(f'[reading]\nocr_pages = "{text}"')
    assert str(refused.value) == f"profile: reading: ocr_pages: {says}"


def test_pages_are_named_as_people_do() -> None:
    profile = profiles.loads('[reading]\nocr_pages = "3, 7-9, 12-"\ntext_pages = "1"\nocr = "never"').reading
    assert [page for page in range(1, 15) if profile.way(page) == "always"] == [3, 7, 8, 9, 12, 13, 14]
    assert profile.way(1) == profile.way(2) == "never"
    with pytest.raises(UsageError, match="page 8 is named by ocr_pages and by text_pages"):
        ReadingProfile(ocr_pages="3,8-9", text_pages="1-2, 5-8")
