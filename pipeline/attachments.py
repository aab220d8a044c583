"""XML files embedded in a PDF. Runs inside the worker process only.

Comes in: a document in PDFium's hands. Goes out: name and content of each attachment that ends in .xml. Refuses
nothing: what is too large, cannot be unpacked or comes after the first few is left out. They are not parsed here.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pypdfium2 as pdfium
import pypdfium2.raw as raw

LARGEST = 4 << 20  # bytes: an invoice of thousands of lines takes two
MOST = 8
LONGEST_NAME = 1024  # bytes


def xml(document: pdfium.PdfDocument) -> Iterator[tuple[str, bytes]]:
    """Name and content of each XML file in the document's list of files."""
    for at in range(min(raw.FPDFDoc_GetAttachmentCount(document), MOST)):
        attachment = raw.FPDFDoc_GetAttachment(document, at)
        name = _name(attachment) if attachment else ""
        if name.lower().endswith(".xml") and (content := _content(attachment)):
            yield name, content


def _name(attachment: raw.FPDF_ATTACHMENT) -> str:
    size = min(raw.FPDFAttachment_GetName(attachment, None, 0), LONGEST_NAME)
    buffer = ctypes.create_string_buffer(size)
    raw.FPDFAttachment_GetName(attachment, ctypes.cast(buffer, ctypes.POINTER(raw.FPDF_WCHAR)), size)
    return buffer.raw.decode("utf-16-le", "replace").rstrip("\0")


def _content(attachment: raw.FPDF_ATTACHMENT) -> bytes:
    size = ctypes.c_ulong()
    if not raw.FPDFAttachment_GetFile(attachment, None, 0, size) or size.value > LARGEST:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    return buffer.raw if raw.FPDFAttachment_GetFile(attachment, buffer, size.value, size) else b""
