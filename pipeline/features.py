"""What the outline is decided by: per-line features, and what is typical of the whole document.

Comes in: a `Reading`. Goes out: `Features`, computed once a parse; tuning works on them alone.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from pipeline import colours, tables
from pipeline.bands import Draft
from pipeline.colours import Palette
from pipeline.model import Bookmark, Box, Line, Reading
from pipeline.numbering import Numbering
from pipeline.roles import Role
from pipeline.shapes import Shape, Shaped, added, shaped

WORD = re.compile(r"\w+(?:[-./&]\w+)*")
JITTER = 0.03  # sizes closer than this share of each other are one size
MINIMUM_JITTER = 0.26  # points


class Feature(NamedTuple):
    """One line. Sizes and distances in points; `size` is that of most of its characters, as one of the document's
    sizes. `above`: white space to the line above it in its column. `lead`: words at its start that are bold where
    the rest is not. `cells`: how many parts with wide gaps between them
    it has, `parts`: their texts. `starts`: first line of its block; `block_lines`:
    how many lines its block has. `colour`: of all its words, or the body's (0xRRGGBB).
    """

    at: int
    page: int
    text: str
    box: Box
    size: float
    bold: bool
    italic: bool
    caps: bool
    lead: int
    cells: int
    parts: tuple[str, ...]
    above: float
    starts: bool
    block: int
    block_lines: int
    turned: bool
    ocr: bool
    number: Numbering | None
    colour: int = 0
    role: Role = "text"


@dataclass(frozen=True)
class Features:
    """All lines in reading order, the tables over them, and the document's type: body size (mode by characters),
    whether the body is bold, its colours, and the histogram of sizes (points, characters), by size.
    """

    lines: tuple[Feature, ...]
    printed: tuple[Line, ...]
    pages: tuple[tuple[float, float], ...]
    histogram: tuple[tuple[float, int], ...]
    body_size: float
    body_bold: bool
    bookmarks: tuple[Bookmark, ...]
    drafts: tuple[Draft, ...] = ()
    palette: Palette = Palette()

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word stands in the document."""
        return vocabulary(line.text for line in self.lines)


def words(text: str) -> list[str]:
    """Words, codes and numbers, without regard to case."""
    return WORD.findall(text.casefold())


def vocabulary(texts: Iterable[str]) -> Counter[str]:
    """How often each word stands in the texts."""
    return Counter(word for text in texts for word in words(text))


def features(reading: Reading, ready: Sequence[Shaped] = ()) -> Features:
    """The features of every line of the document. ready: its pages as `shapes.shaped` gives them, if at hand."""
    printed: list[Line] = []
    drafts: list[Draft] = []
    looks: list[tuple[Role, Shape]] = []
    for part in _pages(reading, ready):
        drafts += (tables.shifted(draft, len(printed)) for draft in part.laid.drafts)
        printed += part.laid.lines
        looks += zip(part.roles, part.shapes, strict=True)
    ocr_pages = {page.number for page in reading.pages if page.origin == "ocr"}
    letters = [shape.sizes for _, shape in looks]
    sizes = _sizes(letters)
    each = [added((sizes[size], count) for size, count in line.items()) for line in letters]
    counts = added(item for line in each for item in line.items())
    bold = sum([len(word.text) for line in printed for word in line.words if word.bold])
    total = sum(counts.values())
    palette = colours.palette(printed)
    return Features(
        lines=tuple(_features(printed, looks, each, palette, ocr_pages)),
        printed=tuple(printed),
        pages=tuple((page.width, page.height) for page in reading.pages),
        histogram=tuple(sorted(counts.items())),
        body_size=max(counts, key=lambda size: counts[size]) if counts else 0.0,
        body_bold=bold > 0.5 * total,
        bookmarks=reading.bookmarks,
        drafts=tuple(drafts),
        palette=palette,
    )


def _sizes(letters: Iterable[Mapping[float, int]]) -> dict[float, float]:
    """Each size that occurs → the commonest size close to it: 11.9 and 12.0 are one."""
    counts = added(item for line in letters for item in line.items())
    chosen: dict[float, float] = {}
    for size in sorted(counts, key=lambda size: (-counts[size], size)):
        if size in chosen:
            continue
        reach = max(MINIMUM_JITTER, JITTER * size)
        for other in counts:
            if other not in chosen and abs(other - size) <= reach:
                chosen[other] = size
    return chosen


def _pages(reading: Reading, ready: Sequence[Shaped]) -> Iterator[Shaped]:
    """Each page with its shapes: those at hand, where what was seen on other pages changes nothing about its lines."""
    found = tables.all_laid(reading.pages, [one.laid for one in ready])
    for at, (page, laid) in enumerate(zip(reading.pages, found, strict=True)):
        yield ready[at] if ready and ready[at].laid is laid else shaped(page, laid)


def _features(
    printed: list[Line],
    looks: list[tuple[Role, Shape]],
    sizes: list[dict[float, int]],
    palette: Palette,
    ocr_pages: set[int],
) -> Iterable[Feature]:
    blocks: dict[tuple[int, int], int] = {}
    for line in printed:
        key = (line.page, line.block)
        blocks[key] = blocks.get(key, 0) + 1
    previous: Line | None = None
    for index, line in enumerate(printed):
        same = previous is not None and previous.page == line.page
        starts = not same or (previous is not None and previous.block != line.block)
        above = line.box.top - previous.box.bottom if same and previous else 99.0
        role, shape = looks[index]
        yield Feature(
            at=index,
            page=line.page,
            text=line.text,
            box=line.box,
            size=_commonest(sizes[index]),
            bold=shape.bold,
            italic=shape.italic,
            caps=shape.caps,
            lead=shape.lead,
            cells=len(shape.parts),
            parts=shape.parts,
            above=above if above >= -2 else 0.0 if previous and _under(line, previous) else 99.0,
            starts=starts,
            block=line.block,
            block_lines=blocks[line.page, line.block],
            turned=shape.turned,
            ocr=line.page in ocr_pages,
            number=shape.number,
            colour=palette.of(line),
            role=role,
        )
        previous = line


def _under(line: Line, previous: Line) -> bool:
    """Whether the line is below the previous one although their boxes overlap, as those of some fonts do."""
    down = line.box.middle[1] - previous.box.middle[1]
    return down >= 0.5 * min(line.box.height, previous.box.height) and line.box.x0 < previous.box.x1


def _commonest(counts: Mapping[float, int]) -> float:
    return max(counts, key=lambda size: (counts[size], size))
