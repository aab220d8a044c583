"""Tables by geometry: the lines of a page, the columns that a header names, and the column of each word.

Comes in: pages of words, the titles that are known. Goes out: `Line`s across the page's whole width, `Column`s,
a `Grid` learned from the data under them, `Cells`. Words turned against the page's direction are left out.
A column of figures is known by the edge its figures share, a column of dates by dates, and text by what lies between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from statistics import median
from typing import Literal, NamedTuple

from pipeline import amounts, terms
from pipeline.engine import Column
from pipeline.model import Box, Line, Page, Word, around

GLUED = 0.45  # words closer than this, in ems, belong together
PHRASE = 0.7  # words further apart than this do not
FIGURES = frozenset({"amount", "debit", "credit", "balance", "unit_price"})
SUBJECTS = frozenset({"date", "description", "invoice_number", "supplier"})

AHEAD = frozenset({*amounts.SIGNS, *amounts.CODES, *"+-−–—(", "CR", "DR", "Cr", "Dr"})  # words before a figure

Edge = Literal["x0", "x1", "mid"]


@dataclass(frozen=True)
class Run:
    """Words that stand together on a line."""

    words: tuple[Word, ...]

    @cached_property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @cached_property
    def box(self) -> Box:
        return self.words[0].box if len(self.words) == 1 else around([word.box for word in self.words])


class Candidate(NamedTuple):
    """What may begin at the word `at`: a date, a figure."""

    at: int
    date: Run | None
    figure: Run | None


class TableLine(Line):
    """A line over the page's whole width."""

    @cached_property
    def candidates(self) -> tuple[Candidate, ...]:
        """The dates and figures that may stand on the line; which they are is for the columns to say."""
        found = []
        for at, word in enumerate(self.words):
            digits = any(c.isdigit() for c in word.text)
            date = _date_run(self.words, at) if digits or _may_be_month(self.words, at) else None
            figure = _figure_run(self.words, at) if digits or word.text in AHEAD else None
            if date or figure:
                found.append(Candidate(at, date, figure))
        return tuple(found)

    @cached_property
    def figures(self) -> list[Run]:
        """The figures of the line, whatever column they stand in."""
        found: list[Run] = []
        free = 0
        for candidate in self.candidates:
            if candidate.figure and candidate.at >= free:
                found.append(candidate.figure)
                free = candidate.at + len(candidate.figure.words)
        return found

    @cached_property
    def pairs(self) -> list[tuple[str, Run]]:
        """Labels with the figure right behind each (`Opening balance  2,410.55`), as summaries print them."""
        found: list[tuple[str, Run]] = []
        start = at = 0
        while at < len(self.words):
            run = _amount_at(self.words, at)
            after = at + len(run.words) if run else at
            apart = after == len(self.words) or _gap(self.words[after - 1], self.words[after]) > GLUED
            if run and apart:
                if at > start:
                    found.append((phrases(self.words[start:at], 1.5)[-1].text, run))
                start = at = after
            else:
                at += 1
        return found


def lines(page: Page) -> tuple[Line, ...]:
    """The page's words grouped by baseline over its whole width, from the top; words of a line from the left."""
    turned = Counter(word.rotation for word in page.words).most_common(1)
    upright = [word for word in page.words if word.rotation == turned[0][0]] if turned else []
    groups: list[list[Word]] = []
    middle = 0.0
    for word in sorted(upright, key=lambda word: word.box.top + word.box.bottom):
        y = word.box.middle[1]
        near = 0.35 * min(word.box.height, groups[-1][0].box.height) if groups else 0.0
        if groups and y - middle <= near:
            groups[-1].append(word)
            middle += (y - middle) / len(groups[-1])
        else:
            groups.append([word])
            middle = y
    return tuple(_line(page.number, group) for group in groups)


def _line(page: int, words: list[Word]) -> Line:
    ordered = tuple(sorted(words, key=lambda word: word.box.x0))
    return Line(page, ordered, around([word.box for word in ordered]), 0)


def _gap(left: Word, right: Word) -> float:
    """The distance of two words in ems."""
    return (right.box.x0 - left.box.x1) / max(left.size, right.size, 1.0)


def phrases(words: Sequence[Word], widest: float = PHRASE) -> list[Run]:
    """The words of a line in runs, parted where the gap is wider than `widest` ems."""
    runs: list[list[Word]] = [[word] for word in words[:1]]
    for left, right in pairwise(words):
        if _gap(left, right) > widest:
            runs.append([])
        runs[-1].append(right)
    return [Run(tuple(run)) for run in runs]


# ---- headers


def header(page_lines: Sequence[TableLine], at: int, known: Mapping[str, str]) -> tuple[tuple[Column, ...], int] | None:
    """The columns that the line `at` names, and how many lines the header takes; None where it is none."""
    line = page_lines[at]
    if any(_decimal(word.text) for word in line.words):
        return None
    single = _columns(phrases(line.words), known)
    following = page_lines[at + 1] if at + 1 < len(page_lines) else None
    if following is None or not _tight(line, following) or any(_decimal(word.text) for word in following.words):
        return (single, 1) if _is_header(single) else None
    stacked = _columns(_stacked(phrases(line.words), phrases(following.words)), known)
    below = _columns(phrases(following.words), known)
    if _is_header(stacked) and _named(stacked) > max(_named(single), _named(below)):
        return stacked, 2
    if not _is_header(single):
        return None
    return single, 2 if _is_tail(line, following) else 1


def _decimal(text: str) -> bool:
    amount = amounts.parse(text, None)
    return amount is not None and amount.places == 2


def _tight(upper: TableLine, lower: TableLine) -> bool:
    return lower.box.top - upper.box.bottom <= 0.6 * upper.words[0].size


def _is_tail(line: TableLine, following: TableLine) -> bool:
    """Whether the line below only ends titles (`Date &` / `Time`): as set, and each part under one title."""
    title, tail = line.words[0], following.words[0]
    over = [run.box for run in phrases(line.words)]
    under = [run.box for run in phrases(following.words)]
    fits = all(any(box.x0 >= top.x0 - 2 and box.x1 <= top.x1 + 2 for top in over) for box in under)
    return fits and (tail.bold, tail.font) == (title.bold, title.font) and abs(tail.size - title.size) < 0.2


def _stacked(upper: list[Run], lower: list[Run]) -> list[Run]:
    """Phrases of two lines joined where one stands over the other."""
    left = list(lower)
    joined = []
    for run in upper:
        under = [other for other in left if other.box.x0 < run.box.x1 and run.box.x0 < other.box.x1]
        left = [other for other in left if other not in under]
        joined.append(Run(run.words + tuple(word for other in under for word in other.words)))
    return sorted([*joined, *left], key=lambda run: run.box.x0)


def _columns(runs: list[Run], known: Mapping[str, str]) -> tuple[Column, ...]:
    """A column for each title, each name once: what was not asked for or is there already gets a name of `other`."""
    named = [(title, run) for phrase in runs for title, run in _titled(phrase, known)]
    columns: list[Column] = []
    for title, run in named:
        name = title.name if title else "unknown"
        if any(column.name == name and column.asked for column in columns):
            if name == "amount":  # of two, the last one is the line's total
                columns = [replace(c, name="other_amount") if c.name == "amount" else c for c in columns]
            else:
                name = {"date": "other_date", "amount": "other_amount"}.get(terms.KINDS[name], "other")
        exact = bool(title and title.exact)
        columns.append(Column(name, run.text, terms.KINDS[name], run.box.x0, run.box.x1, exact))
    return _with_amount(columns)


def _with_amount(columns: list[Column]) -> tuple[Column, ...]:
    """Where no title names the amount, the last of the other sums is it (open items: original, open)."""
    if not any(column.name in ("amount", "debit", "credit") for column in columns):
        sums = [index for index, column in enumerate(columns) if column.name == "other_amount"]
        if sums and any(column.asked for column in columns):
            columns[sums[-1]] = replace(columns[sums[-1]], name="amount")
    return tuple(columns)


def _titled(phrase: Run, known: Mapping[str, str]) -> list[tuple[terms.Title | None, Run]]:
    """The phrase as one title, or as several where each of its parts is one to the letter."""
    whole = terms.title(phrase.text, known)
    if (whole and whole.exact) or len(phrase.words) == 1:
        return [(whole, phrase)]
    parts: list[tuple[terms.Title | None, Run]] = []
    rest = phrase.words
    while rest:
        for size in range(len(rest), 0, -1):
            part = Run(rest[:size])
            title = terms.title(part.text, known)
            if title and title.exact:
                parts.append((title, part))
                rest = rest[size:]
                break
        else:
            return [(whole, phrase)]
    return parts


def _named(columns: tuple[Column, ...]) -> int:
    return sum(column.asked for column in columns)


def _is_header(columns: tuple[Column, ...]) -> bool:
    names = {column.name for column in columns}
    return bool(names & FIGURES) and bool(names & SUBJECTS) and 2 * _named(columns) >= len(columns)


# ---- the grid


@dataclass(frozen=True)
class Lane:
    """A column with what the data under it shows: the edge it shares (`edge` at `at`), and its extent."""

    column: Column
    edge: Edge | None
    at: float
    low: float
    high: float

    def distance(self, box: Box) -> float:
        """How far `box` is from standing in this lane, in points."""
        match self.edge:
            case "x1":
                return abs(box.x1 - self.at)
            case "x0":
                return abs(box.x0 - self.at)
            case "mid":
                return abs(box.x0 + box.x1 - 2 * self.at) / 2
        left, right = box.x0 - self.column.x0, box.x1 - self.column.x1
        return min(abs(left), abs(right), abs(left + right) / 2)


EDGES: tuple[Edge, ...] = ("x1", "x0", "mid")


def _side(box: Box, edge: Edge) -> float:
    match edge:
        case "x0":
            return box.x0
        case "x1":
            return box.x1
        case "mid":
            return (box.x0 + box.x1) / 2


@dataclass(frozen=True)
class Cells:
    """A line's words by column index; `doubts` say in words what could stand elsewhere. loose: figures in no lane."""

    line: TableLine
    by_lane: dict[int, Run]
    typed: frozenset[int]
    loose: tuple[Run, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """The lanes of a table on a page."""

    lanes: tuple[Lane, ...] = ()
    by_name: dict[str, int] = field(default_factory=dict)

    @cached_property
    def width(self) -> tuple[float, float]:
        return min(lane.low for lane in self.lanes), max(lane.high for lane in self.lanes)

    def cells(self, line: TableLine) -> Cells:
        """Each word of the line in its column."""
        runs = typed_runs(line, self)
        by_lane: dict[int, Run] = {}
        taken = {word for run, index in runs if index is not None for word in run.words}
        doubts: list[str] = []
        for run, index in runs:
            if index is not None and by_lane.setdefault(index, run) is not run:
                title = self.lanes[index].column.title
                doubts.append(f"“{by_lane[index].text}” and “{run.text}” both stand in the column {title}")
        texts: dict[int, list[Word]] = {}
        for phrase in _untaken(line, taken):
            for part in self._parted(phrase):
                texts.setdefault(self._text_lane(part.box), []).extend(part.words)
        typed = frozenset(by_lane)
        for index, words in texts.items():
            if index in typed:
                title = self.lanes[index].column.title
                doubts.append(f"“{Run(tuple(words)).text}” stands in the column {title} beside a value")
                words = [*by_lane[index].words, *words]
            by_lane[index] = Run(tuple(sorted(words, key=lambda word: word.box.x0)))
        doubts += self._crowded(by_lane)
        loose = tuple(run for run, index in runs if index is None)
        return Cells(line, by_lane, typed, loose, tuple(doubts))

    def _parted(self, phrase: Run) -> list[Run]:
        """The phrase, parted where a word begins exactly where another text column does."""
        starts = [lane.low for lane in self.lanes if lane.column.kind == "text"]
        parts: list[list[Word]] = [[phrase.words[0]]]
        for right in phrase.words[1:]:
            begins = any(abs(right.box.x0 - start) < 1.0 for start in starts)
            if begins and self._text_lane(right.box) != self._text_lane(parts[-1][0].box):
                parts.append([])
            parts[-1].append(right)
        return [Run(tuple(part)) for part in parts]

    def _text_lane(self, box: Box) -> int:
        """The column of words that are neither date nor figure in their place."""
        for index, lane in enumerate(self.lanes):
            if lane.column.kind != "text" and lane.low - 1 <= box.x0 <= lane.high + 1:
                return index
        before = [
            index
            for index, lane in enumerate(self.lanes)
            if lane.column.kind != "text" and (lane.low + lane.high) / 2 < box.x0
        ]
        first = max(before, default=-1) + 1
        between = []
        for index in range(first, len(self.lanes)):
            if self.lanes[index].column.kind != "text":
                break
            between.append(index)
        if not between:
            return min(range(len(self.lanes)), key=lambda index: self.lanes[index].distance(box))
        begun = [index for index in between if self.lanes[index].low <= box.x0 + 5]
        return begun[-1] if begun else between[0]

    def _crowded(self, by_lane: dict[int, Run]) -> list[str]:
        """Text that touches the next value, or reaches into a column that is empty on this line.

        A line of words alone may reach over columns of figures: it has no value there that could be missed.
        """
        found = []
        filled = any(self.lanes[index].column.kind == "amount" for index in by_lane)
        for index, run in by_lane.items():
            column = self.lanes[index].column
            if column.kind != "text":
                continue
            if column.asked and not column.exact and len(phrases(run.words, 1.0)) > 1:
                found.append(f"“{run.text}” under the title “{column.title}” may be two columns")
            for other in range(index + 1, len(self.lanes)):
                lane = self.lanes[other]
                if other in by_lane:
                    if by_lane[other].box.x0 - run.box.x1 < 0.12 * run.words[0].size:
                        found.append(f"“{run.text}” touches the column {lane.column.title}")
                    break
                sure = (lane.edge is not None and filled) or lane.column.kind == "text"
                if sure and run.box.x1 > lane.low + 1:
                    found.append(f"“{run.text}” reaches over the boundary of the column {lane.column.title}")
                    break
        return found


def _untaken(line: TableLine, taken: set[Word]) -> list[Run]:
    """Phrases of the words that are left, parted where taken words stood between."""
    groups: list[list[Word]] = [[]]
    for word in line.words:
        if word in taken:
            groups.append([])
        else:
            groups[-1].append(word)
    return [run for group in groups if group for run in phrases(group)]


def learn(columns: tuple[Column, ...], table_lines: Sequence[TableLine]) -> Grid:
    """The lanes under a header, from the titles and from what stands below them."""
    grid = Grid(_clustered(tuple(Lane(column, None, 0.0, column.x0, column.x1) for column in columns), table_lines))
    grid = _typed_lanes(grid, table_lines)
    grid = _text_lanes(grid, table_lines)
    names = {lane.column.name: index for index, lane in enumerate(grid.lanes)}
    return replace(grid, by_name=names)


def _clustered(lanes: tuple[Lane, ...], table_lines: Sequence[TableLine]) -> tuple[Lane, ...]:
    """The last columns, where they are figures, by the edges that figures share: as many edges as columns, in order.

    Titles need not stand over their figures; where the numbers differ the titles' own places have to do.
    """
    texts = [index for index, lane in enumerate(lanes) if lane.column.kind != "amount"]
    first = max(texts, default=-1) + 1
    wanted = len(lanes) - first
    left = lanes[first - 1].column.x1 if first else 0.0
    boxes = [run.box for line in table_lines for run in line.figures if run.box.x1 > left]
    for edge in EDGES:
        places = _clusters(sorted(_side(box, edge) for box in boxes))
        if wanted < 2 or len(places) != wanted:
            continue
        found = [replace(lane, edge=edge, at=at) for lane, at in zip(lanes[first:], places, strict=True)]
        if all(_plausible(found, index) for index in range(wanted)):
            return (*lanes[:first], *found)
    return lanes


def _clusters(places: list[float]) -> list[float]:
    """Where values gather within two points of each other, if nine of ten do; single values aside."""
    groups: list[list[float]] = []
    for place in places:
        if groups and place - groups[-1][-1] <= 2.0:
            groups[-1].append(place)
        else:
            groups.append([place])
    least = max(2, len(places) // 25)
    shared = [group for group in groups if len(group) >= least]
    return [median(group) for group in shared] if 10 * sum(map(len, shared)) >= 9 * len(places) else []


def _plausible(lanes: list[Lane], index: int) -> bool:
    """Whether a lane's edge lies between the titles of its neighbours."""
    low = lanes[index - 1].column.x0 if index else 0.0
    high = lanes[index + 1].column.x1 if index + 1 < len(lanes) else float("inf")
    return low < lanes[index].at < high


def _typed_lanes(grid: Grid, table_lines: Sequence[TableLine]) -> Grid:
    boxes: dict[int, list[Box]] = {}
    for line in table_lines:
        for run, index in typed_runs(line, grid):
            if index is not None:
                boxes.setdefault(index, []).append(run.box)
    lanes = []
    for index, lane in enumerate(grid.lanes):
        mine = boxes.get(index, [])
        lanes.append(_shared(lane, mine) if mine else lane)
    return replace(grid, lanes=tuple(lanes))


def _shared(lane: Lane, boxes: list[Box]) -> Lane:
    """The lane with the edge that most of its values share, and the extent of those that share it."""
    best: tuple[int, Edge, float] | None = None
    for edge in EDGES:
        at = median(_side(box, edge) for box in boxes)
        sharing = sum(abs(_side(box, edge) - at) <= 1.5 for box in boxes)
        if best is None or sharing > best[0]:
            best = (sharing, edge, at)
    assert best is not None
    _, edge, at = best
    own = [box for box in boxes if abs(_side(box, edge) - at) <= 8] or boxes
    low, high = min(box.x0 for box in own), max(box.x1 for box in own)
    return replace(lane, edge=edge if len(boxes) > 1 else None, at=at, low=low, high=high)


def _text_lanes(grid: Grid, table_lines: Sequence[TableLine]) -> Grid:
    """Text lanes begin at their title, or left of it where most of the text below begins there."""
    starts: dict[int, Counter[float]] = {}
    for line in table_lines:
        taken = {word for run, index in typed_runs(line, grid) if index is not None for word in run.words}
        if not taken:
            continue
        for phrase in _untaken(line, taken):
            text_lanes = [i for i, lane in enumerate(grid.lanes) if lane.column.kind == "text"]
            if text_lanes:
                nearest = min(text_lanes, key=lambda index: grid.lanes[index].distance(phrase.box))
                starts.setdefault(nearest, Counter())[round(phrase.box.x0)] += 1
    lanes = []
    for index, lane in enumerate(grid.lanes):
        low = lane.low
        if index in starts:
            often, count = starts[index].most_common(1)[0]
            low = min(low, often) if count >= 3 else low
        lanes.append(replace(lane, low=low))
    return replace(grid, lanes=tuple(lanes))


# ---- figures and dates on a line


def typed_runs(line: TableLine, grid: Grid) -> list[tuple[Run, int | None]]:
    """The line's dates and figures with their column; None: a figure that stands in no column of figures."""
    found: list[tuple[Run, int | None]] = []
    at = 0
    for start, dated, figure in line.candidates:
        if start < at:
            continue
        if dated and (index := _date_lane(dated, grid)) is not None:
            found.append((dated, index))
            at = start + len(dated.words)
        elif figure:
            found.append((figure, _figure_lane(figure, grid)))
            at = start + len(figure.words)
    return found


def _date_lane(run: Run, grid: Grid) -> int | None:
    nearest = _nearest(run.box, grid)
    if nearest is None:
        return None
    lane = grid.lanes[nearest]
    return nearest if lane.column.kind == "date" and lane.distance(run.box) <= (12 if lane.edge else 45) else None


def _figure_lane(run: Run, grid: Grid) -> int | None:
    nearest = _nearest(run.box, grid)
    if nearest is None:
        return None
    lane = grid.lanes[nearest]
    reach = 0.9 * run.words[0].size if lane.edge else 60.0
    return nearest if lane.column.kind == "amount" and lane.distance(run.box) <= reach else None


def _nearest(box: Box, grid: Grid) -> int | None:
    return min(range(len(grid.lanes)), key=lambda index: grid.lanes[index].distance(box), default=None)


def _may_be_month(words: tuple[Word, ...], at: int) -> bool:
    following = words[at + 1].text if at + 1 < len(words) else ""
    return following[:1].isdigit() and len(words[at].text) > 2 and words[at].text[0].isalpha()


def _date_run(words: tuple[Word, ...], at: int) -> Run | None:
    """The longest run of words from `at` that is one date."""
    most = 1
    while at + most < len(words) and most < 6 and _gap(words[at + most - 1], words[at + most]) <= PHRASE:
        most += 1
    for size in range(most, 0, -1):
        run = Run(words[at : at + size])
        if amounts.date(run.text, True, 2000):
            return run
    return None


def _figure_run(words: tuple[Word, ...], at: int) -> Run | None:
    """The longest run of words from `at` that is one amount and stands apart from the words beside it.

    So `24` in `24 V` and `40` in `of 40` are none.
    """
    run = _amount_at(words, at)
    return run if run and _free(words, at, len(run.words)) else None


def _amount_at(words: tuple[Word, ...], at: int) -> Run | None:
    """The longest run of words from `at` that is one amount."""
    most = 1
    while at + most < len(words) and most < 5 and _joins(words[at + most - 1], words[at + most]):
        most += 1
    for size in range(most, 0, -1):
        run = Run(words[at : at + size])
        if amounts.parse(run.text, None):
            return run
    return None


def _joins(left: Word, right: Word) -> bool:
    """Whether two words may be parts of one amount: digits only across a space, signs and currencies further."""
    figures = left.text[-1].isdigit() and right.text[0].isdigit()
    return _gap(left, right) <= (GLUED if figures else 1.2)


def _free(words: tuple[Word, ...], at: int, size: int) -> bool:
    before, after = words[at - 1] if at else None, words[at + size] if at + size < len(words) else None
    return (before is None or _gap(before, words[at]) > GLUED) and (
        after is None or _gap(words[at + size - 1], after) > GLUED
    )
