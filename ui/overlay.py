"""What can be laid over a page's picture: words, lines, blocks, columns, tables; and what is said of one of them.

Comes in: a `Page`, the layers that are switched on, the key of a mark. Goes out: `Mark`s from the largest to the
smallest, their legend, `Fact`s. A key is the layer's name and a number from 0. Refuses nothing: an unknown key has no
facts; beyond MOST words none are drawn, and the legend says so.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from pipeline import charts, roles, tables
from pipeline.bands import Draft
from pipeline.model import Box, Line, Page, Word, around
from pipeline.roles import ROLES, Role
from pipeline.tables import Laid
from ui import words
from ui.views import Legend, Mark

LAYERS = ("Words", "Lines", "Blocks", "Columns", "Tables")
COLORS = dict(zip(LAYERS, charts.PALETTE, strict=False))
ROLE_COLORS: dict[Role, str] = {
    "text": COLORS["Blocks"],
    "footnote": charts.PALETTE[8],
    "side note": charts.PALETTE[7],
    "caption": charts.PALETTE[5],
    "list item": charts.PALETTE[6],
}
TURNED, UNSURE = charts.PALETTE[7], charts.PALETTE[9]
SURE = 0.6  # OCR's confidence: words below are marked
LEAST_SKEW = 3  # degrees
MOST = 6_000
SHOWN = 90  # characters


@dataclass(frozen=True)
class Block:
    """Lines of one block that have one role."""

    lines: tuple[Line, ...]
    role: Role


@dataclass(frozen=True)
class Layers:
    """A page and the layers that are switched on."""

    page: Page
    on: Collection[str]

    @cached_property
    def laid(self) -> Laid:
        return tables.laid(self.page)

    @cached_property
    def boxes(self) -> dict[str, tuple[Box, ...]]:
        """The boxes of each layer that is on."""
        found: dict[str, tuple[Box, ...]] = {}
        if "Columns" in self.on:
            found["Columns"] = tables.columns(self.page)
        if "Tables" in self.on:
            found["Tables"] = tuple(draft.box for draft in self.laid.drafts)
        if "Blocks" in self.on:
            found["Blocks"] = tuple(around([line.box for line in block.lines]) for block in self.blocks)
        if "Lines" in self.on:
            found["Lines"] = tuple(line.box for line in self.laid.lines)
        if "Words" in self.on:
            found["Words"] = tuple(word.box for word in self.page.words[:MOST])
        return found

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        return roles.of(self.page, self.laid)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks, parted where the role of their lines changes."""
        lines = zip(self.laid.lines, self.roles, strict=True)
        runs = groupby(lines, key=lambda line: (line[0].block, line[1]))
        return tuple(Block(tuple(line for line, _ in run), role) for (_, role), run in runs)


def marks(layers: Layers) -> list[Mark]:
    """The boxes of all layers that are on; the smaller lie over the larger."""
    found = []
    for name, boxes in layers.boxes.items():
        if name == "Words":
            found += list(_words(layers.page))
            continue
        found += [
            Mark(f"{name}-{number}", box, _color(layers, name, number), _told(layers, name, number))
            for number, box in enumerate(boxes)
        ]
        if name == "Tables":
            found += [mark for draft in layers.laid.drafts for mark in _cells(draft)]
    return found


def _color(layers: Layers, name: str, number: int) -> str:
    return ROLE_COLORS[layers.blocks[number].role] if name == "Blocks" else COLORS[name]


def _words(page: Page) -> Iterator[Mark]:
    for number, word in enumerate(page.words[:MOST]):
        if word.confidence < SURE:
            yield Mark(f"Words-{number}", word.box, UNSURE, _word(word), form="dotted")
        elif word.rotation:
            yield Mark(f"Words-{number}", _levelled(word), TURNED, _word(word), form="dashed", turn=_skew(word))
        else:
            yield Mark(f"Words-{number}", word.box, COLORS["Words"], _word(word), form="thin")


def _skew(word: Word) -> int:
    """Degrees clockwise from the nearest quarter turn, -45 to 45; 0 where it is hardly seen."""
    skew = (word.rotation + 45) % 90 - 45
    return skew if abs(skew) >= LEAST_SKEW else 0


def _levelled(word: Word) -> Box:
    """The rectangle that, turned back by its skew, holds the word; the box itself where it stands straight.

    A rectangle of length l and height h, turned by t, fills a box l·cos t + h·sin t wide and l·sin t + h·cos t high.
    """
    skew = math.radians(abs(_skew(word)))
    if not skew:
        return word.box
    upright = (word.rotation + 45) // 90 % 2 == 0
    wide, high = (word.box.width, word.box.height) if upright else (word.box.height, word.box.width)
    thick = min(word.size, wide, high)
    along = max(thick, (wide - thick * math.sin(skew)) / math.cos(skew))
    x, y = word.box.middle
    half = (along / 2, thick / 2) if upright else (thick / 2, along / 2)
    return Box(x - half[0], y - half[1], x + half[0], y + half[1])


def _cells(draft: Draft) -> Iterator[Mark]:
    for heading, bands in ((True, draft.heads), (False, draft.rows)):
        for band in bands:
            for entry in band.entries:
                what = "Header cell" if heading else "Cell"
                tip = f"{what}, column {entry.column + 1}: {_short(entry.text)}"
                yield Mark(None, entry.box, COLORS["Tables"], tip, form="dashed" if heading else "thin")


def _word(word: Word) -> str:
    parts = [
        f"{word.text}",
        f"{word.size:.1f} pt",
        word.font,
        _weight(word),
        f"turned {word.rotation}°" if word.rotation else "",
        f"confidence {word.confidence:.2f}",
    ]
    return " · ".join(filter(None, parts))


def _weight(word: Word) -> str:
    return " ".join(name for name, is_so in (("bold", word.bold), ("italic", word.italic)) if is_so)


def _told(layers: Layers, name: str, number: int) -> str:
    laid = layers.laid
    match name:
        case "Lines":
            return f"Line {number + 1}: {_short(laid.lines[number].text)}"
        case "Blocks":
            lines, role = layers.blocks[number].lines, layers.blocks[number].role
            return f"Block {number + 1}, {role}, {words.counted(len(lines), 'line')}: {_short(lines[0].text)}"
        case "Columns":
            return f"Part {number + 1} of {len(layers.boxes['Columns'])} in reading order"
        case _:
            draft = laid.drafts[number]
            kind = "ruled" if draft.ruled else "by alignment"
            columns, rows = words.counted(len(draft.lanes), "column"), words.counted(len(draft.rows), "row")
            return f"Table {number + 1}, {kind}: {columns}, {rows}"


def _short(text: str) -> str:
    told = " ".join(text.split())
    return told if len(told) <= SHOWN else f"{told[:SHOWN]}…"


def legend(layers: Layers) -> list[Legend]:
    """What the colours and forms on the page mean; only of what is there."""
    found: list[Legend] = []
    for name in (name for name in LAYERS if name in layers.on):
        if name == "Blocks":
            found += _roles(layers)
            continue
        count = len(layers.page) if name == "Words" else len(layers.boxes[name])
        label = f"{name.lower()} ({count:,})" if count <= MOST else f"the first {MOST:,} of {count:,} words"
        found.append(Legend(COLORS[name], label, form="thin" if name == "Words" else ""))
    if "Words" in layers.on:
        if turned := sum(map(bool, layers.page.rotations)):
            found.append(Legend(TURNED, f"turned or skewed ({turned:,})", form="dashed"))
        if unsure := sum(confidence < SURE for confidence in layers.page.confidences):
            found.append(Legend(UNSURE, f"confidence below {SURE:.0%} ({unsure:,})", form="dotted"))
    return found


def _roles(layers: Layers) -> Iterator[Legend]:
    """The blocks by their roles."""
    for role in ROLES:
        count = sum(block.role == role for block in layers.blocks)
        if count or role == "text":
            name = "blocks" if role == "text" else f"{role}s"
            yield Legend(ROLE_COLORS[role], f"{name} ({count:,})")


@dataclass(frozen=True)
class Fact:
    """Something that is known of a mark: its name and what it is."""

    name: str
    value: str


def facts(layers: Layers, key: str) -> tuple[str, list[Fact]]:
    """The text of the mark with this key, and what is known of it; nothing where it is not on the page."""
    name, _, number = key.partition("-")
    boxes = layers.boxes.get(name, ())
    if not number.isdecimal() or int(number) >= len(boxes):
        return "", []
    at, box = int(number), boxes[int(number)]
    place = Fact("Place", f"{box.x0:.1f}, {box.top:.1f} to {box.x1:.1f}, {box.bottom:.1f} pt")
    match name:
        case "Words":
            return layers.page.words[at].text, [*_of_word(layers.page, layers.page.words[at]), place]
        case "Lines":
            line = layers.laid.lines[at]
            facts = [Fact("Line", f"{at + 1}"), Fact("Words", f"{len(line.words)}"), Fact("Role", layers.roles[at])]
            return line.text, [*facts, place]
        case "Blocks":
            block = layers.blocks[at]
            text = "\n".join(line.text for line in block.lines)
            return text, [Fact("Block", f"{at + 1}"), Fact("Role", block.role), place]
        case _:
            return _told(layers, name, at), [place]


def _of_word(page: Page, word: Word) -> list[Fact]:
    source = "OCR" if page.origin == "ocr" and word.font == "ocr" else "text layer"
    return [
        Fact("Size", f"{word.size:.2f} pt"),
        Fact("Font", " ".join(filter(None, [word.font or "not named", _weight(word)]))),
        Fact("Confidence", f"{word.confidence:.2f} ({source})"),
        Fact("Direction", f"turned {word.rotation}°" if word.rotation else "level"),
    ]
