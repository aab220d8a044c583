"""A second try for files that PDFium refuses: a repaired copy by qpdf. Runs inside the worker process only.

Comes in: a file's bytes, and a password or none. Goes out: `Repaired`: the bytes of a sound, unlocked PDF, and in
words what was wrong. Refuses: `Locked` (a password is needed, or is the wrong one), `Damaged` (no page can be found).

Where the way from the file's end to its pages is broken, qpdf finds all objects by looking for them; where the list
of pages is broken, too, the pages themselves are collected: first those that lists of pages still name, in their
order, then the others in the order of their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import pikepdf
from pikepdf import Array, Dictionary, Name, Object, ObjectStreamMode, Pdf, StreamDecodeLevel

from pipeline.model import Damaged, Locked

LOCKED = (
    "The PDF is locked with a password. Give the password: the option --password - asks for it, and the variable"
    " PAGEWITNESS_PASSWORD may hold it."
)
WRONG_PASSWORD = "The password is wrong: the PDF stays locked. Check capital letters and the keyboard, and try again."
NO_PAGES = "The PDF has no page that can be read. Export it again from the program that made it."
BEYOND = "The PDF is damaged beyond repair. Download it again, or export it again from the program that made it."
BROTLI = "The PDF is compressed with Brotli, which cannot be read. Save it with ordinary compression."

NUMBERED = re.compile(rb"(?<!\d)(\d{1,7})\s+\d{1,5}\s+obj\b")
ENCRYPTION = re.compile(rb"/Encrypt\s+\d+\s+\d+\s+R")
FILE_ID = re.compile(rb"/ID\s*\[\s*<[0-9A-Fa-f\s]*>\s*<[0-9A-Fa-f\s]*>\s*\]")
INHERITED = ("/Resources", "/MediaBox", "/CropBox", "/Rotate")
KEPT = ("/Outlines", "/Dests", "/Names", "/PageLabels", "/AcroForm", "/StructTreeRoot", "/MarkInfo", "/Lang")
STAND_IN = "/PagewitnessStandIn"
MAX_DEPTH = 64
TOLD = (
    ("xref", "its table of objects was broken"),
    ("stream length", "lengths of its parts were wrong"),
    ("endstream", "lengths of its parts were wrong"),
    ("PDF header", "its header was missing"),
    ("page tree", "its list of pages was broken"),
)


@dataclass(frozen=True)
class Repaired:
    """A sound copy, and what was wrong with the file, in words; no word where qpdf found no fault."""

    content: bytes
    faults: tuple[str, ...]


def repaired(content: bytes, password: str) -> Repaired:
    """A copy that PDFium opens; the content begins with the header, where there is one."""
    try:
        return _saved(content, password)
    except pikepdf.PasswordError as error:
        raise Locked(WRONG_PASSWORD if password else LOCKED) from error
    except (pikepdf.PdfError, Damaged, RuntimeError, ValueError, TypeError) as error:
        if b"/BrotliDecode" in content:
            raise Damaged(BROTLI) from error
        raise error if isinstance(error, Damaged) else Damaged(BEYOND) from error


def _saved(content: bytes, password: str) -> Repaired:
    try:
        document = pikepdf.open(BytesIO(content), password=password)
        if not len(document.pages):
            raise pikepdf.PdfError("no pages")
        faults: list[str] = []
    except pikepdf.PasswordError:
        raise
    except (pikepdf.PdfError, RuntimeError):
        document = pikepdf.open(BytesIO(_with_stand_in(content)), password=password)
        _collect(document)
        faults = ["its list of pages was broken; the pages were collected one by one"]
    with document:
        warnings = [str(warning) for warning in document.get_warnings()]
        faults += [fault for sign, fault in TOLD if any(sign in warning for warning in warnings)]
        buffer = BytesIO()
        document.save(
            buffer,
            encryption=False,
            fix_metadata_version=False,
            compress_streams=False,
            stream_decode_level=StreamDecodeLevel.none,
            object_stream_mode=ObjectStreamMode.disable,
        )
    return Repaired(buffer.getvalue(), tuple(dict.fromkeys(faults)))


def _with_stand_in(content: bytes) -> bytes:
    """The file with a catalog of one empty page added: qpdf opens it, and then lists all objects there are."""
    first = max((int(match[1]) for match in NUMBERED.finditer(content)), default=0) + 1
    page, pages, catalog = first, first + 1, first + 2
    security = b" ".join(found[-1] for found in (ENCRYPTION.findall(content), FILE_ID.findall(content)) if found)
    return b"".join(
        (
            content,
            b"\n%d 0 obj\n<</Type/Page/Parent %d 0 R/MediaBox[0 0 9 9]%s true>>\nendobj\n"
            % (page, pages, STAND_IN.encode()),
            b"%d 0 obj\n<</Type/Pages/Kids[%d 0 R]/Count 1>>\nendobj\n" % (pages, page),
            b"%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n" % (catalog, pages),
            b"trailer\n<</Root %d 0 R/Size %d %s>>\nstartxref\n0\n%%%%EOF\n" % (catalog, catalog + 1, security),
        )
    )


def _collect(document: Pdf) -> None:
    """Put all pages that are found in place of the stand-in; NO_PAGES where there is none."""
    known = [entry for entry in document.objects if isinstance(entry, Dictionary)]
    pages = {page.objgen: page for page in _listed(known)}
    for entry in known:
        if entry.get("/Type") == Name.Page and STAND_IN not in entry:
            pages.setdefault(entry.objgen, entry)
    if not pages:
        raise Damaged(NO_PAGES)
    for page in pages.values():
        _flatten(page)
        document.pages.append(pikepdf.Page(page))
    del document.pages[0]
    for entry in known:
        if entry.get("/Type") == Name.Catalog and entry.objgen != document.Root.objgen:
            for key in KEPT:
                if key in entry and key not in document.Root:
                    document.Root[key] = entry[key]


def _listed(known: list[Dictionary]) -> Iterator[Object]:
    """The pages that lists of pages name, in their order."""
    seen: set[tuple[int, int]] = set()
    for entry in known:
        if entry.get("/Type") == Name.Pages and not isinstance(entry.get("/Parent"), Dictionary):
            yield from _below(entry, seen, 0)


def _below(node: Object, seen: set[tuple[int, int]], depth: int) -> Iterator[Object]:
    kids = node.get("/Kids")
    if not isinstance(kids, Array) or depth > MAX_DEPTH:
        return
    for kid in kids:
        if not isinstance(kid, Dictionary) or not kid.is_indirect or kid.objgen in seen or STAND_IN in kid:
            continue
        seen.add(kid.objgen)
        if "/Kids" in kid:
            yield from _below(kid, seen, depth + 1)
        elif kid.get("/Type") == Name.Page or "/Contents" in kid:
            yield kid


def _flatten(page: Object) -> None:
    """What the page inherits becomes its own, for its parents are left behind."""
    node, steps = page.get("/Parent"), 0
    while isinstance(node, Dictionary) and steps < MAX_DEPTH:
        for key in INHERITED:
            if key in node and key not in page:
                page[key] = node[key]
        node, steps = node.get("/Parent"), steps + 1
    if "/Parent" in page:
        del page["/Parent"]
    page["/Type"] = Name.Page
