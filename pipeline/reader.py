"""The process that reads PDFs: answers requests on standard input by frames on standard output, until it closes.

Comes in: frames with a JSON request: `read`, `render`, `picture`, `leaf` or `attachments` without a payload, `crops`
with PNG pictures as theirs. Goes out: frames; `error` with the class and the message of what was refused. Exit 99: out
of memory.

Long documents are read by two: a fork reads every second page ahead, as far as these are plain. Scanned ones are, too,
from the first page on that needs OCR: a fork reads every second page behind it with OCR. Pages that need repair, that
are refused or kill the fork are read here in their turn, so that limits, reasons and errors are the same.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from pipeline import twin
from pipeline.frames import LENGTHS, OUT_OF_MEMORY, frame, packed, packed_leaf, send
from pipeline.limits import Limits
from pipeline.page import Damaged, DocumentError
from pipeline.profiles import ReadingProfile

if TYPE_CHECKING:
    from PIL.Image import Image

    from pipeline.ocr import Token
    from pipeline.pdf import Book

FRAME = 10  # pixels of paper around a crop
SURE = 0.7  # of a sign alone: less, and it is a speck
LONG = 10  # pages: shorter documents are read alone

Request = dict[str, Any]


class _NotPlain(BaseException):
    """A page asks for more than its text layer."""


def _answer(request: Request, payload: bytes, out: IO[bytes]) -> None:
    if request["op"] == "crops":
        _read_crops(request, payload, out)
    else:
        _answer_of_book(request, out)
    send(out, {"done": True})


def _read_crops(request: Request, payload: bytes, out: IO[bytes]) -> None:
    """Each crop's text and how sure its least sure word is."""
    from PIL import Image

    at = 0
    for size in request["sizes"]:
        with Image.open(BytesIO(payload[at : at + size])) as picture:
            grey = picture.convert("L")
        at += size
        words = _line(grey, request)
        sure = min((word.confidence for word in words), default=0.0)
        send(out, {"text": " ".join(word.text for word in words), "confidence": sure})


def _line(crop: Image, request: Request) -> list[Token]:
    """Its words, without specks; with paper around it where nothing is seen, since text at an edge is not always."""
    from PIL import ImageOps

    from pipeline import ink, ocr

    framed = ImageOps.expand(crop, FRAME, ink.background(ink.array(crop)))
    for picture in (crop, framed):
        words = ocr.tokens(picture, request["dpi"], (request["model"],), "line")
        if kept := [word for word in words if word.confidence > SURE or any(map(str.isalnum, word.text))]:
            return kept
    return []


def _answer_of_book(request: Request, out: IO[bytes]) -> None:
    from pipeline import pdf

    book = _opened(request, lambda: send(out, {"repair": True}))
    try:
        match request["op"]:
            case "read":
                _read(book, request, out)
            case "render":
                send(out, {"png": True}, pdf.render(book, request["page"], request["dpi"]))
            case "picture":
                from pipeline import poppler  # only a model asks for these

                send(out, {"png": True}, poppler.sized(book, request["page"], tuple(request["size"])))
            case "attachments":
                from pipeline import attachments  # only invoices are asked for them

                for name, content in attachments.xml(book.document):
                    send(out, {"name": name}, content)
            case "leaf":
                send(out, *packed_leaf(pdf.leaf(book, request["page"], request["turn"])))
    finally:
        book.close()


def _opened(request: Request, repair_starts: Callable[[], None]) -> Book:
    from pipeline import pdf

    return pdf.Book(Path(request["path"]), pdf.Access(Limits(**request["limits"]), request["password"], repair_starts))


def _read(book: Book, request: Request, out: IO[bytes]) -> None:
    from pipeline import pdf

    profile = ReadingProfile(**request["profile"])
    refused: list[str] = []
    blank = 0
    last = min(request["last"] or len(book), len(book))
    pages = range(request["first"], last + 1)
    scans: tuple[range, twin.Twin] | None = None
    plain: tuple[range, twin.Twin] | None = None

    def scanned(number: int) -> None:
        """OCR of a page begins: from here on every second page is read by a fork, where one can be had."""
        nonlocal scans
        send(out, {"ocr": True})
        behind = range(number + 1, last + 1, 2)
        if scans is None and behind and not book.repaired and twin.possible():
            scans = behind, held.enter_context(closing(twin.Twin(lambda: _ahead(request, profile, behind, _go_on))))

    def page(number: int) -> bytes:
        nonlocal blank
        try:
            read = pdf.read_page(book, number, profile, lambda: scanned(number))
        except (DocumentError, MemoryError):
            raise
        except pdf.PageRefused as error:
            refused.append(str(error))
            read = pdf.blank(number, error)
        except Exception as error:  # noqa: BLE001  # a fault of ours costs the page, not the document
            refused.append(f"the page is left out: an unexpected error ({type(error).__name__})")
            read = pdf.blank(number, pdf.PageRefused(refused[-1]))
        blank += pdf.is_blank(read)
        return _framed(*packed(read))

    def ahead(number: int) -> bytes:
        """The page as a fork read it; empty where none did."""
        made = plain[1].take() if plain and number in plain[0] else b""
        if scans and number in scans[0]:
            send(out, {"ocr": True})  # the fork may be at its OCR
            made = scans[1].take() or made
        return b"" if book.repaired else made

    send(out, {"pages": len(book)})
    with ExitStack() as held:
        if len(pages) >= LONG and profile.ocr != "always" and not book.repaired and twin.possible():
            plain = (
                pages[1::2],
                held.enter_context(closing(twin.Twin(lambda: _ahead(request, profile, pages[1::2], _stop)))),
            )
        for number in pages:
            out.write(ahead(number) or page(number))
            out.flush()
    if refused and len(refused) + blank == len(book):
        raise Damaged(f"No page of the PDF can be read: {refused[0]}. Export it again from where it was made.")
    if last == len(book):
        send(out, {"bookmarks": pdf.bookmarks(book.document), "repaired": book.repaired})


def _framed(header: dict[str, Any], payload: bytes) -> bytes:
    return frame({"page": header}, payload)


def _ahead(request: Request, profile: ReadingProfile, pages: range, scanned: Callable[[], None]) -> Iterator[bytes]:
    """The frames of these pages; an empty one for each that is blank or not plain. scanned: called before the OCR of a
    page that needs it.
    """
    from pipeline import pdf

    book = _opened(request, _stop)
    for number in pages:
        try:
            page = pdf.read_page(book, number, profile, scanned)
            yield b"" if pdf.is_blank(page) else _framed(*packed(page))
        except (Exception, _NotPlain):  # noqa: BLE001  # it is met again, and judged, where the page's turn comes
            yield b""


def _stop() -> None:
    raise _NotPlain


def _go_on() -> None:
    """A page that needs OCR is read with it."""


def _request(stream: IO[bytes]) -> tuple[Request, bytes] | None:
    lengths = stream.read(LENGTHS.size)
    if len(lengths) < LENGTHS.size:
        return None
    head, body = LENGTHS.unpack(lengths)
    return json.loads(stream.read(head)), stream.read(body)


def main(memory: int) -> int:
    """Answer requests until there are no more, in so many bytes of memory."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    importlib.import_module("pipeline.pdf")  # now, while nobody waits yet
    sys.dont_write_bytecode = True  # from here on, documents are open
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    while asked := _request(sys.stdin.buffer):
        try:
            _answer(*asked, out)
        except MemoryError:
            return OUT_OF_MEMORY
        except DocumentError as error:
            send(out, {"error": type(error).__name__, "message": str(error)})
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
