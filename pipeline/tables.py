"""The lines of a page with its tables: ruled ones read cell by cell, others found by alignment.

Comes in: a `Page`. Goes out: `Laid`: lines in reading order, and `Draft`s of tables over them. The one way from a page
to its lines for whatever reads sections. Nothing is refused: without tables the lines are those of layout.py.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from pipeline import aligned, lattice, layout
from pipeline.aligned import Ground
from pipeline.bands import Band, Draft
from pipeline.lattice import Lattice
from pipeline.model import Box, Font, Line, Page, Word, around

STAND_IN = "\0"  # no font is named so


class Laid(NamedTuple):
    """A page's lines in reading order, and the tables over them."""

    lines: tuple[Line, ...]
    drafts: tuple[Draft, ...]


def laid(page: Page) -> Laid:
    """The page's lines in reading order, ruled tables read row by row, and the tables among them."""
    ruled = lattice.lattices(page) if page.cells else []
    lines, free, drafts = _placed(page, ruled) if ruled else (layout.lines(page), None, [])
    free = free or [True] * len(lines)
    ground = _ground(page)
    drafts = drafts + [draft._replace(page=page.number) for draft in aligned.drafts(lines, ground, free)]
    return Laid(tuple(lines), tuple(drafts))


def _ground(page: Page) -> Ground:
    rules, fills = [], []
    for x0, top, x1, bottom, shade in zip(*[iter(page.rules)] * 5, strict=True):
        if shade >= 0:
            fills.append((Box(x0, top, x1, bottom), shade))
        elif x1 > x0:
            rules.append(Box(x0, top, x1, bottom))
    return Ground(tuple(rules), tuple(fills))


def _placed(page: Page, ruled: Sequence[Lattice]) -> tuple[list[Line], list[bool], list[Draft]]:
    """The page's lines with those of ruled tables in the place of each table."""
    taken = {word for table in ruled for line in table.lines for word in line.words}
    rest = [word for word in page.words if word not in taken]
    stand_ins = [_stand_in(table, number) for number, table in enumerate(ruled)]
    lines: list[Line] = []
    free: list[bool] = []
    drafts = []
    for line in layout.lines(_with_words(page, [*rest, *stand_ins])):
        words = [word for word in line.words if not word.font.startswith(STAND_IN)]
        for word in line.words:
            if word.font.startswith(STAND_IN):
                table = ruled[int(word.font[1:])]
                drafts.append(shifted(table.draft, len(lines)))
                lines += [replace(one, block=line.block) for one in table.lines]
                free += [False] * len(table.lines)
        if words:
            lines.append(replace(line, words=tuple(words), box=around([word.box for word in words])))
            free.append(True)
    return lines, free, drafts


def _stand_in(table: Lattice, number: int) -> Word:
    """A word as large as the table, for the page's order."""
    words = [word for line in table.lines for word in line.words]
    sizes = sorted(word.size for word in words)
    return Word("x" * 40, around([word.box for word in words]), sizes[len(sizes) // 2], f"{STAND_IN}{number}")


def shifted(draft: Draft, by: int) -> Draft:
    """The draft with its lines counted from another one."""

    def moved(band: Band) -> Band:
        entries = (
            entry._replace(pieces=tuple(piece._replace(line=piece.line + by) for piece in entry.pieces))
            for entry in band.entries
        )
        return Band(tuple(entries))

    return draft._replace(heads=tuple(map(moved, draft.heads)), rows=tuple(map(moved, draft.rows)))


def _with_words(page: Page, words: Sequence[Word]) -> Page:
    fonts: dict[Font, int] = {}
    ids = array("H", [fonts.setdefault(Font(word.font, word.bold, word.italic), len(fonts)) for word in words])
    return replace(
        page,
        text="\n".join(word.text for word in words),
        boxes=array("f", [side for word in words for side in word.box]),
        sizes=array("f", [word.size for word in words]),
        font_ids=ids,
        rotations=array("h", [word.rotation for word in words]),
        confidences=array("f", [word.confidence for word in words]),
        fonts=tuple(fonts),
    )
