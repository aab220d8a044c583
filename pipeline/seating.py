"""The rows of an array set on the lines of a page: each row on one line, each key in one column, rows in page order.

Comes in: a `Ground` with what is `Nearby`, and rows of leaves with the spots where each may stand. Goes out: a `Seat`
for each leaf (its spot, or what is wrong with it) and the lines that look like rows of the array but are none. The rows
are set together: a line is worth what of a row stands on it, going back costs, and two rows on one line cost more.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from pipeline.ground import Ground, Spot
from pipeline.leaves import Leaf
from pipeline.model import Box
from pipeline.nearby import Nearby

WAYS = 12  # lines that are weighed for a row
STATES = 40  # lines of earlier rows that are kept in mind
NEAR = 2  # lines: a row that goes over several
AROUND = 0.4  # of the worth of a value that stands on the next line only
SAME_LINE, BACK, LEAP = 0.7, 0.5, 0.015  # what it costs to stay on a line, to go back, and each line in between
MANY = 4  # rows that make a column
RARE = 0.2  # of a column's rows: fewer elsewhere are out of place
MARGIN = 0.2  # evidence by which titles must speak for an exchange
ENOUGH = 3  # rows before lines are said to be missing

Trouble = Literal["", "absent", "row", "column", "taken", "order", "unset"]


class Candidate(NamedTuple):
    """A leaf with the spots where it may stand."""

    leaf: Leaf
    spots: tuple[Spot, ...]


Row = tuple[Candidate, ...]


NOBODY: tuple[Leaf | None, Spot | None] = (None, None)


@dataclass(frozen=True)
class Seat:
    """Where a leaf of a row stands, or what is wrong, and what stands in its place instead; `by`: the key that has it.

    ties: how many other values of its row stand on the same line.
    """

    spot: Spot | None
    trouble: Trouble = ""
    instead: Spot | None = None
    by: tuple[str, ...] = ()
    ties: int = 0


class _Head(NamedTuple):
    """Where a column stands, and whether its values have figures: all, none, or (None) some."""

    box: Box
    figures: bool | None


class _Column:
    """Boxes, and how many of them are set to the same left, right or middle as another one."""

    def __init__(self, boxes: Sequence[Box]) -> None:
        self._edges = tuple(sorted(edges) for edges in zip(*map(_edges, boxes), strict=True))

    def count(self, box: Box) -> int:
        return max(self._counts(box), default=0)

    def aligned(self, box: Box) -> int:
        """The same by the side alone to which most of the boxes are set."""
        counts = self._counts(box)
        return counts[self._side] if counts else 0

    def _counts(self, box: Box) -> list[int]:
        near = _near(box)
        return [
            bisect_left(edges, edge + near) - bisect_right(edges, edge - near)
            for edges, edge in zip(self._edges, _edges(box), strict=False)
        ]

    @cached_property
    def _side(self) -> int:
        """The side (left, right, middle) that most boxes share."""
        most = [max(bisect_left(edges, at + 2.5) - bisect_left(edges, at) for at in edges) for edges in self._edges]
        return most.index(max(most))


@dataclass
class Seating:
    """Sets the rows of one array; made for one run."""

    ground: Ground
    nearby: Nearby
    rows: Sequence[Row]
    lines: list[int | None] = field(default_factory=list)
    step: int = 1
    _locals: dict[tuple[tuple[str, ...], int], tuple[Spot | None, int]] = field(default_factory=dict)
    _page_widths: dict[tuple[tuple[str, ...], int], _Column] = field(default_factory=dict)
    _exchanges: dict[tuple[tuple[str, ...], tuple[str, ...]], bool] = field(default_factory=dict)
    chosen: dict[tuple[int, int], Spot] = field(default_factory=dict)

    def seats(self) -> list[list[Seat]]:
        """A seat for each leaf of each row."""
        if not self.lines:
            self.lines, self.step = self._best()
            self._choose()
            self._choose_close()
        return [[self._seat(index, at) for at in range(len(row))] for index, row in enumerate(self.rows)]

    # ------------------------------------------------------------ lines

    @cached_property
    def _order(self) -> Mapping[tuple[int, int], int]:
        return {at: rank for rank, at in enumerate(sorted(self.ground.levels))}

    @cached_property
    def _at(self) -> tuple[tuple[int, int], ...]:
        return tuple(sorted(self.ground.levels))

    def _span(self, spot: Spot) -> range:
        first = self._order[spot.page, spot.level]
        return range(first, min(first + 6, self._order[spot.page, spot.last]) + 1)

    def _worth(self, candidate: Candidate) -> dict[int, float]:
        """The lines that a leaf may stand on, and how much each is worth by it."""
        lines = {line for spot in candidate.spots for line in self._span(spot)}
        size = len("".join(char for char in candidate.leaf.text if char.isalnum()))
        strength = min(1.5, 0.45 + 0.15 * size)
        return dict.fromkeys(lines, strength / (1 + 0.5 * math.log2(max(1, len(lines)))))

    def _ways(self, row: Row) -> list[tuple[int, float]]:
        """The likeliest lines of a row, and what each is worth."""
        scores: dict[int, float] = defaultdict(float)
        for candidate in row:
            worth = self._worth(candidate)
            close: dict[int, float] = {}
            for line, much in worth.items():
                scores[line] += much
                for at in (line - 2, line - 1, line + 1, line + 2):
                    if at not in worth and much > close.get(at, 0.0) and self._one_page(line, at):
                        close[at] = much
            for at, much in close.items():
                scores[at] += AROUND * much
        return sorted(scores.items(), key=lambda way: (-way[1], way[0]))[:WAYS]

    def _one_page(self, one: int, other: int) -> bool:
        return 0 <= other < len(self._at) and self._at[one][0] == self._at[other][0]

    def _best(self) -> tuple[list[int | None], int]:
        """The line of each row: down the pages (1), or up where that fits better (-1)."""
        ways = [self._ways(row) for row in self.rows]
        down, up = self._path(ways, 1), self._path(ways, -1)
        return (list(down[1]), 1) if down[0] >= up[0] else (list(up[1]), -1)

    def _path(self, ways: Sequence[Sequence[tuple[int, float]]], step: int) -> tuple[float, Sequence[int | None]]:
        back: list[dict[int, int]] = []
        taken: list[dict[int, bool]] = []
        scores = {-1: 0.0}
        for row in ways:
            now, origin, placed = dict(scores), {at: at for at in scores}, dict.fromkeys(scores, False)
            for line, worth in row:
                before = max(scores, key=lambda at: scores[at] - _cost(at, line, step))
                score = scores[before] - _cost(before, line, step) + worth
                if score > now.get(line, -math.inf):
                    now[line], origin[line], placed[line] = score, before, True
            kept = sorted(now, key=lambda at: -now[at])[:STATES]
            scores = {at: now[at] for at in kept}
            back.append(origin)
            taken.append(placed)
        at = max(scores, key=lambda one: scores[one])
        total, found = scores[at], list[int | None]()
        for origin, placed in zip(reversed(back), reversed(taken), strict=True):
            found.append(at if placed[at] else None)
            at = origin[at]
        return total, found[::-1]

    # ------------------------------------------------------------ columns

    def _on(self, index: int, at: int) -> list[Spot]:
        """The spots of a leaf on the line of its row."""
        line = self.lines[index]
        return [] if line is None else [spot for spot in self.rows[index][at].spots if line in self._span(spot)]

    def _close(self, index: int, at: int) -> list[Spot]:
        """The spots of a leaf on lines next to that of its row that are no other row's."""
        line = self.lines[index]
        if line is None:
            return []
        others, found = self._held - {line}, []
        for spot in self.rows[index][at].spots:
            span = self._span(spot)
            away = min(abs(one - line) for one in span)
            if 0 < away <= NEAR and self._one_page(line, span[0]) and not (set(span) & others):
                found.append(spot)
        return found

    @cached_property
    def _held(self) -> frozenset[int]:
        """The lines that rows are set on."""
        return frozenset(line for line in self.lines if line is not None)

    def _choose(self) -> None:
        """For each leaf the spot on its row's line that stands where others of its key do, and that no other has."""
        boxes: dict[tuple[str, ...], list[Box]] = defaultdict(list)
        for index, row in enumerate(self.rows):
            for at, candidate in enumerate(row):
                boxes[candidate.leaf.key] += [spot.box for spot in self._on(index, at)]
        columns = {key: _Column(held) for key, held in boxes.items()}
        for index, row in enumerate(self.rows):
            ranked = []
            for at, candidate in enumerate(row):
                for spot in self._on(index, at):
                    support = columns[candidate.leaf.key].count(spot.box)
                    told = self.nearby.evidence(candidate.leaf, spot)
                    ranked.append((-support, len(spot.flaws), -told, at, spot))
            used: list[Spot] = []
            for _, _, _, at, spot in sorted(ranked, key=lambda one: one[:4]):
                if (index, at) not in self.chosen and not any(same(spot, one) for one in used):
                    self.chosen[index, at] = spot
                    used.append(spot)

    def _choose_close(self) -> None:
        """A spot on a line next to the row's, for values in whose column the row's own line has nothing."""
        mains = {key: _main(spots) for key, spots in self._columned().items()}
        for index, row in enumerate(self.rows):
            for at, candidate in enumerate(row):
                main, count = mains.get(candidate.leaf.key, (None, 0))
                if (index, at) in self.chosen or (
                    main is not None and count > 1 and self._printed(index, main.box, None) is not None
                ):
                    continue
                held = [self.chosen[index, one] for one in range(len(row)) if (index, one) in self.chosen]
                free = [one for one in self._close(index, at) if not any(same(one, other) for other in held)]
                fit = [one for one in free if main is None or count < 2 or _alike(one.box, main.box)]
                if fit or free:
                    self.chosen[index, at] = (fit or free)[0]

    def _columned(self) -> Mapping[tuple[str, ...], tuple[Spot, ...]]:
        found = defaultdict(list)
        for (index, at), spot in self.chosen.items():
            found[self.rows[index][at].leaf.key].append(spot)
        return {key: tuple(spots) for key, spots in found.items()}

    @cached_property
    def _columns(self) -> Mapping[tuple[str, ...], tuple[Spot, ...]]:
        return self._columned()

    @cached_property
    def _widths(self) -> Mapping[tuple[str, ...], _Column]:
        return {key: _Column([spot.box for spot in spots]) for key, spots in self._columns.items()}

    @cached_property
    def _mains(self) -> Mapping[tuple[str, ...], tuple[Spot | None, int]]:
        return {key: _main(spots) for key, spots in self._columns.items()}

    @cached_property
    def _paged(self) -> Mapping[tuple[tuple[str, ...], int], tuple[Spot, ...]]:
        """The spots of each key on each page that has enough of them to be columns of its own."""
        found = defaultdict(list)
        for key, spots in self._columns.items():
            for spot in spots:
                found[key, spot.page].append(spot)
        return {at: tuple(spots) for at, spots in found.items() if len(spots) >= MANY}

    def _local(self, key: tuple[str, ...], page: int) -> tuple[Spot | None, int]:
        """A spot of the main column of a key on a page, else of all pages, and how many stand there."""
        if (key, page) not in self._locals:
            held = self._paged.get((key, page))
            self._locals[key, page] = _main(held) if held else self._mains[key]
        return self._locals[key, page]

    def _width(self, key: tuple[str, ...], page: int) -> _Column:
        if (key, page) not in self._page_widths:
            held = self._paged.get((key, page))
            self._page_widths[key, page] = _Column([one.box for one in held]) if held else self._widths[key]
        return self._page_widths[key, page]

    # ------------------------------------------------------------ seats

    def _seat(self, index: int, at: int) -> Seat:
        candidate = self.rows[index][at]
        instead = self._instead(index, candidate.leaf)
        if not candidate.spots:
            return Seat(None, "absent", instead)
        if self.lines[index] is None:
            return Seat(None, "unset" if len(self.rows[index]) == 1 else "row")
        ties = self._seated[index] - 1
        if (index, at) not in self.chosen:
            if (shared := self._heading(index, candidate, instead) or self._merged(index, candidate)) is not None:
                return Seat(shared, "", None, (), ties)
            taken = self._taken(index, at)
            return Seat(None, "taken" if taken else "row", instead, taken, ties)
        spot = self.chosen[index, at]
        if not self._whole(index) and (index not in self._in_order or self._dangling(index)):
            return Seat(spot, "order", None, (), ties)
        trouble, other = self._misplaced(index, candidate.leaf, spot)
        by = other[0] if other else ()
        return Seat(spot, trouble, other[1] if other else None, by, ties)

    @cached_property
    def _in_order(self) -> frozenset[int]:
        """The rows that follow each other on the pages: as many values as possible, each row on a line of its own."""
        ends: list[tuple[int, int]] = []  # line and values of the best ways so far, both rising
        last: list[int] = []  # the row that each of them ends with
        before: dict[int, int] = {}
        for index, line in enumerate(self.lines):
            if line is None:
                continue
            at = bisect_left(ends, (line * self.step,)) - 1
            if at >= 0:
                before[index] = last[at]
            here = (line * self.step, (ends[at][1] if at >= 0 else 0) + self._seated[index])
            stop = at + 1
            while stop < len(ends) and ends[stop][1] <= here[1]:
                stop += 1
            if stop == at + 1 and stop < len(ends) and ends[stop][0] == here[0]:
                continue
            ends[at + 1 : stop], last[at + 1 : stop] = [here], [index]
        found, row = set(), last[-1] if last else None
        while row is not None:
            found.add(row)
            row = before.get(row)
        return frozenset(found)

    def _dangling(self, index: int) -> bool:
        """Whether one value of several stands alone on a row's line, and no row before it or after it bounds it."""
        standing = sum(bool(one.spots) for one in self.rows[index])
        return standing > 1 and self._seated[index] == 1 and index in self._ends

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        return (min(self._in_order), max(self._in_order)) if self._in_order else ()

    def _whole(self, index: int) -> bool:
        """Whether several values of a row stand together and none of them elsewhere: its place is sure in any order."""
        standing = [at for at, one in enumerate(self.rows[index]) if one.spots]
        return len(standing) > 1 and all((index, at) in self.chosen for at in standing)

    def _taken(self, index: int, at: int) -> tuple[str, ...]:
        """The key of the leaf that has the only spot on the line."""
        for spot in self._on(index, at):
            for other, candidate in enumerate(self.rows[index]):
                one = self.chosen.get((index, other))
                if one is not None and same(one, spot):
                    return candidate.leaf.key
        return ()

    @cached_property
    def _seated(self) -> Counter[int]:
        """How many values of each row stand on its line."""
        return Counter(index for index, _ in self.chosen)

    @cached_property
    def _above(self) -> Mapping[tuple[str, ...], Mapping[str, tuple[list[int], list[Spot]]]]:
        """For each key and each of its values the lines where it stands, in order, and its spots there."""
        found: dict[tuple[str, ...], dict[str, tuple[list[int], list[Spot]]]] = defaultdict(dict)
        for row in self.rows:
            for candidate in row:
                if candidate.leaf.text not in found[candidate.leaf.key]:
                    free = [spot for spot in candidate.spots if not self._others(candidate.leaf.key, spot)]
                    spots = sorted(free, key=lambda spot: self._span(spot)[0])
                    lines = [self._span(spot)[0] for spot in spots]
                    found[candidate.leaf.key][candidate.leaf.text] = (lines, spots)
        return found

    def _others(self, key: tuple[str, ...], spot: Spot) -> bool:
        """Whether a spot is that of a value of another key."""
        return any(other != key and same(spot, one) for other, one in self._by_cell.get(spot.cell, ()))

    @cached_property
    def _by_cell(self) -> Mapping[int, Sequence[tuple[tuple[str, ...], Spot]]]:
        found = defaultdict(list)
        for (index, at), spot in self.chosen.items():
            found[spot.cell].append((self.rows[index][at].leaf.key, spot))
        return found

    @cached_property
    def _headed(self) -> frozenset[tuple[str, ...]]:
        """The keys of which most values stand on no line of their rows: above them, if anywhere."""
        rows = Counter(one.leaf.key for row in self.rows for one in row)
        return frozenset(key for key, count in rows.items() if 2 * len(self._columns.get(key, ())) < count)

    def _heading(self, index: int, candidate: Candidate, instead: Spot | None) -> Spot | None:
        """The value where it stands above its row and those before it, as a heading or printed once for several."""
        line, key, text = self.lines[index], candidate.leaf.key, candidate.leaf.text
        main, _ = self._mains.get(key, (None, 0))
        free = main is None or self._vacant(index, main.box)
        before = index and free and self._texts[index - 1].get(key) == text
        if line is None or not (key in self._headed or (before and instead is None)):
            return None
        nearest: tuple[int, str, Spot] | None = None
        for value, (lines, spots) in self._above[key].items():
            at = bisect_right(lines, line) - 1
            if at >= 0 and (nearest is None or lines[at] > nearest[0]):
                nearest = (lines[at], value, spots[at])
        if nearest is None or nearest[1] != text:
            return None
        return nearest[2] if key in self._headed or self._vacant(index, nearest[2].box) else None

    def _merged(self, index: int, candidate: Candidate) -> Spot | None:
        """The value where it is printed once for a run of rows, in the middle of them, in the column of its key."""
        key, text = candidate.leaf.key, candidate.leaf.text
        run = self._run(index, key, text)
        held = [(row, spot) for row in run if (spot := self._spot_of(row, key)) is not None]
        main, _ = self._mains.get(key, (None, 0))
        if len(held) != 1 or main is None:
            return None
        spot = held[0][1]
        if not all(row == held[0][0] or self._vacant(row, spot.box) for row in run):
            return None
        lines = [self.ground.cells[self.ground.levels[self._at[line]][0]].box for line in self._lines_of(run)]
        pitch = (lines[-1].top - lines[0].top) / max(1, len(lines) - 1)
        middle = (lines[0].top + lines[-1].bottom) / 2
        return spot if len(lines) == len(run) and abs(spot.box.middle[1] - middle) <= 0.75 * pitch else None

    def _vacant(self, index: int, column: Box) -> bool:
        """Whether nothing stands on the line of a row in a column."""
        line = self.lines[index]
        cells = () if line is None else self.ground.levels[self._at[line]]
        boxes = [self.ground.cells[cell].box for cell in cells]
        return not any(min(box.x1, column.x1) > max(box.x0, column.x0) for box in boxes)

    def _run(self, index: int, key: tuple[str, ...], text: str) -> range:
        """The rows around one that have the same value."""
        first = last = index
        while first > 0 and self._texts[first - 1].get(key) == text:
            first -= 1
        while last + 1 < len(self.rows) and self._texts[last + 1].get(key) == text:
            last += 1
        return range(first, last + 1)

    @cached_property
    def _texts(self) -> Sequence[Mapping[tuple[str, ...], str]]:
        return [{one.leaf.key: one.leaf.text for one in row} for row in self.rows]

    def _spot_of(self, index: int, key: tuple[str, ...]) -> Spot | None:
        at = next((at for at, one in enumerate(self.rows[index]) if one.leaf.key == key), None)
        return None if at is None else self.chosen.get((index, at))

    def _lines_of(self, run: range) -> list[int]:
        """The lines of a run of rows, of one page."""
        lines = [line for row in run if (line := self.lines[row]) is not None]
        return [line for line in lines if self._one_page(line, lines[0])]

    def _misplaced(self, index: int, leaf: Leaf, spot: Spot) -> tuple[Trouble, tuple[tuple[str, ...], Spot] | None]:
        """Whether a spot stands in another column than most of its key, where something else stands."""
        main, count = self._local(leaf.key, spot.page)
        own = self._width(leaf.key, spot.page).aligned(spot.box)
        other = self._column_of(leaf.key, spot)
        if other and leaf.key in self._headed:
            return "column", (other, spot)
        few = own == 1 and (count > 2 or (count > 1 and other))
        if main is None or not (few or (count >= MANY and own <= RARE * count)):
            return self._exchanged(index, leaf, spot)
        there = self._printed(index, main.box, spot)
        if there is not None:
            return "column", (other, there)
        return ("column", (other, spot)) if other else ("", None)

    def _exchanged(self, index: int, leaf: Leaf, spot: Spot) -> tuple[Trouble, tuple[tuple[str, ...], Spot] | None]:
        """Whether another value of the row and this one suit each other's places better, by the titles there."""
        for at, one in enumerate(self.rows[index]):
            other = self.chosen.get((index, at))
            if other is None or one.leaf.key == leaf.key or one.leaf.kind != leaf.kind:
                continue
            firm = self._firm(leaf.key, spot) and self._firm(one.leaf.key, other)
            if self._turned(leaf, spot, one.leaf, other) and (not firm or self._all_turned(leaf.key, one.leaf.key)):
                return "column", (one.leaf.key, other)
        return "", None

    def _firm(self, key: tuple[str, ...], spot: Spot) -> bool:
        """Whether a spot stands where several of its key do."""
        return self._width(key, spot.page).aligned(spot.box) >= ENOUGH

    def _turned(self, leaf: Leaf, spot: Spot, one: Leaf, other: Spot) -> bool:
        now = self.nearby.evidence(leaf, spot) + self.nearby.evidence(one, other)
        return self.nearby.evidence(leaf, other) + self.nearby.evidence(one, spot) > now + MARGIN

    def _all_turned(self, key: tuple[str, ...], other: tuple[str, ...]) -> bool:
        """Whether the titles speak for an exchange of two columns in most rows: what they say of one may be chance."""
        if (key, other) not in self._exchanges:
            pairs = []
            for index, row in enumerate(self.rows):
                here = {one.leaf.key: (one.leaf, self.chosen.get((index, at))) for at, one in enumerate(row)}
                (leaf, spot), (one, there) = here.get(key, NOBODY), here.get(other, NOBODY)
                if leaf is not None and one is not None and spot is not None and there is not None:
                    pairs.append(self._turned(leaf, spot, one, there))
            self._exchanges[key, other] = 2 * sum(pairs) >= len(pairs)
        return self._exchanges[key, other]

    def _column_of(self, key: tuple[str, ...], spot: Spot) -> tuple[str, ...]:
        """Another key in whose column the spot stands."""
        for other in self._mains:
            main, count = self._local(other, spot.page)
            if other != key and main is not None and count > 1 and _alike(spot.box, main.box):
                return other
        return ()

    def _instead(self, index: int, leaf: Leaf) -> Spot | None:
        """What stands on the line of the row in the column of the key."""
        line = self.lines[index]
        known = line is not None and leaf.key in self._mains
        main, count = self._local(leaf.key, self._at[line][0]) if known and line is not None else (None, 0)
        return self._printed(index, main.box, None) if main is not None and count > 1 else None

    def _printed(self, index: int, column: Box, but: Spot | None) -> Spot | None:
        line = self.lines[index]
        if line is None:
            return None
        page, level = self._at[line]
        for cell in self.ground.levels[page, level]:
            box = self.ground.cells[cell].box
            beside = but is None or min(box.x1, but.box.x1) - max(box.x0, but.box.x0) <= 0.5
            if beside and _alike(box, column):
                return self.ground.whole(cell)
        return None

    # ------------------------------------------------------------ missing

    def missing(self, claimed: set[int]) -> list[Spot]:
        """Lines between the rows and next to them that have a value in each main column and are no row's.

        claimed: cells that other values stand in.
        """
        held = {line for line in self.lines if line is not None}
        covered = {line for spot in self.chosen.values() for line in self._span(spot)}
        heads = self._heads(len(held))
        if len(held) < ENOUGH or len(heads) < 2:
            return []
        found = []
        for page in sorted({self._at[line][0] for line in held}):
            lines = sorted(line for line in held if self._at[line][0] == page)
            step = max(3, 2 * (lines[-1] - lines[0]) // max(1, len(lines) - 1))
            for line in range(max(0, lines[0] - step), min(len(self._at), lines[-1] + step + 1)):
                if line not in covered and self._at[line][0] == page and self._rowlike(line, heads, claimed):
                    found.append(self.ground.line(self.ground.levels[self._at[line]]))
        return found

    def _heads(self, rows: int) -> list[_Head]:
        """The columns that nearly all rows have; where these are few, those that several have."""
        counted = [(count, _head(main.box, self._columns[key])) for key, (main, count) in self._mains.items() if main]
        common = [head for count, head in counted if count >= max(ENOUGH, 0.75 * rows)]
        return common if len(common) > 1 else [head for count, head in counted if count >= ENOUGH]

    def _rowlike(self, line: int, heads: Sequence[_Head], claimed: set[int]) -> bool:
        hits = 0
        for head in heads:
            for cell in self.ground.levels[self._at[line]]:
                one = self.ground.cells[cell]
                figures = any(char.isdecimal() for char in one.text)
                if _alike(one.box, head.box) and head.figures in (None, figures):
                    if cell in claimed:
                        return False
                    hits += 1
                    break
        return hits >= max(2, math.ceil(0.75 * len(heads)))


def _head(box: Box, spots: Sequence[Spot]) -> _Head:
    figured = {any(char.isdecimal() for char in spot.quote) for spot in spots}
    return _Head(box, figured.pop() if len(figured) == 1 else None)


def _main(spots: Sequence[Spot]) -> tuple[Spot | None, int]:
    """A spot of the column where most of the spots stand, and how many."""
    column = _Column([spot.box for spot in spots])
    counted = [(column.count(spot.box), -rank) for rank, spot in enumerate(spots)]
    if not counted:
        return None, 0
    count, rank = max(counted)
    return spots[-rank], count


def _cost(before: int, line: int, step: int) -> float:
    """What it costs a row to stand on a line after the row before it."""
    if before < 0:
        return 0.0
    away = (line - before) * step
    if away == 0:
        return SAME_LINE
    return LEAP * min(abs(away), 20) + (BACK if away < 0 else 0.0)


def _alike(one: Box, other: Box) -> bool:
    """Whether two boxes stand in one column: set to the same left, right or middle."""
    near = min(_near(one), _near(other))
    return any(abs(mine - theirs) < near for mine, theirs in zip(_edges(one), _edges(other), strict=True))


def _edges(box: Box) -> tuple[float, float, float]:
    return box.x0, box.x1, (box.x0 + box.x1) / 2


def _near(box: Box) -> float:
    return max(2.5, 0.4 * (box.bottom - box.top))


def same(one: Spot, other: Spot) -> bool:
    """Whether two spots share a part of their cell."""
    return one.cell == other.cell and one.start < other.end and other.start < one.end
