"""Headings by the tags of a document (its structure tree), where it has no outline of its own.

Comes in: an opened document. Goes out: `Bookmark`s in reading order. Runs inside the worker process only.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from pipeline.page import Bookmark
from pipeline.textlayer import turned

HEADING = re.compile(r"H([1-6])?")
DEPTH = 40
MOST = 20_000

Element = Any  # a pointer of PDFium's, which ships no types


def headings(document: pdfium.PdfDocument) -> tuple[Bookmark, ...]:
    """What is tagged H, H1 to H6, with level, page and the top of its first line; none where nothing is tagged."""
    if not raw.FPDFCatalog_IsTagged(document):
        return ()
    found: list[Bookmark] = []
    for index in range(len(document)):
        try:
            page = document[index]
        except pdfium.PdfiumError:
            continue
        try:
            found += _on_page(page, index + 1)
        finally:
            page.close()
        if len(found) > MOST:
            break
    return tuple(found)


def _on_page(page: pdfium.PdfPage, number: int) -> Iterator[Bookmark]:
    tree = raw.FPDF_StructTree_GetForPage(page)
    if not tree:
        return
    try:
        tagged = list(_tagged(_children(raw.FPDF_StructTree_CountChildren, raw.FPDF_StructTree_GetChildAtIndex, tree)))
        if tagged:
            yield from _titled(page, number, tagged)
    finally:
        raw.FPDF_StructTree_Close(tree)


def _tagged(elements: Iterator[Element], depth: int = 0) -> Iterator[tuple[int, list[int]]]:
    """(level, marked content ids) of each heading below the elements."""
    for element in elements:
        match = HEADING.fullmatch(_string(raw.FPDF_StructElement_GetType, element))
        if match:
            yield int(match[1] or 1), list(_content_ids(element))
        elif depth < DEPTH:
            yield from _tagged(_below(element), depth + 1)


def _content_ids(element: Element, depth: int = 0) -> Iterator[int]:
    for index in range(max(0, raw.FPDF_StructElement_GetMarkedContentIdCount(element))):
        yield raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index)
    if depth < DEPTH:
        for child in _below(element):
            yield from _content_ids(child, depth + 1)


def _below(element: Element) -> Iterator[Element]:
    return _children(raw.FPDF_StructElement_CountChildren, raw.FPDF_StructElement_GetChildAtIndex, element)


def _children(
    count: Callable[[Element], int], at: Callable[[Element, int], Element], parent: Element
) -> Iterator[Element]:
    for index in range(max(0, count(parent))):
        child = at(parent, index)
        if child:
            yield child


def _titled(page: pdfium.PdfPage, number: int, tagged: list[tuple[int, list[int]]]) -> Iterator[Bookmark]:
    texts: dict[int, list[str]] = {}
    tops: dict[int, float] = {}
    textpage = page.get_textpage()
    try:
        turn, _ = turned(page)
        for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=4):
            content = raw.FPDFPageObj_GetMarkedContentID(item)
            if content >= 0:
                texts.setdefault(content, []).append(_text(item, textpage))
                left, _, _, top = item.get_bounds()
                tops.setdefault(content, turn(left, top)[1])
    finally:
        textpage.close()
    for level, contents in tagged:
        ordered = list(dict.fromkeys(contents))
        title = " ".join("".join(part for content in ordered for part in texts.get(content, ())).split())
        if title:
            yield Bookmark(title, level, number, min((tops[c] for c in ordered if c in tops), default=None))


def _text(item: pdfium.PdfObject, textpage: pdfium.PdfTextPage) -> str:
    size = raw.FPDFTextObj_GetText(item, textpage, None, 0)
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    raw.FPDFTextObj_GetText(item, textpage, buffer, size)
    return bytes(buffer)[: max(0, size - 2)].decode("utf-16-le", "replace")


def _string(get: Callable[..., int], element: Element) -> str:
    size = get(element, None, 0)
    buffer = ctypes.create_string_buffer(max(2, size))
    get(element, buffer, size)
    return buffer.raw[: max(0, size - 2)].decode("utf-16-le", "replace")
