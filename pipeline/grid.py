"""Columns by their header: the titles that are known, and the strips of a table's lines that stand under each.

Comes in: lines over the page's width, the titles that are known, rows of ruled tables. Goes out: `Column`s, and a
`Grid` that puts the words of each line in them. The strips, the cells and the rows are those of lanes.py and bands.py,
as for any table; here it is settled what a column holds. What could stand elsewhere is said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, pairwise

from pipeline import amounts, lanes, layout, taxes, terms
from pipeline.bands import Band, Draft, Entry, Piece, merged
from pipeline.engine import Column
from pipeline.figures import AHEAD, GLUED, Run, TableLine, dates, figures, phrases
from pipeline.lanes import Lane, Row
from pipeline.model import Box, Word, around

FIGURES = frozenset({"amount", "debit", "credit", "balance", "unit_price"})
FAR = 60.0  # points: figures and dates stand no further from their title
_COUNTED = re.compile(r"\d{1,4} \S")  # a number that counts the row, and more
CURRENCIES = frozenset({*amounts.SIGNS, *amounts.CODES})
SUBJECTS = frozenset({"date", "description", "invoice_number", "supplier"})


# ---- headers


def header(page_lines: Sequence[TableLine], at: int, known: Mapping[str, str]) -> tuple[tuple[Column, ...], int] | None:
    """The columns that the line `at` names, and how many lines the header takes; None where it is none."""
    line = page_lines[at]
    if _has_decimals(line):
        return None
    single = _columns(phrases(line.words), known)
    following = page_lines[at + 1] if at + 1 < len(page_lines) else None
    if following is None or not _tight(line, following) or _has_decimals(following):
        return (single, 1) if _is_header(single) else None
    stacked = _columns(_stacked(phrases(line.words), phrases(following.words)), known)
    below = _columns(phrases(following.words), known)
    if _is_header(stacked) and _named(stacked) > max(_named(single), _named(below)):
        return stacked, 2
    if not _is_header(single):
        return None
    if _is_tail(line, following):
        return (stacked if _is_header(stacked) else single), 2
    return single, 1


def _has_decimals(line: TableLine) -> bool:
    return any(_decimal(word.text) for word in line.words) or any(_decimal(run.text) for run in line.figures)


def _decimal(text: str) -> bool:
    amount = amounts.parse(text, None)
    return amount is not None and amount.places == 2


def _tight(upper: TableLine, lower: TableLine) -> bool:
    return lower.box.top - upper.box.bottom <= 0.7 * upper.words[0].size


def _is_tail(line: TableLine, following: TableLine) -> bool:
    """Whether the line below only ends titles (`Date &` / `Time`): as set, and each part under one title.

    A part that is wider than its title shares an edge or the middle with it, and stands beside others of its kind.
    """
    if terms.heading(following.text):
        return False
    title, tail = line.words[0], following.words[0]
    over = [run.box for run in phrases(line.words)]
    under = [run.box for run in phrases(following.words)]
    fits = all(any(box.x0 >= top.x0 - 2 and box.x1 <= top.x1 + 2 for top in over) for box in under)
    set_on = all(any(distance((top.x0, top.x1), box) <= 2 for top in over) for box in under)
    fits = fits or (len(under) > 1 and set_on)
    return fits and (tail.bold, tail.font) == (title.bold, title.font) and abs(tail.size - title.size) < 0.2


def _stacked(upper: list[Run], lower: list[Run]) -> list[Run]:
    """Phrases of two lines joined where one stands over the other: each lower one behind the words that it is under."""
    left = list(lower)
    joined = []
    for run in upper:
        under = [other for other in left if other.box.x0 < run.box.x1 and run.box.x0 < other.box.x1]
        left = [other for other in left if other not in under]
        parts = phrases(run.words, GLUED)
        words: tuple[Word, ...] = ()
        for part, end in zip(parts, [*(part.box.x0 for part in parts[1:]), float("inf")], strict=True):
            mine = [other for other in under if other.box.x1 < end]
            under = under[len(mine) :]
            words += part.words + tuple(word for other in mine for word in other.words)
        joined.append(Run(words))
    return sorted([*joined, *left], key=lambda run: run.box.x0)


def _columns(runs: list[Run], known: Mapping[str, str]) -> tuple[Column, ...]:
    return _called([part for phrase in runs for part in _unglued(phrase, known)])


def _unglued(phrase: Run, known: Mapping[str, str]) -> list[tuple[terms.Title | None, Run]]:
    """As `_titled`; where titles touch (`QuantityPrice`) they are parted where a capital follows a small letter, if
    each part is a title to the letter then.
    """
    found = _titled(phrase, known)
    if all(title and title.exact for title, _ in found):
        return found
    words = tuple(part for word in phrase.words for part in _parted(word))
    if len(words) > len(phrase.words):
        parted = _titled(Run(words), known)
        if len(parted) > len(found) and all(title and title.exact for title, _ in parted):
            return parted
    return found


def _parted(word: Word) -> list[Word]:
    """A word at each place where a capital follows a small letter or a dot, its box parted by letters."""
    pairs = enumerate(pairwise(word.text), 1)
    ends = [at for at, (before, letter) in pairs if (before.islower() or before == ".") and letter.isupper()]
    box, step = word.box, word.box.width / max(1, len(word.text))
    return [
        word._replace(text=word.text[begin:end], box=box._replace(x0=box.x0 + begin * step, x1=box.x0 + end * step))
        for begin, end in pairwise([0, *ends, len(word.text)])
    ]


def _called(titles: Sequence[tuple[terms.Title | None, Run]]) -> tuple[Column, ...]:
    """A column for each title, each name once: what was not asked for or is there already gets a name of `other`."""
    columns: list[Column] = []
    for title, run in titles:
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
    """Where no title names the amount, the net or the last of the other sums that is no tax is it (open items:
    original, open).
    """
    if not any(column.name in ("amount", "debit", "credit") for column in columns):
        parts = [taxes.part(column.title) if column.name == "other_amount" else "tax" for column in columns]
        sums = [at for at, part in enumerate(parts) if part not in ("tax", "rate")]
        net = [at for at in sums if parts[at] == "net" and "gross" in parts]
        if sums and any(column.asked for column in columns):
            at = (net or sums)[-1]
            columns[at] = replace(columns[at], name="amount")
    return tuple(columns)


def _titled(phrase: Run, known: Mapping[str, str]) -> list[tuple[terms.Title | None, Run]]:
    """The phrase as one title, or as several where each of its parts is one to the letter."""
    if len(phrase.words) > 1 and phrase.words[0].text in terms.COUNTERS:
        return [*_titled(Run(phrase.words[:1]), known), *_titled(Run(phrase.words[1:]), known)]
    whole = terms.title(phrase.text, known)
    if (whole and whole.exact) or len(phrase.words) == 1:
        return [(whole, phrase)]
    parts: list[tuple[terms.Title | None, Run]] = []
    rest = phrase.words
    while rest:
        size = _title_ahead(rest, known) if not parts or not _goes_on(parts[-1][1], rest, known) else 0
        if size:
            part = Run(rest[:size])
            parts.append((terms.title(part.text, known), part))
        elif parts and (size := _qualifiers(rest)):
            title, part = parts[-1]
            parts[-1] = (title, Run(part.words + rest[:size]))
        else:
            return [(whole, phrase)]
        rest = rest[size:]
    return parts


def _title_ahead(words: tuple[Word, ...], known: Mapping[str, str]) -> int:
    """How many words from the first on are a title to the letter, rather those that a wide gap ends; 0 if none are."""
    titles = [(size, terms.title(Run(words[:size]).text, known)) for size in range(len(words), 0, -1)]
    sizes = [size for size, title in titles if title and title.exact]
    ends = [size for size in sizes if len(layout.parts(words[size - 1 : size + 1], GLUED)) > 1 or size == len(words)]
    return next(iter(ends or sizes), 0)


def _qualifiers(words: tuple[Word, ...]) -> int:
    """How many words from the first on say which amount the title before them means."""
    return next((size for size in (3, 2, 1) if terms.is_qualifier(Run(words[:size]).text)), 0)


def _goes_on(before: Run, rest: tuple[Word, ...], known: Mapping[str, str]) -> bool:
    """Whether words behind a title belong to it: `(net)`, `in` before a currency, the `unit` of a price."""
    close = rest[0].box.x0 - before.box.x1 <= GLUED * rest[0].size
    unit = close and known.get(terms.plainly(rest[0].text)) == "other" and _title_ahead(rest, known) < 2
    return unit or _qualifiers(rest) > 0 or rest[0].text.casefold() == "in"


def _named(columns: tuple[Column, ...]) -> int:
    return sum(column.asked for column in columns)


def _is_header(columns: tuple[Column, ...]) -> bool:
    names = {column.name for column in columns}
    further = sum(column.name == "other_amount" for column in columns)  # taxes, or what is due for how long
    return bool(names & FIGURES) and bool(names & SUBJECTS) and 2 * _named(columns) + further >= len(columns)


def ruled(draft: Draft, known: Mapping[str, str]) -> tuple[tuple[Column, ...], int] | None:
    """The columns of a ruled table by its first rows, and how many rows they take; None where these name none."""
    rows = (*draft.heads, *draft.rows)
    above = next((at for at, band in enumerate(draft.heads) if at and _names_supplier(band)), len(draft.heads) or 1)
    found = [
        (named, count) for count in dict.fromkeys((above, 1)) if (named := _ruled_titles(rows[:count], draft, known))
    ]
    if not found:
        return None
    (columns, _), count = max(found, key=lambda each: each[0][1])  # of equals the one of more rows
    return columns, count


def _ruled_titles(
    heads: Sequence[Band], draft: Draft, known: Mapping[str, str]
) -> tuple[tuple[Column, ...], int] | None:
    """The columns that these rows name, and how many titles are known to the letter; None where they name none."""
    held = [_titles(heads, at) for at in range(len(draft.lanes))]
    if not all(held):
        return None
    titles = [(terms.title(run.text, known), run) for run in map(Run, held)]
    columns = _called(titles)
    if not _is_header(columns) or any(_decimal(word.text) for words in held for word in words):
        return None
    return columns, sum(bool(title and title.exact) for title, _ in titles)


def _names_supplier(band: Band) -> bool:
    """Whether a row is a supplier's heading, over however many columns."""
    return terms.heading(" ".join(entry.text for entry in band.entries)) is not None


def _titles(rows: Sequence[Band], column: int) -> tuple[Word, ...]:
    entries = [entry for band in rows if (entry := band.entry(column))]
    return tuple(word for entry in entries for piece in entry.pieces for word in piece.words)


# ---- the grid


@dataclass(frozen=True)
class Cells:
    """A line's cells by column. typed: the date or figure in columns of these; loose: figures that stand in no
    column of figures; doubts: what could stand elsewhere, in words.
    """

    band: Band
    by_column: Mapping[int, Entry]
    typed: Mapping[int, Run]
    loose: tuple[Run, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Grid:
    """Columns and the strip of the page that each takes, from the left."""

    columns: tuple[Column, ...]
    lanes: tuple[Lane, ...]

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(column.name for column in self.columns)

    @property
    def left(self) -> float:
        return self.lanes[0][0]

    def band(self, row: Row) -> Band:
        """The line's words in the columns; what stands over several is parted where the columns tell how."""
        if "currency" in self.names:
            row = row._replace(parts=tuple(self._codes_apart(row.parts)))
        whole = [entry for part in row.parts if (entry := self._whole(row.at, part))]
        if whole:
            held = {word for entry in whole for word in entry.pieces[0].words}
            row = row._replace(parts=tuple(part for part in row.parts if part[0] not in held))
        found = lanes.band(row, self.lanes)
        if not whole and all(entry.columns == 1 for entry in found.entries):
            return found
        parts = [part for entry in found.entries for part in self._parted(entry)]
        return merged([Band((part,)) for part in (*parts, *whole)])

    def _codes_apart(self, parts: Sequence[tuple[Word, ...]]) -> Iterator[tuple[Word, ...]]:
        """The parts of a line, currencies that stand in a column of theirs apart from the figures beside them."""
        held = [lane for lane, column in zip(self.lanes, self.columns, strict=True) if column.name == "currency"]
        for part in parts:
            coded = [word.text in CURRENCIES and any(a <= word.box.middle[0] <= b for a, b in held) for word in part]
            for _, each in groupby(zip(coded, part, strict=True), key=lambda pair: pair[0]):
                yield tuple(word for _, word in each)

    def _whole(self, at: int, part: tuple[Word, ...]) -> Entry | None:
        """A part that is one figure of several words, such as `3 099,18`, over one column of figures and others."""
        if len(part) == 1 or not all(word.text in AHEAD or any(map(str.isdigit, word.text)) for word in part):
            return None
        first, last = lanes.under(part, self.lanes)
        sums = [column for column in range(first, last + 1) if self.columns[column].kind == "amount"]
        if first == last or len(sums) != 1 or not _decimal(" ".join(word.text for word in part)):
            return None
        return Entry(self._nearest(around([word.box for word in part]), first, last), 1, 1, (Piece(at, part),))

    def _parted(self, entry: Entry) -> list[Entry]:
        """A figure over two columns in the one whose edge it shares; a date or figure that text touches apart from it,
        where the boundary of their columns stands between them.
        """
        if entry.columns == 1:
            return [entry]
        if amounts.parse(entry.text, None):
            nearest = self._nearest(entry.box, entry.column, entry.last)
            return [entry._replace(column=nearest, columns=1)]
        [piece] = entry.pieces
        held = groupby(_units(piece.words), self._under)
        parts = [
            Entry(first, last - first + 1, 1, (Piece(piece.line, tuple(word for unit in units for word in unit)),))
            for (first, last), units in held
        ]
        columns = [part.column for part in parts]
        whole = columns != sorted(set(columns)) or not all(map(self._holds, parts))
        return [entry] if whole else parts

    def _under(self, unit: tuple[Word, ...]) -> tuple[int, int]:
        """First and last column that a word, or the words of one figure, stand in; one for a figure."""
        first, last = lanes.under(unit, self.lanes)
        if first < last and amounts.parse(" ".join(word.text for word in unit), None):
            first = last = self._nearest(around([word.box for word in unit]), first, last)
        return first, last

    def _nearest(self, box: Box, first: int, last: int) -> int:
        return min(range(first, last + 1), key=lambda at: distance(self.lanes[at], box))

    def _holds(self, part: Entry) -> bool:
        """Whether a part stands in one column and is of its kind."""
        match self.columns[part.column].kind:
            case "date":
                return part.columns == 1 and amounts.date(part.text, True, 2000) is not None
            case "amount":
                return part.columns == 1 and amounts.parse(part.text, None) is not None
            case _:
                return part.columns == 1

    def cells(self, line: TableLine, band: Band) -> Cells:
        by_column = {entry.column: entry for entry in band.entries}
        typed: dict[int, tuple[Run, ...]] = {}
        for at, entry in by_column.items():
            kind = self.columns[at].kind
            if kind != "text" and entry.columns == 1:
                words = tuple(word for piece in entry.pieces for word in piece.words)
                if found := dates(words) if kind == "date" else figures(words):
                    typed[at] = found
        doubts = [doubt for at, runs in typed.items() for doubt in self._mixed(at, by_column[at], runs)]
        sums = [at for at in typed if self.columns[at].kind == "amount"]
        doubts += self._crowded(by_column, bool(sums))
        taken = {word for at in typed for run in typed[at] for word in run.words}
        loose = tuple(run for run in line.figures if taken.isdisjoint(run.words))
        return Cells(band, by_column, {at: self._own(at, runs) for at, runs in typed.items()}, loose, tuple(doubts))

    def _own(self, at: int, runs: Sequence[Run]) -> Run:
        """Of what stands in a column of dates or figures, that which stands under the others of the column; of figures
        one with cents rather than a page's number.
        """
        sums = [run for run in runs if _decimal(run.text)] if self.columns[at].kind == "amount" else []
        return min(sums or runs, key=lambda run: distance(self.lanes[at], run.box))

    def _mixed(self, at: int, entry: Entry, runs: tuple[Run, ...]) -> list[str]:
        """What stands in a column of dates or figures beside the first of them."""
        title = self.columns[at].title
        both = [f"“{runs[0].text}” and “{run.text}” both stand in the column {title}" for run in runs[1:]]
        typed = {word for run in runs for word in run.words}
        rest = [word.text for piece in entry.pieces for word in piece.words if word not in typed]
        if self.columns[at].kind == "amount":  # in a table of accounts currencies stand at the column's left
            rest = [text for text in rest if text not in CURRENCIES]
        return both + ([f"“{' '.join(rest)}” stands in the column {title} beside a value"] if rest else [])

    def _crowded(self, by_column: Mapping[int, Entry], filled: bool) -> list[str]:
        """Text that touches the next value, or reaches into a column that is empty on this line.

        A line of words alone may reach over columns of figures: it has no value there that could be missed.
        """
        found = []
        ordered = sorted(by_column)
        for at, following in zip(ordered, [*ordered[1:], len(self.columns)], strict=True):
            entry, column = by_column[at], self.columns[at]
            if column.kind != "text" and entry.columns == 1:
                continue
            widest = GLUED if column.name == "invoice_number" else 1.0
            wide = any(len(phrases(piece.words, widest)) > 1 for piece in entry.pieces)
            if column.kind == "text" and column.asked and not column.exact and wide:
                found.append(f"“{entry.text}” under the title “{column.title}” may be two columns")
            if column.name == "invoice_number" and _title_parted(column.title)[0] and _COUNTED.match(entry.text):
                found.append(f"“{entry.text}” under the title “{column.title}” may be two columns")
            if filled and (under := self._next(entry, at + 1, by_column)):
                found.append(f"“{under}” stands under the title {self.columns[at + 1].title}, too")
            if begun := self._date_before(entry, column):
                found.append(f"“{begun}” stands in the column {column.title}, and no column of dates was found")
            if at and at - 1 not in by_column and self._is_under(entry, at - 1):
                found.append(f"“{entry.text}” stands under the empty column {self.columns[at - 1].title}, too")
            for other in range(at + 1, following):
                sure = filled or self.columns[other].kind == "text"
                if sure and entry.box.x1 > self.lanes[other][0] + 1:
                    title = self.columns[other].title
                    found.append(f"“{entry.text}” reaches over the boundary of the column {title}")
                    break
            else:
                if following in by_column and _touches(entry, by_column[following]):
                    found.append(f"“{entry.text}” touches the column {self.columns[following].title}")
        return found

    def _date_before(self, entry: Entry, column: Column) -> str:
        """The date within a supplier or a number, or before a description, where the table has no column of dates."""
        if column.name not in SUBJECTS or any(other.kind == "date" for other in self.columns):
            return ""
        words = [word for piece in entry.pieces for word in piece.words]
        looked = words[:1] if column.name == "description" else words
        return next((word.text for word in looked if amounts.date(word.text, True, 2000)), "")

    def _is_under(self, entry: Entry, at: int) -> bool:
        """Whether the first word of a cell stands under the title of the column `at`."""
        return self.columns[at].x0 < entry.pieces[0].words[0].box.middle[0] < self.columns[at].x1

    def _next(self, entry: Entry, at: int, by_column: Mapping[int, Entry]) -> str:
        """What of a cell stands under the title of the column `at`: a date where that is empty, or words of text."""
        if at == len(self.columns) or entry.columns > 1:
            return ""
        column = self.columns[at]
        for piece in entry.pieces:
            for unit in _units(piece.words):
                text = " ".join(word.text for word in unit)
                inside = column.x0 < around([word.box for word in unit]).middle[0] < column.x1
                lacking = column.kind == "date" and at not in by_column and amounts.date(text, True, 2000)
                if inside and (column.kind == "text" or lacking):
                    return text
        return ""


def _touches(left: Entry, right: Entry) -> bool:
    return right.box.x0 - left.box.x1 < 0.12 * left.pieces[0].words[0].size


def distance(lane: Lane, box: Box) -> float:
    """How far a box is from sharing the left, the right or the middle of a strip, in points."""
    left, right = box.x0 - lane[0], box.x1 - lane[1]
    return min(abs(left), abs(right), abs(left + right) / 2)


# ---- strips under titles


def learn(columns: tuple[Column, ...], below: Sequence[tuple[TableLine, Row]]) -> Grid:
    """The columns under a header, each as wide as what stands below it; as its title where nothing does."""
    rows = _telling([(line, row) for line, row in below if len(row.parts) > 1 and line.figures])
    if not rows:
        return Grid(columns, tuple((column.x0, column.x1) for column in columns))
    size = sorted(row.size for row in rows)[len(rows) // 2]
    strips = _cut(lanes.lanes(rows, size), columns, [box for row in rows for part in row.parts for box in _whole(part)])
    held: dict[int, list[Lane]] = {}
    for strip, at in zip(strips, _under(strips, columns, rows), strict=True):
        held.setdefault(at, []).append(strip)
    found = Grid(columns, _filling([_extent(column, held.get(at, [])) for at, column in enumerate(columns)], columns))
    return _uncounted(found, rows)


def _telling(lines: Sequence[tuple[TableLine, Row]]) -> list[Row]:
    """The lines that tell of the columns: not totals, whose words stand over several, nor the few lines behind the
    last of them, where there are others.
    """
    totals = [at for at, (line, _) in enumerate(lines) if terms.label(line.without(line.figures))]
    rows = [(at, row) for at, (_, row) in enumerate(lines) if at not in totals]
    above = [row for at, row in rows if totals and at < totals[-1]]
    if 2 * len(above) >= len(rows) > 0:
        return above
    return [row for _, row in rows] or [row for _, row in lines]


def _uncounted(grid: Grid, rows: Sequence[Row]) -> Grid:
    """The columns, the numbers that count the rows apart from the documents' numbers where these share a title."""
    at = next((at for at, column in enumerate(grid.columns) if column.name == "invoice_number"), None)
    if at is None:
        return grid
    cells = [entry.pieces[0].words for row in rows if (entry := grid.band(row).entry(at)) and entry.columns == 1]
    cells = [words for words in cells if words[0].text.isdigit()]
    counted = all(int(below[0].text) == int(above[0].text) + 1 for above, below in pairwise(cells))
    if len(cells) < 2 or not counted or any(len(words) < 2 for words in cells):
        return grid
    end, begin = max(words[0].box.x1 for words in cells), min(words[1].box.x0 for words in cells)
    if end >= begin:
        return grid
    (left, right), column = grid.lanes[at], grid.columns[at]
    if at and terms.counts(grid.columns[at - 1].title):  # the counter has its title, and stands nearer to the next
        own = (grid.lanes[at - 1][0], end), (begin, right)
        return replace(grid, lanes=(*grid.lanes[: at - 1], *own, *grid.lanes[at + 1 :]))
    first, rest = _title_parted(column.title)
    parts = (
        replace(column, name="other", title=first, x1=end),
        replace(column, title=rest, x0=max(begin, column.x0)),
    )
    return Grid(
        (*grid.columns[:at], *parts, *grid.columns[at + 1 :]),
        (*grid.lanes[:at], (left, end), (begin, right), *grid.lanes[at + 1 :]),
    )


def _title_parted(title: str) -> tuple[str, str]:
    """The title of a counting column, empty where there is none, and the rest: `N. Documento` may be two."""
    first, _, rest = title.partition(" ")
    return (first, rest) if rest and terms.counts(first) else ("", title)


def _kind(at: int, bands: Sequence[Band]) -> terms.Kind:
    """What most cells of a strip are."""
    texts = [entry.text for band in bands if (entry := band.entry(at)) and entry.columns == 1]
    if 2 * sum(amounts.date(text, True, 2000) is not None for text in texts) > len(texts):
        return "date"
    return "amount" if 2 * sum(amounts.parse(text, None) is not None for text in texts) > len(texts) else "text"


def _cut(strips: Sequence[Lane], columns: Sequence[Column], boxes: Sequence[Box]) -> list[Lane]:
    """The strips, those over which titles of several columns stand parted between these."""
    own = [max(range(len(strips)), key=lambda at: _shared(strips[at], column)) for column in columns]
    found = []
    for at, strip in enumerate(strips):
        over = [column for column, best in zip(columns, own, strict=True) if best == at and _shared(strip, column) > 0]
        inside = [box for box in boxes if strip[0] <= box.middle[0] <= strip[1]] if len(over) > 1 else []
        found.append(strip)
        for left, right in pairwise(over):
            begun = right.kind == "text" and any(abs(box.x0 - right.x0) < 1 for box in inside)
            if left.kind == right.kind == "amount" or begun or strip[0] < (right.x0 + right.x1) / 2 < strip[1]:
                found[-1:] = _halves(found[-1], (left, right), inside)
    return found


def figured(row: Row) -> Row:
    """The line with figures of several words, such as `3 099,18`, as parts of their own."""
    if all(len(part) == 1 for part in row.parts):
        return row
    parts: list[tuple[Word, ...]] = []
    for part in row.parts:
        left: tuple[Word, ...] = ()
        for unit in _units(part):
            if len(unit) > 1 and _decimal(" ".join(word.text for word in unit)):
                parts += [left, unit] if left else [unit]
                left = ()
            else:
                left += unit
        parts += [left] if left else []
    return row._replace(parts=tuple(parts))


def _units(part: tuple[Word, ...]) -> list[tuple[Word, ...]]:
    """A part's words, those of one date or of one figure together: no column ends within them."""
    if sum(word.text in AHEAD or any(map(str.isdigit, word.text)) for word in part) < 2:
        return [(word,) for word in part]
    runs = {run.words[0]: run.words for run in (*figures(part), *dates(part))}
    units: list[tuple[Word, ...]] = []
    at = 0
    while at < len(part):
        units.append(runs.get(part[at], part[at : at + 1]))
        at += len(units[-1])
    return units


def _whole(part: tuple[Word, ...]) -> list[Box]:
    """The boxes of a part's words, dates and figures."""
    return [around([word.box for word in unit]) for unit in _units(part)]


def _halves(strip: Lane, titles: tuple[Column, Column], boxes: Sequence[Box]) -> list[Lane]:
    """The strip parted under two titles: where the fewest words are cut, and where words of text begin."""
    left, right = titles
    low = left.x1 if right.kind == "text" else (left.x0 + left.x1) / 2
    begins = {box.x0 for box in boxes if low < box.x0 <= right.x1}
    at = min(begins, key=lambda x: (_cost(boxes, x, right), abs(x - right.x0)), default=right.x0)
    ends = [box.x1 for box in boxes if strip[0] - 1 <= box.x0 and box.x1 <= at + 0.5]
    return [(strip[0], max(ends, default=at - 1)), (at, strip[1])]


def _cost(boxes: Sequence[Box], x: float, right: Column) -> int:
    """How many words a cut at `x` goes through, less those of a column of text that begin there."""
    begun = sum(abs(box.x0 - x) < 1 for box in boxes) if right.kind == "text" else 0
    return sum(box.x0 < x - 0.5 < box.x1 for box in boxes) - begun


def _under(strips: Sequence[Lane], columns: Sequence[Column], rows: Sequence[Row]) -> list[int]:
    """The column of each strip: the one whose title stands over it, where each strip has its own title; else figures
    at the right by their order, others by the title over them, by what they hold, or, as text, the last title of text
    that begins before them.
    """
    if len(strips) == len(columns) and all(_shared(strip, one) > 0 for strip, one in zip(strips, columns, strict=True)):
        return list(range(len(columns)))
    bands = [lanes.band(row, strips) for row in rows]
    kinds = [_kind(at, bands) for at in range(len(strips))]
    first = next((at for at in range(len(columns), 0, -1) if columns[at - 1].kind != "amount"), 0)
    left = columns[first - 1].x1 if first else 0.0
    last = [at for at, kind in enumerate(kinds) if kind == "amount" and strips[at][1] > left]
    ordered = dict(zip(last, range(first, len(columns)), strict=True)) if len(last) == len(columns) - first else {}
    return [ordered[at] if at in ordered else _titled_by(strips[at], kinds[at], columns) for at in range(len(strips))]


def _shared(strip: Lane, column: Column) -> float:
    return min(strip[1], column.x1) - max(strip[0], column.x0)


def _titled_by(strip: Lane, kind: terms.Kind, columns: Sequence[Column]) -> int:
    most = max(range(len(columns)), key=lambda at: _shared(strip, columns[at]))
    if _shared(strip, columns[most]) > 0:
        return most

    def far(at: int) -> float:
        return distance(strip, Box(columns[at].x0, 0, columns[at].x1, 0))

    near = [at for at, column in enumerate(columns) if column.kind == kind != "text" and far(at) <= FAR]
    if near:
        return min(near, key=far)
    texts = [at for at, column in enumerate(columns) if column.kind == "text"]
    begun = [at for at in texts if columns[at].x0 <= strip[0]]
    return (begun or texts[:1] or [most])[-1]


def _extent(column: Column, held: Sequence[Lane]) -> Lane:
    lefts, rights = [lane[0] for lane in held], [lane[1] for lane in held]
    return (min(lefts), max(rights)) if held else (column.x0, column.x1)


def _filling(found: Sequence[Lane], columns: Sequence[Column]) -> tuple[Lane, ...]:
    """The strips in the order of their titles, none reaching into the next; text owns the white space behind it."""
    filled = []
    ends = [*(left for left, _ in found[1:]), float("inf")]
    for (left, right), column, end in zip(found, columns, ends, strict=True):
        wide = end - 2 if column.kind == "text" and end < float("inf") else right
        filled.append((left, max(left + 1, min(max(right, wide), end))))
    return tuple(filled)
