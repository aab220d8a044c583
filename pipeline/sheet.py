"""A page for reading rows: its lines over the whole width, level, from the top, with the ruled tables among them.

Comes in: a `Page`. Goes out: a `Sheet`. Words turned against most of the page's words are left out. Where the page is
set sideways or was scanned askew the lines are those of the page put straight; `printed` leads back. Nothing is
refused: a page without words has no lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pipeline import lattice, layout, tables
from pipeline.bands import Band, Draft
from pipeline.lattice import Lattice
from pipeline.model import Box, Line, Page, Place, Word, around


@dataclass(frozen=True)
class Sheet:
    """lines: level, from the top; ruled: tables over them, by line; originals: level word → printed word, where these
    differ.
    """

    page: int
    lines: tuple[Line, ...] = ()
    ruled: tuple[Draft, ...] = ()
    originals: Mapping[Word, Word] = field(default_factory=dict)

    def word(self, level: Word) -> Word:
        """The word as printed."""
        return self.originals.get(level, level)

    def place(self, words: Sequence[Word]) -> Place:
        """Where level words stand on the page."""
        return Place(self.page, around([self.word(word).box for word in words]))

    def box(self, line: Line) -> Box:
        """Where a line, or a part of one, stands on the page."""
        return self.place(line.words).box if self.originals else line.box

    def band(self, level: Band) -> Band:
        """The row with its words as printed."""
        if not self.originals:
            return level
        return tables.mapped(level, lambda piece: piece._replace(words=tuple(map(self.word, piece.words))))

    @cached_property
    def pages(self) -> Mapping[int, int]:
        """The page of each line."""
        return dict.fromkeys(range(len(self.lines)), self.page)

    @cached_property
    def printed(self) -> tuple[Line, ...]:
        """The lines with their words as printed."""
        if not self.originals:
            return self.lines
        return tuple(
            Line(self.page, tuple(map(self.word, line.words)), self.box(line), line.block) for line in self.lines
        )


def sheet(page: Page) -> Sheet:
    """The page's lines and ruled tables, level."""
    upright, level, originals = _level(page)
    ruled = lattice.lattices(upright) if upright.cells else []
    if not ruled:
        return Sheet(page.number, _lines(page.number, level), (), originals)
    lines, drafts = _with_ruled(page.number, level, ruled)
    return Sheet(page.number, lines, drafts, originals)


def unruled(page: Page) -> Sheet:
    """The page's lines, level, over its whole width and across whatever tables are on it."""
    _, level, originals = _level(page)
    return Sheet(page.number, _lines(page.number, level), (), originals)


def _level(page: Page) -> tuple[Page, list[Word], dict[Word, Word]]:
    """The page upright, its words level, and level word → printed word where these differ."""
    upright, originals = tables.upright(page)
    level: list[Word] = []
    for box, word in layout.level(upright):
        level.append(word if box is word.box else word._replace(box=box))
        if originals or box is not word.box:
            originals[level[-1]] = originals.get(word, word)
    return upright, level, originals


def _lines(page: int, words: Sequence[Word]) -> tuple[Line, ...]:
    rows = layout.across([(_line_high(word), word) for word in words])
    return tuple(Line(page, tuple(row), around([word.box for word in row]), 0) for row in rows)


def _line_high(word: Word) -> Box:
    """The word's box; that of a font with boxes of several lines as high as one line, around its middle."""
    box = word.box
    if box.height <= 1.6 * word.size:
        return box
    middle = box.middle[1]
    return Box(box.x0, middle - 0.6 * word.size, box.x1, middle + 0.6 * word.size)


def _with_ruled(
    page: int, words: Sequence[Word], ruled: Sequence[Lattice]
) -> tuple[tuple[Line, ...], tuple[Draft, ...]]:
    """The lines from the top, those of each ruled table together, in its rows."""
    taken = {word for table in ruled for line in table.lines for word in line.words}
    rest = _lines(page, [word for word in words if word not in taken])
    pieces: list[tuple[float, tuple[Line, ...], Draft | None]] = [(line.box.top, (line,), None) for line in rest]
    pieces += [(table.draft.box.top, table.lines, table.draft) for table in ruled]
    lines: list[Line] = []
    drafts = []
    for _, held, draft in sorted(pieces, key=lambda piece: piece[0]):
        if draft:
            drafts.append(tables.shifted(draft, len(lines)))
        lines += held
    return tuple(lines), tuple(drafts)
