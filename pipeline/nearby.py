"""What stands around a place on a page, and how well it says what a key asks for.

Comes in: a `Ground` and `Leaf`s. Goes out: evidence, a number from 0: the words of the key (in any language), and of
its description, that stand before the place, on its line, above its column. Words that name many keys or stand all over
the document tell little. Refuses nothing: without a label that is understood the evidence is 0.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from pipeline import calendars, keywords, layout, numerals
from pipeline.ground import PERCENTS, Cell, Ground, Spot
from pipeline.keywords import Cue, Texts
from pipeline.leaves import Leaf
from pipeline.model import Box

BEFORE, AFTER, EARLIER = 1.0, 0.5, 0.4  # how much words in the value's own cell tell
BESIDE, BEHIND = 0.9, 0.45  # in the cell in front of it, and in the one after it
OVER, HEADER, UNDER = 0.85, 0.7, 0.3  # right above, at the top of its column, right below
CORNER = 8.0  # line heights that the value of a cell of a grid may stand aside of its label
OTHERS = 0.5  # of what stands higher than a label right above: labels of other values, as in grids
FADES = 0.9  # for each cell of figures in between
RANKED = 12  # of the values that a key names best
OWNED = 0.4  # of what a label tells, where a value of its own follows it in its cell
CLOSE = 2.6  # line heights
HIGHEST = 80  # lines up to a column's header
RATES = frozenset(("rate", "percent", "percentage", "pct", "share", "ratio", "margin", "yield", "discount"))
PERCENT = 0.9  # evidence of a % at a number for a key that asks for a rate
HEADS = 40  # cells up to a sign that heads a column
COMMON = 0.4  # of all pieces of text: a word that more of them hold tells nothing


class Piece(NamedTuple):
    """Text between the figures of a cell: cell.text[start:end]."""

    cell: int
    start: int
    end: int


@dataclass(frozen=True)
class Nearby:
    """The pieces of text of a document, and what is near what."""

    ground: Ground
    _near: dict[tuple[int, int, int], tuple[tuple[int, float], ...]] = field(default_factory=dict, repr=False)
    _cues: dict[tuple[tuple[str, ...], str], tuple[tuple[Cue, frozenset[int], float], ...]] = field(
        default_factory=dict, repr=False
    )
    _up: dict[int, tuple[int, ...]] = field(default_factory=dict, repr=False)
    _reach: dict[str, Mapping[int, Sequence[tuple[int, float]]]] = field(default_factory=dict, repr=False)
    _leads: dict[tuple[int, int], Texts] = field(default_factory=dict, repr=False)
    counts: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        return tuple(
            Piece(index, start, end) for index, cell in enumerate(self.ground.cells) for start, end in _between(cell)
        )

    @cached_property
    def of_cell(self) -> Mapping[int, tuple[int, ...]]:
        found = defaultdict(list)
        for index, piece in enumerate(self.pieces):
            found[piece.cell].append(index)
        return {cell: tuple(held) for cell, held in found.items()}

    @cached_property
    def texts(self) -> Texts:
        return Texts([self.ground.cells[piece.cell].text[piece.start : piece.end] for piece in self.pieces])

    @cached_property
    def _leftward(self) -> frozenset[int]:
        """The pages that are read from the right."""
        counted: Counter[int] = Counter()
        for cell in self.ground.cells:
            counted[cell.page] += 1 if layout.LEFTWARD.search(cell.text) else -1 if cell.text.isalpha() else 0
        return frozenset(page for page, count in counted.items() if count > 0)

    def cues(self, leaf: Leaf) -> tuple[tuple[Cue, frozenset[int], float], ...]:
        """The leaf's cues that stand somewhere, the pieces they stand in, and what each tells here."""
        at = (leaf.key, leaf.said.title)
        if at not in self._cues:
            found = []
            for cue in keywords.cues(leaf):
                held = self.texts.holding(cue.patterns)
                if held and len(held) < max(6, COMMON * len(self.pieces)):
                    shared = self.counts.get(cue.patterns[0], 1)
                    weight = cue.weight / (1 + 0.35 * math.log2(len(held))) / shared**0.6
                    found.append((cue, held, weight))
            self._cues[at] = tuple(found)
        return self._cues[at]

    def evidence(self, leaf: Leaf, spot: Spot) -> float:
        """How well what stands around the spot says what the leaf's key asks for."""
        near = self.near(spot)
        told = PERCENT if leaf.kind == "number" and RATES & set(leaf.words) and self._percent(spot) else 0.0
        for cue, held, weight in self.cues(leaf):
            much = max((much for piece, much in near if piece in held), default=None)
            if much is None:
                much = BEFORE if self._lead(spot).holding(cue.patterns) else 0.0
            told += weight * much
        return told

    def _percent(self, spot: Spot) -> bool:
        """Whether a % stands at a number, or alone above its column."""
        if self.ground.percent(spot):
            return True
        above = self._upper(spot.cell, spot)
        for _ in range(HEADS):
            if not above:
                break
            texts = [self.ground.cells[cell].text for cell in above]
            if any(text.strip("() ") in PERCENTS for text in texts):
                return True
            if any(char.isalpha() for text in texts for char in text):
                break
            above = self._higher(above[0])
        return False

    def _lead(self, spot: Spot) -> Texts:
        """The words before a text in its own cell, after the last colon but one."""
        lead = self.ground.cells[spot.cell].text[: spot.start]
        at = (spot.cell, spot.start)
        if at not in self._leads:
            self._leads[at] = Texts([lead] if lead else [])
        return self._leads[at]

    def near(self, spot: Spot) -> tuple[tuple[int, float], ...]:
        """The pieces of text around a spot, and how much each tells."""
        at = (spot.cell, spot.start, spot.end)
        if at not in self._near:
            found: dict[int, float] = {}
            for piece, much in (*self._inside(spot), *self._along(spot), *self._above(spot)):
                found[piece] = max(much, found.get(piece, 0.0))
            self._near[at] = tuple(found.items())
        return self._near[at]

    def _inside(self, spot: Spot) -> list[tuple[int, float]]:
        """The pieces of its own cell, without those that it covers a part of."""
        found = []
        held = self.of_cell.get(spot.cell, ())
        before = [index for index in held if self.pieces[index].end <= spot.start + 1]
        after = [index for index in held if self.pieces[index].start >= spot.end - 1]
        for rank, index in enumerate(reversed(before)):
            found.append((index, BEFORE if rank == 0 else EARLIER))
        found += [(index, AFTER) for index in after[:1]]
        return found

    def _along(self, spot: Spot) -> list[tuple[int, float]]:
        """The nearest cells with words on its line, in front of it and behind it."""
        line = self.ground.levels[spot.page, self.ground.cells[spot.cell].level]
        at = line.index(spot.cell)
        sides = (line[:at][::-1], line[at + 1 :])
        if spot.page in self._leftward:
            sides = sides[::-1]
        found = []
        for side, most in zip(sides, (BESIDE, BEHIND), strict=True):
            much = most
            for cell in side[:12]:
                held = self.of_cell.get(cell, ())
                found += [(index, much * self._free(index)) for index in held]
                much *= 0.45 if held else FADES
                if much < 0.15:
                    break
        return found

    def _above(self, spot: Spot) -> list[tuple[int, float]]:
        """The words above it in its column, up to its header, and those right below it."""
        found, wordy = [], 0
        height = max(spot.box.height, 4.0)
        figures = not any(char.isalpha() for char in spot.quote)
        above, fades = self._upper(spot.cell, spot), 1.0
        if figures and (label := self._cornered(spot)) is not None:
            found += [(index, OVER * self._free(index)) for index in self.of_cell[label]]
            fades = OTHERS
        for rank in range(HIGHEST):
            if not above or wordy > 3:
                break
            close = False
            for cell in above:
                held = self.of_cell.get(cell, ())
                close = spot.box.top - self.ground.cells[cell].box.bottom < CLOSE * height
                found += [(index, (OVER if close else HEADER) * fades * self._free(index)) for index in held]
            if any(cell in self.of_cell for cell in above):
                wordy += 1
                fades *= OTHERS if rank == 0 and close and figures else 0.8
            above = self._higher(above[0])
        for cell in self._over(spot.page, self.ground.cells[spot.cell].level + 1, spot.box):
            if self.ground.cells[cell].box.top - spot.box.bottom < height:
                found += [(index, UNDER) for index in self.of_cell.get(cell, ())]
        return found

    def _cornered(self, spot: Spot) -> int | None:
        """The label in the other upper corner of a cell of a grid: on a line of labels right above, none of which
        stands over the spot, the last that begins before it.
        """
        line = self.ground.levels.get((spot.page, self.ground.cells[spot.cell].level - 1), ())
        boxes = [self.ground.cells[cell].box for cell in line]
        height = max(spot.box.height, 4.0)
        if (
            not line
            or not all(cell in self.of_cell for cell in line)
            or self._over(spot.page, spot.level - 1, spot.box)
        ):
            return None
        if spot.box.top - max(box.bottom for box in boxes) > CLOSE * height:
            return None
        leftward = spot.page in self._leftward
        before = [
            (box.x0 - spot.box.x1 if leftward else spot.box.x0 - box.x1, cell)
            for box, cell in zip(boxes, line, strict=True)
        ]
        away, label = min((one for one in before if one[0] > 0), default=(math.inf, -1))
        return label if away < CORNER * height else None

    def _free(self, piece: int) -> float:
        """How much a piece tells of values outside of its cell: less where it is the label of one inside."""
        cell, start, end = self.pieces[piece]
        text = self.ground.cells[cell].text
        label, colon, value = text[start:end].partition(":")
        return OWNED if end < len(text.rstrip(" .:)")) or (label and colon and value.strip()) else 1.0

    def _upper(self, cell: int, spot: Spot) -> tuple[int, ...]:
        """The nearest cells above a spot that share its width."""
        for level in range(self.ground.cells[cell].level - 1, -1, -1):
            if held := self._over(spot.page, level, spot.box):
                return tuple(held)
        return ()

    def _higher(self, cell: int) -> tuple[int, ...]:
        if cell not in self._up:
            self._up[cell] = self._upper(cell, self.ground.whole(cell))
        return self._up[cell]

    def _over(self, page: int, level: int, wide: Box) -> list[int]:
        """The cells of a line that share a part of the width."""
        found = []
        for index in self.ground.levels.get((page, level), ()):
            box = self.ground.cells[index].box
            if min(box.x1, wide.x1) - max(box.x0, wide.x0) > 0.2 * min(box.width, wide.width):
                found.append(index)
        return found

    # ------------------------------------------------------------ labels

    def _reached(self, kind: str) -> Mapping[int, Sequence[tuple[int, float]]]:
        """By piece: the spots of a kind of value that it is near to, and how much it tells of each."""
        if kind not in self._reach:
            near = defaultdict(list)
            for rank, spot in enumerate(self.ground.typed.get(kind, ())):
                for piece, much in self.near(spot):
                    near[piece].append((rank, much))
            self._reach[kind] = near
        return self._reach[kind]

    def labelled(self, leaf: Leaf) -> list[tuple[Spot, float]]:
        """The numbers or dates of the document that are best named by the leaf's key, and the evidence for each."""
        reached = self._reached(leaf.kind)
        told: dict[int, float] = defaultdict(float)
        for _, held, weight in self.cues(leaf):
            best: dict[int, float] = {}
            for piece in held:
                for rank, much in reached.get(piece, ()):
                    best[rank] = max(much, best.get(rank, 0.0))
            for rank, much in best.items():
                told[rank] += weight * much
        ranked = sorted(told.items(), key=lambda one: (-one[1], one[0]))[:RANKED]
        return [(self.ground.typed[leaf.kind][rank], much) for rank, much in ranked]


def nearby(ground: Ground, leaves: Sequence[Leaf]) -> Nearby:
    """What stands around what; a cue that many keys of the leaves have tells less."""
    keys = {leaf.key: leaf for leaf in leaves}
    counts = Counter(cue.patterns[0] for leaf in keys.values() for cue in keywords.cues(leaf))
    return Nearby(ground, counts=counts)


def _between(cell: Cell) -> list[tuple[int, int]]:
    """The parts of a cell's text between its numbers and dates that hold letters."""
    taken = sorted(
        {(one.start, one.end) for one in calendars.dates(cell.text)}
        | {(one.start, one.end) for one in numerals.numerals(cell.text) if not one.part}
    )
    found, start = [], 0
    for begin, end in (*taken, (len(cell.text), len(cell.text))):
        if any(char.isalpha() for char in cell.text[start:begin]):
            found.append((start, begin))
        start = max(start, end)
    return found
