"""Frames on the pipe between the worker and its host, and pages in them.

Both ways: four bytes length of a JSON header, four bytes length of a payload, then the two. The worker is not trusted:
a header is JSON, a payload is columns of numbers, and nothing is unpickled. Refuses, as Damaged, a page whose lengths
do not fit.
"""

from __future__ import annotations

import json
import struct
from array import array
from typing import IO, Any

from pipeline.leaf import Leaf
from pipeline.page import Damaged, Font, Page

OUT_OF_MEMORY = 99  # the worker's exit code
LENGTHS = struct.Struct("<II")
COLUMNS = (("boxes", "f"), ("sizes", "f"), ("font_ids", "H"), ("rotations", "h"), ("confidences", "f"))
DRAWN = ("rules", "cells")  # floats, as many as the header says


def frame(header: dict[str, Any], payload: bytes = b"") -> bytes:
    """A frame as it goes over the pipe."""
    head = json.dumps(header, ensure_ascii=True).encode()
    return LENGTHS.pack(len(head), len(payload)) + head + payload


def send(stream: IO[bytes], header: dict[str, Any], payload: bytes = b"") -> None:
    """Write a frame, now."""
    stream.write(frame(header, payload))
    stream.flush()


def packed(page: Page) -> tuple[dict[str, Any], bytes]:
    """A page as a JSON header and a payload: its text, then its columns, in the order of COLUMNS."""
    text = page.text.encode("utf-8", "surrogatepass")
    header = {
        "number": page.number,
        "width": page.width,
        "height": page.height,
        "origin": page.origin,
        "health": page.health,
        "reasons": page.reasons,
        "fonts": page.fonts,
        "words": len(page),
        "text": len(text),
        "rules": len(page.rules),
        "cells": len(page.cells),
    }
    names = [*(name for name, _ in COLUMNS), *DRAWN]
    return header, b"".join([text, *(getattr(page, name).tobytes() for name in names)])


def unpacked(header: dict[str, Any], payload: bytes) -> Page:
    """The page again; refuses lengths that do not fit, as Damaged."""
    count, start = int(header["words"]), int(header["text"])
    columns: dict[str, array[Any]] = {}
    at = start
    lengths = {name: count * (4 if name == "boxes" else 1) for name, _ in COLUMNS}
    lengths |= {name: int(header[name]) for name in DRAWN}
    for name, code in (*COLUMNS, *((name, "f") for name in DRAWN)):
        column = array(code)
        size = column.itemsize * lengths[name]
        part = payload[at : at + size]
        if len(part) != size:
            raise Damaged("The reader sent a page that does not add up.")
        column.frombytes(part)
        columns[name] = column
        at += size
    return Page(
        number=int(header["number"]),
        width=float(header["width"]),
        height=float(header["height"]),
        origin=header["origin"],
        health=float(header["health"]),
        reasons=tuple(header["reasons"]),
        text=payload[:start].decode("utf-8", "replace"),
        fonts=tuple(Font(*font) for font in header["fonts"]),
        **columns,
    )


def packed_leaf(leaf: Leaf) -> tuple[dict[str, Any], bytes]:
    """A page's picture as a JSON header and a payload of its shades."""
    return {name: value for name, value in vars(leaf).items() if name != "grey"}, leaf.grey


def unpacked_leaf(header: dict[str, Any], payload: bytes) -> Leaf:
    """The picture again; refuses a size that does not fit, as Damaged."""
    width, height = int(header["width"]), int(header["height"])
    if len(payload) != width * height:
        raise Damaged("The reader sent a picture that does not add up.")
    drawn = int(header["drawn"][0]), int(header["drawn"][1])
    return Leaf(int(header["page"]), payload, width, height, drawn, float(header["angle"]), float(header["scale"]))
