"""Scanned pages drawn for tests: pictures on pages, turned, askew, with or without a text layer."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from pipeline import ocr, worker
from pipeline.model import Page
from pipeline.profiles import ReadingProfile
from tests.draw import HEIGHT, WIDTH, Put, pdf

NOTO = Path(__file__).resolve().parent.parent / "sample_docs" / "fonts" / "NotoSans-Regular.ttf"
SENTENCES = (
    "The buyer pays the agreed price within thirty days of delivery.",
    "Goods remain the property of the seller until they are paid for.",
    "Notice of any defect is given in writing and without delay.",
    "Either party may end this contract at the end of a month.",
    "Invoice 2025-0418 over 1,234.56 was issued on 14 March.",
)
TEXT = [Put(72, 120 + 22 * index, sentence, 12) for index, sentence in enumerate(SENTENCES * 3)]
ENGLISH = ReadingProfile(languages=("eng",))
Over = Callable[[Canvas], None]


def needs(*languages: str) -> None:
    """Skip the test where Tesseract cannot read these."""
    folder = ocr.data_folder()
    have = {path.stem for path in folder.rglob("*.traineddata")} if folder else set()
    if missing := set(languages) - have:
        pytest.skip(f"Tesseract's {', '.join(sorted(missing))} not installed on this machine")


def register_noto() -> str:
    """The name of a font with Cyrillic letters."""
    pdfmetrics.registerFont(TTFont("NotoSans", str(NOTO)))
    return "NotoSans"


def picture(path: Path, page: int = 1, dpi: int = 200) -> Image.Image:
    """What a page of a PDF shows."""
    return Image.open(BytesIO(worker.render(path, page, dpi))).convert("L")


def drawn(tmp_path: Path, puts: list[Put], dpi: int = 200) -> Image.Image:
    """A picture of a page with what is put on it."""
    return picture(pdf(tmp_path / "source.pdf", [puts]), dpi=dpi)


def scan(path: Path, image: Image.Image, before: Over | None = None, after: Over | None = None) -> Path:
    """A PDF of one page that the picture fills; text may be drawn below and above it."""
    turned = image.width > image.height
    size = (HEIGHT, WIDTH) if turned else (WIDTH, HEIGHT)
    canvas = Canvas(str(path), pagesize=A4[::-1] if turned else A4, invariant=True)
    if before:
        before(canvas)
    canvas.drawImage(ImageReader(image), 0, 0, *size)
    if after:
        after(canvas)
    canvas.save()
    return path


def read(path: Path, profile: ReadingProfile = ENGLISH) -> Page:
    """The first page, as the worker reads it."""
    return worker.read(path, profile).pages[0]


def texts(page: Page) -> list[str]:
    return [word.text for word in page.words]


def share(page: Page, puts: list[Put]) -> float:
    """Share of the words put there that were read."""
    wanted = " ".join(put.text for put in puts).split()
    found = texts(page)
    return sum(word in found for word in wanted) / len(wanted)
