"""What is written on a page beside its own content: values of form fields, free-text notes, stamps.

Comes in: an opened document. Goes out: a page whose annotations are part of it, so that they are read as words and
drawn like the rest; links and pop-ups are left. Runs inside the worker process only; the file is never changed.
"""

from __future__ import annotations

import pypdfium2 as pdfium
import pypdfium2.raw as raw

MOST = 2_000  # annotations looked at
NO_TEXT = frozenset({raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_POPUP, raw.FPDF_ANNOT_HIGHLIGHT, raw.FPDF_ANNOT_UNDERLINE})


def opened(document: pdfium.PdfDocument, index: int) -> pdfium.PdfPage:
    """Page `index` (from 0) with its annotations made part of its content. Raises PdfiumError as PDFium does."""
    page = document[index]
    if not _written_on(page):
        return page
    page.close()
    if document.formenv is None:
        document.init_forms()
    page = document[index]
    if raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) != raw.FLATTEN_SUCCESS:
        return page
    page.close()
    return document[index]


def _written_on(page: pdfium.PdfPage) -> bool:
    for index in range(min(MOST, raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if raw.FPDFAnnot_GetSubtype(annotation) not in NO_TEXT:
                return True
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    return False
