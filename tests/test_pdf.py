"""Words as PDFium gives them: places, sizes, rotation, crops, health; and what is refused."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from pipeline import ocr, worker
from pipeline.model import Damaged, DocumentError, Locked, NotAPdf, Reading
from pipeline.profiles import ReadingProfile
from tests.draw import HEIGHT, WIDTH, Put, pdf, reading


def texts(read: Reading) -> list[str]:
    return [word.text for page in read.pages for word in page.words]


def test_a_word_has_its_box_size_font_and_weight(tmp_path: Path) -> None:
    read = reading(pdf(tmp_path / "a.pdf", [[Put(100, 200, "Total", 12, "Helvetica-Bold"), Put(100, 230, "plain", 9)]]))
    total, plain = read.pages[0].words
    assert (total.text, total.size, total.font, total.bold, total.italic) == (
        "Total",
        12,
        "Helvetica-Bold",
        True,
        False,
    )
    assert total.box.x0 == pytest.approx(100.9, abs=1)
    assert total.box.top < 200 < total.box.bottom
    assert total.box.top == pytest.approx(190, abs=3)
    assert (plain.size, plain.bold, plain.rotation) == (9, False, 0)


def test_size_comes_through_the_text_matrix(tmp_path: Path) -> None:
    path = tmp_path / "scaled.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    text = canvas.beginText()
    text.setFont("Helvetica", 1)
    text.setTextTransform(14, 0, 0, 14, 100, 500)
    text.textOut("Scaled")
    canvas.drawText(text)
    canvas.save()
    assert [(word.text, word.size) for word in reading(path).pages[0].words] == [("Scaled", 14)]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_those_of_the_page_as_displayed(tmp_path: Path, turn: int) -> None:
    source = pdf(tmp_path / "upright.pdf", [[Put(72, 100, "Corner")]])
    with pikepdf.open(source) as document:
        document.pages[0].Rotate = turn
        document.save(tmp_path / "turned.pdf")
    page = reading(tmp_path / "turned.pdf").pages[0]
    word = page.words[0]
    assert (page.width, page.height) == pytest.approx((WIDTH, HEIGHT) if turn in (0, 180) else (HEIGHT, WIDTH), abs=0.1)
    assert word.rotation == turn
    near = {0: (72, 100), 90: (HEIGHT - 100, 72), 180: (WIDTH - 72, HEIGHT - 100), 270: (100, WIDTH - 72)}[turn]
    edge = {
        0: (word.box.x0, word.box.bottom),
        90: (word.box.x0, word.box.top),
        180: (word.box.x1, word.box.top),
        270: (word.box.x1, word.box.bottom),
    }[turn]
    assert edge == pytest.approx(near, abs=4)


def test_words_have_the_colour_they_are_filled_with(tmp_path: Path) -> None:
    path = pdf(
        tmp_path / "a.pdf",
        [
            [
                Put(72, 100, "Black"),
                Put(72, 130, "Teal", colour=0x0B5D5E),
                Put(72, 160, "Red", 10, "Helvetica", 0xC00000),
            ]
        ],
    )
    page = reading(path).pages[0]
    assert [(word.text, word.colour) for word in page.words] == [("Black", 0), ("Teal", 0x0B5D5E), ("Red", 0xC00000)]
    assert len(page.fonts) == 3


def test_a_word_in_two_colours_is_one_word(tmp_path: Path) -> None:
    width = stringWidth("Black", "Helvetica", 10)
    path = pdf(tmp_path / "a.pdf", [[Put(72, 100, "Black"), Put(72 + width, 100, "berry", colour=0xC00000)]])
    assert [word.text for word in reading(path).pages[0].words] == ["Blackberry"]


def test_a_cropped_page_starts_at_its_crop_box(tmp_path: Path) -> None:
    source = pdf(tmp_path / "whole.pdf", [[Put(100, 100, "Inside")]])
    with pikepdf.open(source) as document:
        document.pages[0].CropBox = pikepdf.Array([50, 400, 450, float(HEIGHT) - 40])
        document.save(tmp_path / "cropped.pdf")
    page = reading(tmp_path / "cropped.pdf").pages[0]
    assert (page.width, page.height) == pytest.approx((400, HEIGHT - 440), abs=0.1)
    assert page.words[0].box.x0 == pytest.approx(50, abs=1.5)
    assert page.words[0].box.bottom == pytest.approx(62, abs=3)


def test_words_over_a_wide_gap_are_two_and_ligatures_are_letters(tmp_path: Path) -> None:
    page = [Put(72, 100, "left"), Put(300, 100, "right"), Put(72, 130, "state-of-the-art X-204 1.234,56-")]
    read = reading(pdf(tmp_path / "gap.pdf", [page]))
    assert texts(read) == ["left", "right", "state-of-the-art", "X-204", "1.234,56-"]


def test_a_spaced_out_title_is_read_as_words(tmp_path: Path) -> None:
    page = [
        Put(72, 100, "T E R M I N A T I O N   O F   C O N T R A C T"),
        Put(72, 130, "A B"),
        Put(72, 160, "1 2 3 4 5"),
    ]
    read = reading(pdf(tmp_path / "spaced.pdf", [page]))
    assert texts(read) == ["TERMINATION", "OF", "CONTRACT", "A", "B", "1", "2", "3", "4", "5"]


def test_a_word_broken_at_a_hyphen_is_two_words_on_two_lines(tmp_path: Path) -> None:
    page = [Put(72, 100, "a clause for exam-"), Put(72, 112, "ple and a state-of-the-"), Put(72, 124, "art tool")]
    read = reading(pdf(tmp_path / "hyphen.pdf", [page]))
    assert texts(read) == ["a", "clause", "for", "exam-", "ple", "and", "a", "state-of-the-", "art", "tool"]
    assert all(word.box.height < 16 for word in read.pages[0].words)


def test_overprinted_bold_is_read_once(tmp_path: Path) -> None:
    page = [Put(72 + shift, 100, "Total 12.345,60") for shift in (0, 0.3, 0.6)]
    assert texts(reading(pdf(tmp_path / "over.pdf", [page]))) == ["Total", "12.345,60"]


def test_skewed_and_turned_text_is_whole_and_marked(tmp_path: Path) -> None:
    path = tmp_path / "skewed.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    for angle, text in ((30, "Draft copy"), (90, "Margin note")):
        canvas.saveState()
        canvas.translate(300, 400)
        canvas.rotate(angle)
        canvas.drawString(0, 0, text)
        canvas.restoreState()
    canvas.save()
    words = reading(path).pages[0].words
    assert [(word.text, word.rotation) for word in words] == [
        ("Draft", 330),
        ("copy", 330),
        ("Margin", 270),
        ("note", 270),
    ]


def test_a_raised_note_marker_is_a_word_of_its_own(tmp_path: Path) -> None:
    page = [Put(72, 100, "1.234,56"), Put(111, 96, "2", 6)]
    assert texts(reading(pdf(tmp_path / "note.pdf", [page]))) == ["1.234,56", "2"]


def test_form_fields_and_notes_are_read_as_words(tmp_path: Path) -> None:
    path = tmp_path / "form.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(72, 700, "Name")
    canvas.acroForm.textfield(name="name", value="Milica 42", x=120, y=690, width=200, height=20)
    canvas.save()
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.FreeText,
            Rect=[72, 400, 300, 420],
            Contents="Checked twice",
            DA="/Helv 10 Tf 0 g",
        )
        document.pages[0].Annots.append(document.make_indirect(note))
        document.save(path)
    words = reading(path).pages[0].words
    assert [word.text for word in words] == ["Name", "Milica", "42", "Checked", "twice"]
    assert words[1].box.x0 == pytest.approx(122, abs=3)


def test_actual_text_stands_for_what_is_drawn(tmp_path: Path) -> None:
    source = pdf(tmp_path / "plain.pdf", [[Put(72, 100, "Scopx of work")]])
    shown = b"(Scopx of work) Tj"
    with pikepdf.open(source) as document:
        content = document.pages[0].Contents.read_bytes()
        marked = b"/Span <</ActualText (Scope of work)>> BDC " + shown + b" EMC"
        document.pages[0].Contents = document.make_stream(content.replace(shown, marked))
        document.save(tmp_path / "actual.pdf")
    assert texts(reading(tmp_path / "actual.pdf")) == ["Scope", "of", "work"]


def test_bookmarks_have_level_page_and_height(tmp_path: Path) -> None:
    path = tmp_path / "marks.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawString(72, HEIGHT - 100, "One")
    canvas.bookmarkHorizontal("one", 0, HEIGHT - 90)
    canvas.addOutlineEntry("One", "one", 0)
    canvas.showPage()
    canvas.drawString(72, HEIGHT - 100, "Two")
    canvas.bookmarkHorizontal("two", 0, HEIGHT - 90)
    canvas.addOutlineEntry("Two  a", "two", 1)
    canvas.showPage()
    canvas.save()
    marks = reading(path).bookmarks
    assert [(mark.title, mark.level, mark.page) for mark in marks] == [("One", 1, 1), ("Two a", 2, 2)]
    assert marks[0].top == pytest.approx(90, abs=0.5)


def scanned(path: Path, source: Path, page: int = 1) -> Path:
    """The page as a picture and nothing else."""
    picture = path.with_suffix(".png")
    picture.write_bytes(worker.render(source, page, 200))
    canvas = Canvas(str(path), pagesize=A4)
    canvas.drawImage(ImageReader(str(picture)), 0, 0, WIDTH, HEIGHT)
    canvas.save()
    return path


def test_a_scanned_page_without_ocr_says_so_and_is_not_silently_empty(tmp_path: Path) -> None:
    source = pdf(tmp_path / "source.pdf", [[Put(72, 100, "Invoice 2025-0418", 14)]])
    read = reading(scanned(tmp_path / "scan.pdf", source))
    assert read.document.kind == "scanned"
    assert read.pages[0].health == 0
    assert read.pages[0].reasons == (
        "no text; pictures cover 100% of the page",
        "the page needs OCR, and the profile switches OCR off",
    )


def test_a_scanned_page_is_read_by_ocr_with_boxes_in_points(tmp_path: Path) -> None:
    if "eng" not in ocr.installed():
        pytest.skip("Tesseract's English is not installed on this machine")
    source = pdf(tmp_path / "source.pdf", [[Put(72, 100, "Invoice 2025-0418", 14), Put(72, 140, "Total 1.234,56", 14)]])
    read = worker.read(scanned(tmp_path / "scan.pdf", source), ReadingProfile(languages=("eng",)))
    page = read.pages[0]
    assert page.origin == "ocr"
    assert [word.text for word in page.words] == ["Invoice", "2025-0418", "Total", "1.234,56"]
    assert page.words[0].box.x0 == pytest.approx(73, abs=2)
    assert page.words[0].box.bottom == pytest.approx(100, abs=2)
    assert all(0.5 < word.confidence <= 1 for word in page.words)


def test_languages_that_are_not_installed_are_named(tmp_path: Path) -> None:
    source = pdf(tmp_path / "source.pdf", [[Put(72, 100, "Text", 14)]])
    read = worker.read(scanned(tmp_path / "scan.pdf", source), ReadingProfile(languages=("xyz",)))
    assert len(read.pages[0]) == 0
    assert "needs OCR" in read.pages[0].reasons[1]


def test_the_kind_is_mixed_where_pages_differ(tmp_path: Path) -> None:
    source = pdf(tmp_path / "source.pdf", [[Put(72, 100, "Text", 14)]])
    with pikepdf.open(source) as first, pikepdf.open(scanned(tmp_path / "scan.pdf", source)) as second:
        first.pages.append(second.pages[0])
        first.save(tmp_path / "mixed.pdf")
    assert reading(tmp_path / "mixed.pdf").document.kind == "mixed"


def encrypted(tmp_path: Path) -> Path:
    source = pdf(tmp_path / "open.pdf", [[Put(72, 100, "Secret")]])
    with pikepdf.open(source) as document:
        document.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="owner", user="user"))
    return tmp_path / "locked.pdf"


def emptied(tmp_path: Path) -> Path:
    with pikepdf.new() as document:
        document.save(tmp_path / "none.pdf")
    return tmp_path / "none.pdf"


def written(content: bytes) -> object:
    def write(tmp_path: Path) -> Path:
        (tmp_path / "file.pdf").write_bytes(content)
        return tmp_path / "file.pdf"

    return write


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (written(b""), NotAPdf, "The file is empty (0 bytes)"),
        (written(b"\x89PNG\r\n\x1a\n" + bytes(100)), NotAPdf, "a PNG picture"),
        (written(b"<html>hello</html>"), NotAPdf, "a web page"),
        (written(b"%PDF-1.7\nnothing here"), Damaged, "no page that can be read"),
        (encrypted, Locked, "locked with a password"),
        (emptied, Damaged, "no page that can be read"),
        (lambda tmp_path: tmp_path / "absent.pdf", DocumentError, "No such file"),
        (lambda tmp_path: tmp_path, DocumentError, "a folder"),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_line(
    tmp_path: Path, make: object, kind: type[DocumentError], says: str
) -> None:
    assert callable(make)
    with pytest.raises(kind, match=says.replace("(", r"\(").replace(")", r"\)")) as refused:
        reading(make(tmp_path))
    assert "\n" not in str(refused.value)


def test_a_truncated_file_gives_its_words_or_one_line(tmp_path: Path, samples: Path) -> None:
    whole = (samples / "statement.pdf").read_bytes()
    path = tmp_path / "cut.pdf"
    path.write_bytes(whole[: len(whole) // 2])
    try:
        assert texts(reading(path))
    except DocumentError as error:
        assert "\n" not in str(error)


def test_a_page_larger_than_any_page_may_be_is_reported(tmp_path: Path) -> None:
    source = pdf(tmp_path / "a.pdf", [[Put(72, 100, "Text")]] * 2)
    with pikepdf.open(source) as document:
        document.pages[0].MediaBox = pikepdf.Array([0, 0, 600, 2_000_000])
        document.save(tmp_path / "tall.pdf")
        document.pages[1].MediaBox = pikepdf.Array([0, 0, 600, 2_000_000])
        document.save(tmp_path / "taller.pdf")
    read = reading(tmp_path / "tall.pdf")
    assert read.pages[0].reasons == ("the page is 600 × 2000000 points; the limit is 14400",)
    assert read.pages[1].text == "Text"
    with pytest.raises(Damaged, match="No page of the PDF can be read: the page is 600 × 2000000 points"):
        reading(tmp_path / "taller.pdf")


def test_tagged_headings_stand_in_for_an_outline(tmp_path: Path) -> None:
    source = pdf(tmp_path / "plain.pdf", [[Put(72, 100, "Scope of work", 14), Put(72, 130, "Plain text")]])
    with pikepdf.open(source) as document:
        page = document.pages[0]
        shown = b"(Scope of work) Tj"
        content = page.Contents.read_bytes().replace(shown, b"/H2 <</MCID 0>> BDC " + shown + b" EMC")
        page.Contents = document.make_stream(content)
        tree = document.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.StructTreeRoot))
        heading = document.make_indirect(
            pikepdf.Dictionary(Type=pikepdf.Name.StructElem, S=pikepdf.Name.H2, P=tree, Pg=page.obj, K=0)
        )
        tree.K = pikepdf.Array([heading])
        tree.ParentTree = pikepdf.Dictionary(Nums=pikepdf.Array([0, pikepdf.Array([heading])]))
        page.obj.StructParents = 0
        document.Root.StructTreeRoot = tree
        document.Root.MarkInfo = pikepdf.Dictionary(Marked=True)
        document.save(tmp_path / "tagged.pdf")
    marks = reading(tmp_path / "tagged.pdf").bookmarks
    assert [(mark.title, mark.level, mark.page) for mark in marks] == [("Scope of work", 2, 1)]
    assert marks[0].top == pytest.approx(90, abs=4)
