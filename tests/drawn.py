"""Small statements drawn for tests: a line is its distance from the top and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

Text = tuple[float, str]
Line = tuple[float, Sequence[Text]]

HEADER: tuple[Text, ...] = (
    *((40, "*Invoice no."), (110, "*Date"), (180, "*Description")),
    *((-400, "*Quantity"), (-470, "*Unit price"), (-555, "*Amount EUR")),
)


def item(invoice: str, text: str, quantity: str, price: str, amount: str) -> tuple[Text, ...]:
    return ((40, invoice), (110, "2025-07-01"), (180, text), (-400, quantity), (-470, price), (-555, amount))


def total(label: str, amount: str) -> tuple[Text, ...]:
    return ((180, label), (-555, amount))


def statement(path: Path, *rows: tuple[Text, ...], printed: str) -> Path:
    """One page with these rows and a printed total."""
    lines: list[Line] = [(100, HEADER), *((120 + 20 * n, row) for n, row in enumerate(rows))]
    lines.append((140 + 20 * len(rows), total("Grand total", printed)))
    return pdf(path, [lines])


def pdf(
    path: Path,
    pages: Sequence[Sequence[Line]],
    size: float = 9,
    rules: Sequence[tuple[float, float, float, float]] = (),
    foot: str = "",
) -> Path:
    """Texts at x, those at a negative x end there; a leading * is bold. rules: drawn lines, by both of their ends from
    the left and the top; foot: small type below each page.
    """
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    for lines in pages:
        for top, texts in lines:
            for x, text in texts:
                canvas.setFont("Helvetica-Bold" if text.startswith("*") else "Helvetica", size)
                draw = canvas.drawRightString if x < 0 else canvas.drawString
                draw(abs(x), 842 - top, text.lstrip("*"))
        for x0, top, x1, bottom in rules:
            canvas.line(x0, 842 - top, x1, 842 - bottom)
        canvas.setFont("Helvetica", 0.8 * size)
        canvas.drawString(250, 20, foot)
        canvas.showPage()
    canvas.save()
    return path
