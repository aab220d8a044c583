"""Words from pictures: askew, turned, coarse, in other languages; places, confidence, what is left out and said."""

from __future__ import annotations

import math
import os
import time
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline import layout, worker
from pipeline.model import Page, Word
from pipeline.profiles import ReadingProfile
from tests.draw import HEIGHT, WIDTH, Put, pdf
from tests.scans import ENGLISH, TEXT, drawn, needs, picture, read, register_noto, scan, share, texts

FREE = ReadingProfile()


def word(words: tuple[Word, ...], text: str) -> Word:
    return next(word for word in words if word.text == text)


def turned(x: float, y: float, angle: float, size: tuple[float, float] = (WIDTH, HEIGHT)) -> tuple[float, float]:
    """Where a point of an upright page comes to lie when the page is turned clockwise about its middle."""
    turn = math.radians(angle)
    across, down = x - WIDTH / 2, y - HEIGHT / 2
    return (
        size[0] / 2 + across * math.cos(turn) - down * math.sin(turn),
        size[1] / 2 + across * math.sin(turn) + down * math.cos(turn),
    )


@pytest.mark.parametrize("angle", [-6.0, -1.5, 3.0])
def test_a_page_that_is_askew_is_read_and_its_words_stay_in_their_places(tmp_path: Path, angle: float) -> None:
    needs("eng")
    straight = read(scan(tmp_path / "straight.pdf", drawn(tmp_path, TEXT)))
    image = drawn(tmp_path, TEXT).rotate(-angle, Image.Resampling.BICUBIC, fillcolor=255)
    page = read(scan(tmp_path / "askew.pdf", image))
    assert share(page, TEXT) > 0.97
    for text in ("2025-0418", "1,234.56", "writing"):
        before, after = word(straight.words, text), word(page.words, text)
        assert after.box.middle == pytest.approx(turned(*before.box.middle, angle), abs=1.5)
        assert after.rotation == round(angle) % 360
    assert f"the text is {abs(angle):.1f}° askew and was straightened for reading" in page.reasons


@pytest.mark.parametrize(("turn", "how"), [(90, "to the right"), (180, "upside down"), (270, "to the left")])
def test_a_page_scanned_the_wrong_way_is_read_in_its_place(tmp_path: Path, turn: int, how: str) -> None:
    needs("eng")
    straight = read(scan(tmp_path / "straight.pdf", drawn(tmp_path, TEXT)))
    page = read(scan(tmp_path / "turned.pdf", drawn(tmp_path, TEXT).rotate(-turn, expand=True)))
    size = (WIDTH, HEIGHT) if turn == 180 else (HEIGHT, WIDTH)
    assert (page.width, page.height) == pytest.approx(size, abs=0.1)
    assert share(page, TEXT) > 0.97
    before, after = word(straight.words, "2025-0418"), word(page.words, "2025-0418")
    assert after.box.middle == pytest.approx(turned(*before.box.middle, turn, size), abs=1.5)
    assert {found.rotation for found in page.words} == {turn}
    assert any(how in reason for reason in page.reasons)


def test_turned_and_askew_at_once(tmp_path: Path) -> None:
    needs("eng")
    image = drawn(tmp_path, TEXT).rotate(-92.5, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
    page = read(scan(tmp_path / "both.pdf", image))
    assert share(page, TEXT) > 0.97
    assert {found.rotation for found in page.words} <= {92, 93}


@pytest.mark.parametrize("angle", [-4.0, -0.2, 1.4, 92.5])
def test_the_lines_of_a_page_that_is_askew_are_whole_and_in_order(tmp_path: Path, angle: float) -> None:
    needs("eng")
    image = drawn(tmp_path, TEXT).rotate(-angle, Image.Resampling.BICUBIC, expand=angle > 45, fillcolor=255)
    lines = layout.lines(read(scan(tmp_path / "scan.pdf", image)))
    right = sum(line.text == put.text for line, put in zip(lines, TEXT, strict=False))
    assert len(lines) == len(TEXT)
    assert right >= len(TEXT) - 2


@pytest.mark.parametrize("dpi", [75, 110, 400])
def test_coarse_and_fine_scans_are_read(tmp_path: Path, dpi: int) -> None:
    needs("eng")
    page = read(scan(tmp_path / "scan.pdf", drawn(tmp_path, TEXT, dpi)))
    assert share(page, TEXT) > (0.85 if dpi == 75 else 0.97)


def test_sizes_of_type_are_those_that_were_set(tmp_path: Path) -> None:
    needs("eng")
    puts = [
        Put(72, 100, "Heading of the page", 20),
        *[Put(72, 150 + 20 * n, put.text, 10) for n, put in enumerate(TEXT)],
    ]
    words = read(scan(tmp_path / "scan.pdf", drawn(tmp_path, puts))).words
    assert word(words, "Heading").size == pytest.approx(20, abs=2)
    assert word(words, "Invoice").size == pytest.approx(10, abs=1)


def test_the_languages_of_a_page_are_found(tmp_path: Path) -> None:
    needs("eng", "deu", "srp", "srp_latn")
    font = register_noto()
    pages = {
        "Überweisung": "Die Überweisung für die Lieferung ist nicht vor dem Ende des Monats fällig und wird geprüft.",
        "испоруке": "Купац плаћа уговорену цену у року од тридесет дана од дана испоруке робе и не пре тога.",
        "plaćanja": "Kupac plaća ugovorenu cenu u roku od trideset dana, a rok plaćanja je naveden na računu.",
        "delivery": "The buyer pays the price that is agreed within thirty days of the delivery of the goods.",
    }
    for text, sentence in pages.items():
        puts = [Put(50, 100 + 24 * index, sentence, 11, font) for index in range(6)]
        page = read(scan(tmp_path / "scan.pdf", drawn(tmp_path, puts)), FREE)
        assert texts(page).count(text) >= 5, sentence


def test_cyrillic_upside_down_is_read(tmp_path: Path) -> None:
    needs("srp", "eng", "osd")
    sentence = "Купац плаћа уговорену цену у року од тридесет дана од дана испоруке робе и не пре тога."
    puts = [Put(50, 100 + 24 * index, sentence, 11, register_noto()) for index in range(10)]
    page = read(scan(tmp_path / "scan.pdf", drawn(tmp_path, puts).rotate(180)), FREE)
    assert texts(page).count("испоруке") >= 8
    assert {found.rotation for found in page.words} == {180}


def test_text_in_a_ruled_table_is_not_passed_over(tmp_path: Path) -> None:
    needs("eng")

    def grid(canvas: Canvas) -> None:
        for row in range(9):
            canvas.line(60, HEIGHT - 200 - 26 * row, 540, HEIGHT - 200 - 26 * row)
        for x in (60, 100, 330, 400, 470, 540):
            canvas.line(x, HEIGHT - 200, x, HEIGHT - 408)

    cells = [
        Put(x, 218 + 26 * row, text, 10)
        for row in range(8)
        for x, text in (
            (70, f"{row + 1}."),
            (110, "Servicing of pumps"),
            (340, "12"),
            (410, "16.240,00"),
            (480, "64.960,00"),
        )
    ]
    source = pdf(tmp_path / "table.pdf", [[*TEXT[:2], *cells]], grid)
    image = picture(source)
    image = image.rotate(0.8, Image.Resampling.BICUBIC, fillcolor=255)
    found = texts(read(scan(tmp_path / "scan.pdf", image)))
    assert found.count("Servicing") == 8
    assert found.count("64.960,00") >= 7


def test_specks_and_lines_are_left_out_and_that_is_said(tmp_path: Path) -> None:
    needs("eng")
    image = drawn(tmp_path, TEXT)
    pen = ImageDraw.Draw(image)
    for x in (1300, 1370, 1450):
        pen.line((x, 300, x + 3, 420), fill=0, width=3)
    for x in range(200, 1400, 173):
        pen.ellipse((x, 1500, x + 6, 1504), fill=60)
    page = read(scan(tmp_path / "scan.pdf", image))
    assert all(any(map(str.isalnum, text)) for text in texts(page))
    assert share(page, TEXT) > 0.97


def test_confidence_is_kept_and_low_where_the_print_is_poor(tmp_path: Path) -> None:
    needs("eng")
    clear = read(scan(tmp_path / "clear.pdf", drawn(tmp_path, TEXT)))
    image = (
        drawn(tmp_path, TEXT).resize((331, 468), Image.Resampling.BOX).resize((1654, 2339), Image.Resampling.BICUBIC)
    )
    poor = read(scan(tmp_path / "poor.pdf", image))
    assert clear.health > 0.9
    assert poor.health < clear.health - 0.1
    assert all(0 < found.confidence <= 1 for page in (clear, poor) for found in page.words)


def test_a_page_needs_ocr_and_cannot_have_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path / "empty"))
    path = scan(tmp_path / "scan.pdf", drawn(tmp_path, TEXT))
    worker.close()
    try:
        page = read(path)
    finally:
        monkeypatch.undo()
        worker.close()
    assert len(page) == 0
    assert page.health == 0
    assert page.reasons[1].startswith("the page needs OCR, and Tesseract's languages are not installed")


def test_a_poster_is_read_in_bounded_time(tmp_path: Path) -> None:
    needs("eng")
    path = tmp_path / "poster.pdf"
    canvas = Canvas(str(path), pagesize=(7200, 10_000))
    canvas.drawImage(ImageReader(drawn(tmp_path, TEXT)), 0, 0, 7200, 10_000)
    canvas.save()
    start = time.monotonic()
    page = read(path)
    assert time.monotonic() - start < 40
    assert share(page, TEXT) > 0.97


def test_the_profile_settles_single_pages(tmp_path: Path) -> None:
    needs("eng")
    path = pdf(tmp_path / "three.pdf", [TEXT] * 3)
    pages = worker.read(path, ReadingProfile(languages=("eng",), ocr_pages="2-")).pages
    assert [page.origin for page in pages] == ["text", "ocr", "ocr"]
    kept = worker.read(path, ReadingProfile(languages=("eng",), ocr="always", text_pages="1,3")).pages
    assert [page.origin for page in kept] == ["text", "ocr", "text"]
    assert share(pages[1], TEXT) > 0.97
    assert ENGLISH.way(1) == "auto"


def test_scanned_pages_are_read_by_two_in_order_and_none_is_left_behind(tmp_path: Path) -> None:
    needs("eng")
    pages = [[Put(72, 120, f"Page {number} of the buyer", 14)] for number in range(1, 5)]
    sources = [picture(pdf(tmp_path / f"{at}.pdf", [page]), dpi=150) for at, page in enumerate(pages)]
    path = scan(tmp_path / "scan.pdf", sources[0])
    several = pypdfium2.PdfDocument.new()
    for at, source in enumerate(sources):
        several.import_pages(pypdfium2.PdfDocument(scan(tmp_path / f"scan{at}.pdf", source)))
    several.save(path)
    worker.close()
    read = worker.stream(path, ENGLISH)
    assert isinstance(next(read), worker.Opened)
    first = next(read)
    readers = _children(os.getpid())
    forks = [fork for reader in readers for fork in _children(reader)]
    assert len(forks) == (1 if len(os.sched_getaffinity(0)) > 1 else 0)
    del read  # as where it is cancelled
    assert _ended(forks)
    told = [page.text for page in worker.read(path, ENGLISH).pages]
    assert isinstance(first, Page)
    assert told[0] == first.text
    assert [text.split("\n")[1] for text in told] == ["1", "2", "3", "4"]


def _children(process: int) -> list[int]:
    """The readers, and their forks, that a process started."""
    threads = Path(f"/proc/{process}/task").iterdir()
    held = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    return [child for child in held if b"pipeline.reader" in Path(f"/proc/{child}/cmdline").read_bytes()]


def _ended(processes: list[int]) -> bool:
    """Whether they end within a moment."""
    end = time.monotonic() + 10
    while any(Path(f"/proc/{one}").exists() for one in processes) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(Path(f"/proc/{one}").exists() for one in processes)
