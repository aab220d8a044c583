"""A page's picture with boxes on it, as HTML that stands alone: for reports and notebooks.

Comes in: the PNG of a page, its size in points, `Mark`s in points. Goes out: HTML with the picture inside it; what is
told of a mark is shown where the pointer rests on it. All text is escaped. Refuses nothing.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Literal, NamedTuple

from markupsafe import Markup
from PIL import Image

from pipeline import charts
from pipeline.model import Box, Outline, Status

QUALITY = 62  # of JPEG
FORMS = {
    "solid": "fill-opacity: .08; stroke-width: 1.2",
    "dashed": "fill-opacity: .08; stroke-width: 1.2; stroke-dasharray: 4 2",
    "faint": "fill-opacity: 0; stroke-width: 1; stroke-opacity: .55; stroke-dasharray: 1 2",
}
FIGURE = Markup(
    '<div style="position: relative; border: 1px solid #d5dbe1"><img src="data:image/jpeg;base64,{source}" alt="{alt}" '
    'style="display: block; width: 100%; height: auto"><svg viewBox="0 0 {width:.2f} {height:.2f}" '
    'preserveAspectRatio="none" style="position: absolute; inset: 0; width: 100%; height: 100%">{marks}</svg></div>'
)
RECT = Markup(
    '<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" stroke="{color}" fill="{color}" '
    'style="{style}"><title>{told}</title></rect>'
)


class Mark(NamedTuple):
    """A box on a page, and what is told of it. color: `#rrggbb`."""

    box: Box
    color: str
    form: Literal["solid", "dashed", "faint"]
    told: str


def headings(outline: Outline) -> Iterator[tuple[int, Mark]]:
    """The headings, each with its page, in the colour of its level."""
    for heading in outline.headings:
        told = " ".join(filter(None, (f"level {heading.level}:", heading.number, heading.title)))
        for place in heading.places:
            yield place.page, Mark(place.box, charts.level_color(heading.level), "faint", told)


def value(box: Box, status: Status, told: str, reasons: Iterable[str] = ()) -> Mark:
    """A value: solid where it is confirmed, else dashed and with the reasons."""
    if status == "confirmed":
        return Mark(box, charts.GOOD, "solid", told)
    return Mark(box, charts.DOUBT, "dashed", ": ".join(filter(None, (told, "; ".join(reasons)))))


def figure(png: bytes, size: tuple[float, float], alt: str, marks: Iterable[Mark] = ()) -> Markup:
    """The picture with its marks. size: of the page in points; alt: what the picture is of, in words."""
    drawn = Markup().join(map(_rect, marks))
    return FIGURE.format(source=_jpeg(png), alt=alt, width=size[0], height=size[1], marks=drawn)


def _rect(mark: Mark) -> Markup:
    box = mark.box
    return RECT.format(
        x=box.x0, y=box.top, width=box.width, height=box.height, color=mark.color, style=FORMS[mark.form],
        told=mark.told,
    )  # fmt: skip


def _jpeg(png: bytes) -> str:
    held = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        picture.convert("RGB").save(held, "JPEG", quality=QUALITY, optimize=True)
    return b64encode(held.getvalue()).decode("ascii")
