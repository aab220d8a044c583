"""The items of a scanned page: its table by where words stand, which says more than lines that OCR may have split.

Comes in: the words of a page, level, the titles that are known, and where the table ends. Goes out: `Table`s of rows,
cell by cell, cells without a word among them: there may be something that was not read. Refuses nothing: a page
without a row of titles has no such table.

Titles are known by their shapes in either script (`Kon.` is `Кол.`), since small print is read worst of all. Columns
are what stands below each other; quantity, price and amount those whose product closes in most rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import combinations, pairwise
from statistics import median

from pipeline import amounts, lookalike
from pipeline.figures import PHRASE
from pipeline.model import Box, Word, around

APART = 0.8  # ems between columns at least
LEVEL = 0.55  # ems: middles that are closer stand on one line
FAR = 5.0  # ems between two lines of a table at most
ENOUGH = 3  # cells beside one figure that make a row
TITLES = 3  # columns that a row of titles names at least
CLOSING = 0.6  # share of rows in which the product closes
HIGHEST = 40  # per cent of tax
SURE = 0.5  # confidence: a word below may bridge two columns
MOST = 0.8  # share of sure words that tell the columns alone
SLACK = 0.3  # ems
FIGURES = ("quantity", "unit_price", "amount")
MONEY = FIGURES[1:]


@dataclass
class Row:
    """An item: its words by column, line by line. middle, bottom: of its first line."""

    middle: float
    cells: dict[str, list[list[Word]]] = field(default_factory=dict)


@dataclass(frozen=True)
class Lane:
    """A column from left to right: what its cells are, its title, its edges."""

    name: str
    title: str
    x0: float
    x1: float


@dataclass(frozen=True)
class Table:
    """The items of a page. closing: in how many rows the amount is quantity times price; top, bottom: of the table with
    its titles.
    """

    lanes: tuple[Lane, ...]
    rows: tuple[Row, ...]
    closing: int
    top: float
    bottom: float


def find(words: Sequence[Word], known: Mapping[str, str], end: Callable[[float], float]) -> Table | None:
    """The table of items among a page's words. end: where the table ends whose titles end there, from the top."""
    lines = leveled(words)
    titles = next((found for line in lines if (found := _titles(line, known))), None)
    if titles is None:
        return None
    head = around([word.box for word, *_ in titles])
    below = [word for word in words if word.box.middle[1] > head.bottom]
    lowest = _lowest(below, end(head.bottom))
    body = [word for word in below if word.box.middle[1] < lowest]
    lanes = _lanes(_filled(body))
    body = [word for word in body if sum(_across(lane, word.box) for lane in lanes) < 2]
    named = _named(lanes, body, titles)
    if not {"description", "amount"} <= {lane.name for lane in named}:
        return None
    rows = _rows(named, body)
    _uncounted(rows, [word.box for word, name, _ in titles if name == "description"], head.x0)
    rates = [lane for lane in named if lane.name == "tax_rate"]
    _spread(rows, [_inside(lane, body) for lane in rates], lowest)
    closing = sum(_closes(row) for row in rows)
    return Table(named, tuple(rows), closing, head.top, lowest) if rows else None


def leveled(words: Sequence[Word]) -> list[list[Word]]:
    """Words in lines by their middles, from the top, each from the left."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.box.middle[1]):
        last = lines[-1] if lines else []
        if last and word.box.middle[1] - median(one.box.middle[1] for one in last) < LEVEL * _em(word):
            last.append(word)
        else:
            lines.append([word])
    return [sorted(line, key=lambda word: word.box.x0) for line in lines]


def _em(word: Word) -> float:
    return max(4.0, min(word.size, 14.0))


# ---- titles


def _titles(line: Sequence[Word], known: Mapping[str, str]) -> list[tuple[Word, str, str]]:
    """The words of a row of titles, each with its column and the whole title; nothing where it is none."""
    found: list[tuple[Word, str, str]] = []
    at = 0
    while at < len(line):
        size, name = next(
            (
                (size, name)
                for size in (4, 3, 2, 1)
                if _together(line[at : at + size], size)
                and (name := lookalike.named([word.text for word in line[at : at + size]], known))
            ),
            (1, ""),
        )
        part = line[at : at + size]
        found += [(word, name, " ".join(one.text for one in part)) for word in part]
        at += size
    names = {name for _, name, _ in found if name and name != "other"}
    sums = names & {"amount", "unit_price"}
    figured = sum(amounts.parse(word.text, None) is not None for word in line)
    return found if len(names) >= TITLES and sums and figured <= 1 else []


def _together(words: Sequence[Word], size: int) -> bool:
    """Whether so many words stand in one phrase."""
    gaps = (right.box.x0 - left.box.x1 for left, right in pairwise(words))
    return len(words) == size and all(gap <= PHRASE * _em(words[0]) for gap in gaps)


def _lowest(words: Sequence[Word], end: float) -> float:
    """Where the table ends: at `end`, or where white space follows."""
    lines = leveled([word for word in words if word.box.middle[1] < end])
    for above, line in pairwise(lines):
        if line[0].box.top - max(word.box.bottom for word in above) > FAR * _em(line[0]):
            return line[0].box.top - 1
    return end


# ---- columns


def _lanes(words: Sequence[Word]) -> list[Box]:
    """What stands below each other: the table's columns, parted by white space from top to bottom."""
    lanes: list[Box] = []
    telling = [word for word in words if any(map(str.isalnum, word.text))]
    sure = [word for word in telling if word.confidence >= SURE]
    sure = sure if len(sure) > MOST * len(telling) else telling
    for box in sorted((word.box for word in sure), key=lambda box: box.x0):
        em = median(_em(word) for word in sure)
        if lanes and box.x0 - lanes[-1].x1 < APART * em:
            lanes[-1] = around([lanes[-1], box])
        else:
            lanes.append(box)
    for word in telling:  # those that are unsure widen the one column that they are in, or right beside
        near = [at for at, lane in enumerate(lanes) if _across(lane, word.box.padded(APART * _em(word)))]
        if word not in sure and len(near) == 1:
            lanes[near[0]] = around([lanes[near[0]], word.box])
    return lanes


def _across(lane: Box, box: Box) -> bool:
    """Whether part of a box lies in a lane."""
    return min(lane.x1, box.x1) - max(lane.x0, box.x0) > 1.0


def _filled(words: Sequence[Word]) -> list[Word]:
    """The words of lines with two figures and more, and of those without any: others are no rows of items."""
    return [word for line in leveled(words) if sum(map(_is_figure, line)) != 1 or len(line) == 1 for word in line]


def _inside(lane: Lane | Box, words: Sequence[Word]) -> list[Word]:
    return [word for word in words if lane.x0 - 1 <= word.box.middle[0] <= lane.x1 + 1]


def _named(boxes: Sequence[Box], body: Sequence[Word], titles: Sequence[tuple[Word, str, str]]) -> tuple[Lane, ...]:
    """The lanes with their names: by the title above each, then by products, then by what is left."""
    if len(boxes) < 3:
        return ()
    held = [_inside(box, body) for box in boxes]
    figured = [_figured(words) for words in held]
    names: dict[int, str] = {}
    above: dict[int, str] = {}
    for at, box in enumerate(boxes):
        over = [one for one in titles if min(one[0].box.x1, box.x1) - max(one[0].box.x0, box.x0) > 0]
        if over:
            best = next((one for one in over if one[1]), over[0])
            above[at] = best[2]
            names[at] = best[1]
    money = [at for at in range(len(boxes)) if figured[at]]
    for at, name in _by_products(boxes, held, money).items():
        names = {other: held for other, held in names.items() if held != name or other == at}
        names[at] = name
    return tuple(
        Lane(name, above.get(at, ""), boxes[at].x0, boxes[at].x1)
        for at, name in sorted(_rest(names, boxes, held, figured).items())
        if name
    )


def _rest(
    names: dict[int, str], boxes: Sequence[Box], held: Sequence[Sequence[Word]], figured: Sequence[bool]
) -> dict[int, str]:
    """With the names that remain: the widest text is the description, short text by it the unit, per cent a rate."""
    done = dict(names)
    texts = [at for at in range(len(boxes)) if not figured[at]]
    if "description" not in done.values() and texts:
        done[max(texts, key=lambda at: boxes[at].width)] = "description"
    described = next((at for at, name in done.items() if name == "description"), -1)
    for at in range(described + 1, len(boxes)):
        open_ = at not in done or done[at] in ("", "other")
        if open_ and not figured[at] and "unit" not in done.values() and all(len(w.text) < 8 for w in held[at]):
            done[at] = "unit"
        elif open_ and "tax_rate" not in done.values() and _are_rates(held[at]):
            done[at] = "tax_rate"
    if "quantity" not in done.values() and {"description", "unit_price"} <= set(done.values()):
        price = next(at for at, name in done.items() if name == "unit_price")
        left = [at for at in range(described + 1, price) if figured[at] and done.get(at, "") in ("", "other")]
        done |= dict.fromkeys(left if len(left) == 1 else (), "quantity")
    kept: dict[int, str] = {}
    for at, name in sorted(done.items()):
        if name not in kept.values() or name == "other":
            kept[at] = name
    return kept


def _figured(words: Sequence[Word]) -> bool:
    return bool(words) and 2 * sum(map(_is_figure, words)) > len(words)


def _is_figure(word: Word) -> bool:
    return word.text[-1:].isdigit() and amounts.parse(word.text, None) is not None


def _are_rates(words: Sequence[Word]) -> bool:
    return bool(words) and 2 * sum("%" in word.text for word in words) > len(words)


def _by_products(boxes: Sequence[Box], held: Sequence[Sequence[Word]], money: Sequence[int]) -> dict[int, str]:
    """Quantity, price and amount: of three columns, the last is the product of the others in most rows."""
    lines = leveled([word for at in money for word in held[at]])
    rows = [[value(_inside(boxes[at], line)) for at in money] for line in lines]
    best: tuple[int, dict[int, str]] = (0, {})
    for one, two, three in combinations(range(len(money)), 3):
        triples = [(row[one], row[two], row[three]) for row in rows]
        full = [(a, b, c) for a, b, c in triples if a is not None and b is not None and c is not None]
        closing = [trio for trio in full if product(*trio)]
        telling = [trio for trio in closing if trio[0] != 1 or len(closing) == len(full)]
        if telling and len(closing) >= CLOSING * len(full) and len(closing) > best[0]:
            best = len(closing), dict(zip((money[one], money[two], money[three]), FIGURES, strict=True))
    return best[1]


def product(quantity: Decimal, price: Decimal, amount: Decimal) -> bool:
    """Whether the amount is quantity times price, as it is rounded."""
    return abs(quantity * price - amount) <= Decimal("0.01")


def value(words: Sequence[Word]) -> Decimal | None:
    """The figure of a cell, whose parts OCR may have set apart."""
    if not words:
        return None
    found = amounts.parse(text(words), None)
    return found.value if found else None


def text(words: Sequence[Word]) -> str:
    """A cell of one line; a figure in one piece."""
    glued = "".join(word.text for word in words)
    figure = all(char.isdigit() or char in ".,'" for char in glued)
    return glued if figure else " ".join(word.text for word in words)


# ---- rows


def _rows(lanes: Sequence[Lane], body: Sequence[Word]) -> list[Row]:
    """The rows: a line with two figures of an item, or one and other cells, begins one; text below goes on with it."""
    rows: list[Row] = []
    firm = [lane for lane in lanes if lane.name not in ("description", "tax_rate")]
    for line in leveled([word for lane in firm for word in _inside(lane, body)]):
        held = {lane.name: cell for lane in firm if (cell := _inside(lane, line))}
        telling = {name for name in FIGURES if value(held.get(name, ())) is not None}
        if len(telling) > 1 or (telling and len(held) >= ENOUGH):
            middle = median(word.box.middle[1] for cell in held.values() for word in cell)
            rows.append(Row(middle, {name: [cell] for name, cell in held.items()}))
    described = next(lane for lane in lanes if lane.name == "description")
    for line in leveled(_inside(described, body)):
        middle = median(word.box.middle[1] for word in line)
        own = [row for row in rows if row.middle <= middle + LEVEL * _em(line[0])]
        if own and any(char.isalnum() for word in line for char in word.text):
            own[-1].cells.setdefault("description", []).append(line)
    return rows


def _uncounted(rows: Sequence[Row], title: Sequence[Box], left: float) -> None:
    """Take off the descriptions what stands before them in a column of its own: numbers of rows, codes. title: that of
    the descriptions; left: where the titles begin.
    """
    first = [row.cells["description"][0] for row in rows if "description" in row.cells]
    edge = min((box.x0 for box in title), default=left)
    em = median(_em(line[0]) for line in first) if first else 0.0
    starts = sum(any(abs(word.box.x0 - edge) < LEVEL * em for word in line) for line in first)
    if edge <= left or 2 * starts < len(first):
        counted = [line for at, line in enumerate(first, start=1) if line[0].text.strip(".,:)|") == str(at)]
        behind = [line[1].box.x0 for line in counted if len(line) > 1]
        if 2 * len(behind) <= len(first):
            return
        edge = median(behind)
    for row in rows:
        for line in row.cells.get("description", [])[:1]:
            own = [word for word in line if word.box.middle[0] >= edge - SLACK * em]
            line[:] = own or line


def is_named(table: Table) -> bool:
    """Whether titles tell the columns of figures, and prices and amounts are read in most rows: quantities of a single
    figure are passed over, and whether a product closes is asked again of what is read twice.
    """
    names = {lane.name for lane in table.lanes}
    titled = {lane.name for lane in table.lanes if lane.title}
    read = sum(_is_read(row, MONEY) for row in table.rows)
    return "quantity" in names and titled.issuperset(MONEY) and read >= CLOSING * len(table.rows)


def _is_read(row: Row, names: Sequence[str]) -> bool:
    """Whether these cells of a row hold figures."""
    return all(name in row.cells and value(row.cells[name][0]) is not None for name in names)


def _closes(row: Row) -> bool:
    cells = [value(row.cells[name][0]) if name in row.cells else None for name in FIGURES]
    quantity, price, amount = cells
    return quantity is not None and price is not None and amount is not None and product(quantity, price, amount)


# ---- rates that stand for several rows


def _spread(rows: Sequence[Row], lanes: Sequence[Sequence[Word]], end: float) -> None:
    """Give each row its rate: the one on its line, or that in the middle of the rows that share it."""
    rates = [line for words in lanes for line in leveled(words)]
    if not rates or not rows:
        return
    foot = max(word.box.bottom for row in rows for lines in row.cells.values() for line in lines for word in line)
    pad = 0.4 * _em(rates[0][0])
    tops = [row.middle - 0.5 * _em(rates[0][0]) - pad for row in rows] + [min(end, foot + pad)]
    for line, span in zip(rates, _spans(tops, [median(w.box.middle[1] for w in line) for line in rates]), strict=True):
        for row in rows[span[0] : span[1]]:
            row.cells["tax_rate"] = [line]


def _spans(tops: Sequence[float], middles: Sequence[float]) -> list[tuple[int, int]]:
    """Which run of rows each rate stands for, so that all rows are taken and each rate is nearest to the middle."""
    count = len(tops) - 1
    if len(middles) >= count:
        return [_one(tops, middle) for middle in middles]
    best: list[dict[int, tuple[float, list[tuple[int, int]]]]] = [{0: (0.0, [])}]
    for middle in middles:
        reached: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for start, (cost, spans) in best[-1].items():
            for stop in range(start + 1, count + 1):
                off = min(abs((tops[start] + tops[stop]) / 2 - middle), abs(tops[start] - middle) + 8.0) ** 2 + cost
                if stop not in reached or off < reached[stop][0]:
                    reached[stop] = off, [*spans, (start, stop)]
        best.append(reached)
    return best[-1][count][1] if count in best[-1] else [_one(tops, middle) for middle in middles]


def _one(tops: Sequence[float], middle: float) -> tuple[int, int]:
    at = max((at for at in range(len(tops) - 1) if tops[at] <= middle), default=0)
    return at, at + 1
