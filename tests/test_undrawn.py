"""Pages that show nothing: blank ones, and ones that could not be drawn."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream

from pipeline import undrawn, worker
from pipeline.model import Damaged, Page
from pipeline.profiles import ReadingProfile

TEXT = b"BT /F1 12 Tf 20 50 Td (A page with words on it) Tj ET"
GARBAGE = bytes(range(7, 90)) * 3


def made(path: Path, *pages: Callable[[Pdf], Dictionary]) -> Path:
    """A PDF of pages of 200 by 100 points, each with the content and resources that it is given."""
    document = Pdf.new()
    for page in pages:
        document.add_blank_page(page_size=(200, 100))
        for key, value in page(document).items():
            document.pages[-1].obj[key] = value
    document.save(path, compress_streams=False, stream_decode_level=pikepdf.StreamDecodeLevel.none)
    return path


def plain(content: bytes) -> Callable[[Pdf], Dictionary]:
    def page(document: Pdf) -> Dictionary:
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        return Dictionary(Contents=Stream(document, content), Resources=Dictionary(Font=Dictionary(F1=font)))

    return page


def garbled(document: Pdf) -> Dictionary:
    return Dictionary(Contents=Stream(document, GARBAGE, Filter=Name.FlateDecode))


def pictured(content: bytes, **keys: object) -> Callable[[Pdf], Dictionary]:
    """A page that is all picture."""

    def page(document: Pdf) -> Dictionary:
        picture = Stream(
            document, content, Type=Name.XObject, Subtype=Name.Image, Width=2, Height=2, BitsPerComponent=8,
            ColorSpace=Name.DeviceGray, **keys,
        )  # fmt: skip
        drawn = Stream(document, b"q 200 0 0 100 0 0 cm /P Do Q")
        return Dictionary(Contents=drawn, Resources=Dictionary(XObject=Dictionary(P=picture)))

    return page


def formed(document: Pdf) -> Dictionary:
    form = Stream(document, GARBAGE, Subtype=Name.Form, BBox=Array([0, 0, 200, 100]), Filter=Name.FlateDecode)
    drawn = Stream(document, b"q /F Do Q")
    return Dictionary(Contents=drawn, Resources=Dictionary(XObject=Dictionary(F=form)))


def missing(document: Pdf) -> Dictionary:
    return Dictionary(Contents=Stream(document, b"q 200 0 0 100 0 0 cm /Gone Do Q"))


def pages(path: Path) -> tuple[Page, ...]:
    return worker.read(path, ReadingProfile(ocr="never")).pages


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (garbled, undrawn.PACKED),
        (formed, undrawn.PACKED),
        (missing, undrawn.IDLE),
        (pictured(GARBAGE, Filter=Name.DCTDecode), undrawn.PICTURE),
        (pictured(GARBAGE, Filter=Name.JPXDecode), undrawn.PICTURE),
    ],
)
def test_a_page_that_could_not_be_drawn_says_why(tmp_path: Path, page: Callable[[Pdf], Dictionary], says: str) -> None:
    first, second = pages(made(tmp_path / "broken.pdf", plain(TEXT), page))
    assert (len(first), first.health) == (6, 1.0)
    assert (len(second), second.health) == (0, 0.0)
    assert second.reasons == (f"page 2 could not be drawn: {says}",)
    assert (second.width, second.height) == (200, 100)


@pytest.mark.parametrize(
    "page",
    [
        plain(b""),
        plain(b"q Q"),
        plain(b"BT /F1 12 Tf ( ) Tj ET"),
        pictured(b"\xff\xff\xff\xff"),
        lambda _: Dictionary(),
    ],
)
def test_a_blank_page_is_blank(tmp_path: Path, page: Callable[[Pdf], Dictionary]) -> None:
    (only,) = pages(made(tmp_path / "blank.pdf", page))
    assert (len(only), only.health, only.reasons) == (0, 1.0, ("the page is blank",))


def test_a_document_of_broken_and_blank_pages_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "broken.pdf", plain(b""), garbled)
    with pytest.raises(Damaged, match=r"^No page of the PDF can be read: page 2 could not be drawn: its content"):
        pages(path)


def test_content_that_was_encrypted_with_a_key_that_is_lost_is_refused(tmp_path: Path) -> None:
    source, sealed = made(tmp_path / "plain.pdf", plain(TEXT * 40)), io.BytesIO()
    with Pdf.open(source) as document:
        document.save(sealed, encryption=pikepdf.Encryption(owner="own", user="", R=6))
    content = sealed.getvalue()
    lost = content.replace(b"/Filter /Standard", b"/Filter /Sta?dard").replace(b"/Encrypt", b"/Enkrypt")
    path = tmp_path / "sealed.pdf"
    path.write_bytes(lost)
    with pytest.raises(Damaged, match="page 1 could not be drawn"):
        pages(path)
