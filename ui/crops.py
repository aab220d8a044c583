"""What stands in a box of a page, cut out and enlarged.

Comes in: a document, a page, boxes in points. Goes out: PNG, drawings. Refuses what drawing a page refuses. The picture
of a page is decoded once for all crops of it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

import streamlit as st
from PIL import Image

from pipeline import run
from pipeline.model import Box, PipelineError, Place, around
from ui import state, words

DPI = 200  # of what the second reader saw, so that the picture is there already
PADDED = (14.0, 4.0)  # points beside, and above and below
HIGH = 90  # pixels that a line is enlarged to
LARGEST = 4.0


def draw(sha256: str, places: Sequence[Place]) -> None:
    """Draw the crop of each page that has one of the places, in their order."""
    for page in dict.fromkeys(place.page for place in places):
        try:
            png = cut(sha256, page, [place.box for place in places if place.page == page])
        except PipelineError as error:
            st.error(words.escaped(str(error)))
            continue
        st.image(png, output_format="PNG")


def cut(sha256: str, page: int, boxes: Sequence[Box]) -> bytes:
    """The part of the page that holds the boxes (at least one), as PNG."""
    box, image = around(list(boxes)), _page(str(state.the_store().home), sha256, page)
    scale = DPI / 72
    edges = (box.x0 - PADDED[0], box.top - PADDED[1], box.x1 + PADDED[0], box.bottom + PADDED[1])
    left, top, right, bottom = (round(edge * scale) for edge in edges)
    left, top = min(max(0, left), image.width - 1), min(max(0, top), image.height - 1)
    part = image.crop((left, top, max(left + 1, min(image.width, right)), max(top + 1, min(image.height, bottom))))
    enlarged = min(LARGEST, max(1.0, HIGH / max(1, part.height)))
    size = (round(part.width * enlarged), round(part.height * enlarged))
    target = io.BytesIO()
    part.resize(size, Image.Resampling.LANCZOS).save(target, "PNG", compress_level=1)
    return target.getvalue()


@st.cache_resource(max_entries=4, show_spinner=False)
def _page(home: str, sha256: str, page: int) -> Image.Image:
    with Image.open(run.page_image(state.the_store(), sha256, page, DPI)) as opened:
        return opened.convert("RGB")
