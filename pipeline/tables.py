"""The lines of a page with its tables: ruled ones read cell by cell, others found by alignment.

Comes in: a `Page`. Goes out: `Laid`: lines in reading order, and `Draft`s of tables over them. The one way from a page
to its lines for whatever reads sections. Nothing is refused: without tables the lines are those of layout.py.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from pipeline import aligned, aside, lattice, layout
from pipeline.aligned import Ground
from pipeline.aside import Column
from pipeline.bands import Band, Draft, Piece
from pipeline.lattice import Lattice
from pipeline.model import Box, Line, Page, Word, around

LAST = 4  # lines of a page among which those stand that `aside` sets apart
STAND_IN = "\0"  # no font is named so


class Laid(NamedTuple):
    """A page's lines in reading order, and the tables over them."""

    lines: tuple[Line, ...]
    drafts: tuple[Draft, ...]


def all_laid(pages: Sequence[Page], ready: Sequence[Laid] = ()) -> list[Laid]:
    """Each page as `laid` gives it (`ready`, if they are at hand); where pages have line numbers, the few figures of
    other pages that stand in line with them are line numbers too.
    """
    found = list(ready or map(laid, pages))
    column = aside.column(line for one in found for line in one.lines[-LAST:])
    if column is None:
        return found
    return [one if _is_numbered(one) else laid(page, column) for page, one in zip(pages, found, strict=True)]


def _is_numbered(one: Laid) -> bool:
    return any(map(aside.is_line_numbers, one.lines[-LAST:]))


def laid(page: Page, column: Column | None = None) -> Laid:
    """The page's lines in reading order, ruled tables read row by row, and the tables among them. column: where line
    numbers stand on other pages.
    """
    straight, originals = upright(page)
    turned = _laid(straight, None if originals else column)
    if not originals:
        return turned

    def back(piece: Piece) -> Piece:
        return piece._replace(words=tuple(originals[word] for word in piece.words))

    lines = (replace(line, words=tuple(originals[word] for word in line.words)) for line in turned.lines)
    boxed = (replace(line, box=around([word.box for word in line.words])) for line in lines)
    return Laid(tuple(boxed), tuple(_changed(draft, back) for draft in turned.drafts))


def upright(page: Page) -> tuple[Page, dict[Word, Word]]:
    """The page turned so that most of its words stand upright, and its words by theirs; none where it is so already."""
    turn = _turn(page)
    if not turn:
        return page, {}
    straight = _upright(page, turn)
    return straight, dict(zip(straight.words, page.words, strict=True))


def columns(page: Page) -> tuple[Box, ...]:
    """The parts that are read one after the other, in that order; a ruled table stands whole in one of them."""
    if not (turn := _turn(page)):
        return _columns(page)
    upright = _upright(page, turn)
    return tuple(layout.upright(box, 360 - turn, upright) for box in _columns(upright))


def _columns(page: Page) -> tuple[Box, ...]:
    apart = aside.groups(page)
    rest = _rest(page, apart) if apart else page
    ruled = lattice.lattices(rest) if rest.cells else []
    return layout.columns(_stood_in(rest, ruled) if ruled else rest)


def _laid(page: Page, column: Column | None = None) -> Laid:
    """The page's lines, with what is printed beside and across its text behind them, line by line."""
    apart = aside.groups(page, column)
    if not apart:
        return _without(page)
    rest = _without(_rest(page, apart))
    block = max((line.block for line in rest.lines), default=-1) + 1
    lines = [
        Line(page.number, group, around([word.box for word in group]), block + index)
        for index, group in enumerate(apart)
    ]
    return Laid((*rest.lines, *lines), rest.drafts)


def _rest(page: Page, apart: Sequence[Sequence[Word]]) -> Page:
    """The page without what stands apart."""
    taken = {word for group in apart for word in group}
    return page.with_words([word for word in page.words if word not in taken])


def _without(page: Page) -> Laid:
    ruled = lattice.lattices(page) if page.cells else []
    lines, free, drafts = _placed(page, ruled) if ruled else (layout.lines(page), None, [])
    free = free or [True] * len(lines)
    drafts = drafts + [draft._replace(page=page.number) for draft in aligned.drafts(lines, _ground(page), free)]
    return Laid(tuple(lines), tuple(drafts))


def _turn(page: Page) -> int:
    """The quarter turn of most of the page's words, as tables set sideways have; 0 where there is none."""
    if not any(page.rotations):
        return 0
    counts = Counter(round(rotation / 90) % 4 * 90 for rotation in page.rotations)
    turn, count = max(counts.items(), key=lambda item: item[1])
    return turn if 2 * count > len(page) else 0


def _upright(page: Page, turn: int) -> Page:
    """The page as it looks when it is turned so that its text is level; its words in the same order."""

    def turned(x0: float, top: float, x1: float, bottom: float) -> Box:
        return layout.upright(Box(x0, top, x1, bottom), turn, page)

    words = [word._replace(box=turned(*word.box), rotation=(word.rotation - turn) % 360) for word in page.words]
    rules, cells = array("f"), array("f")
    for x0, top, x1, bottom, shade in zip(*[iter(page.rules)] * 5, strict=True):
        rules.extend((*turned(x0, top, x1, bottom), shade))
    for number, x0, top, x1, bottom in zip(*[iter(page.cells)] * 5, strict=True):
        cells.extend((number, *turned(x0, top, x1, bottom)))
    width, height = (page.height, page.width) if turn % 180 else (page.width, page.height)
    return replace(page.with_words(words), width=width, height=height, rules=rules, cells=cells)


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
    lines: list[Line] = []
    free: list[bool] = []
    drafts = []
    for line in layout.lines(_stood_in(page, ruled)):
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


def _stood_in(page: Page, ruled: Sequence[Lattice]) -> Page:
    """The page with a word in place of each ruled table."""
    taken = {word for table in ruled for line in table.lines for word in line.words}
    rest = [word for word in page.words if word not in taken]
    return page.with_words([*rest, *(_stand_in(table, number) for number, table in enumerate(ruled))])


def _stand_in(table: Lattice, number: int) -> Word:
    """A word as large as the table, for the page's order."""
    words = [word for line in table.lines for word in line.words]
    sizes = sorted(word.size for word in words)
    return Word("x" * 40, around([word.box for word in words]), sizes[len(sizes) // 2], f"{STAND_IN}{number}")


def shifted(draft: Draft, by: int) -> Draft:
    """The draft with its lines counted from another one."""
    return _changed(draft, lambda piece: piece._replace(line=piece.line + by))


def _changed(draft: Draft, change: Callable[[Piece], Piece]) -> Draft:
    heads, rows = (tuple(mapped(band, change) for band in part) for part in (draft.heads, draft.rows))
    return draft._replace(heads=heads, rows=rows)


def mapped(band: Band, change: Callable[[Piece], Piece]) -> Band:
    """The row with each piece of its cells changed."""
    return Band(tuple(entry._replace(pieces=tuple(map(change, entry.pieces))) for entry in band.entries))
