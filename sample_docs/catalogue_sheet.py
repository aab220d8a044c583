"""Sets a catalogue on pages of columns: three tiers of headings, notes, product tables with a header on every piece.

Comes in: headings, notes and tables in order. Goes out: a PDF, the page of each heading and of each product row.
Refuses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from sample_docs.drawing import A4, Family, canvas, wrap

LEFT, RIGHT, TOP, BOTTOM, GAP = 48.0, 547.0, 778.0, 72.0, 23.0
ACCENT, INK, GREY, RULE = HexColor("#0b5d5e"), HexColor("#1d2327"), HexColor("#606b73"), HexColor("#cfd6da")
TINT, WHITE, ORANGE = HexColor("#e7f0f0"), HexColor("#ffffff"), HexColor("#d9822b")
SIZES = {1: 22.0, 2: 13.5, 3: 10.4}
MARKED = 2  # levels of headings that the document's own outline names
BODY, ROW, STEP = 8.2, 16.6, 10.0


class Row(NamedTuple):
    """A product as printed."""

    code: str
    name: str
    pack: str
    price: str


@dataclass(frozen=True)
class Style:
    """Name of the firm and edition, families for heads and notes, and how many columns a page has."""

    firm: str
    edition: str
    heads: Family
    notes: Family
    columns: int


class Text(NamedTuple):
    """A string in its place; `end` makes x its right end."""

    x: float
    y: float
    text: str
    font: str
    size: float
    colour: Color
    end: bool = False


class Bar(NamedTuple):
    """A filled rectangle by its lower left corner."""

    x: float
    y: float
    width: float
    height: float
    colour: Color


class Head(NamedTuple):
    """A heading as placed; y of its baseline."""

    number: str | None
    title: str
    level: int
    page: int
    y: float

    @property
    def shown(self) -> str:
        return f"{self.number} {self.title}" if self.number else self.title


class Sheet:
    """Pages in the making; a cursor goes down the columns and on to the next page."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.pages: list[list[Text | Bar]] = []
        self.chapters: list[str] = []
        self.heads: list[Head] = []
        self.rows: list[tuple[Row, int]] = []
        self.chapter = ""
        self.column, self.y, self.top = 0, TOP, TOP
        self.width = (RIGHT - LEFT - GAP * (style.columns - 1)) / style.columns

    @property
    def x(self) -> float:
        return LEFT + self.column * (self.width + GAP)

    @property
    def number(self) -> int:
        return len(self.pages)

    def _put(self, mark: Text | Bar) -> None:
        self.pages[-1].append(mark)

    def _turn(self) -> None:
        self.pages.append([])
        self.chapters.append(self.chapter)
        self.column, self.y, self.top = 0, TOP, TOP

    def _room(self, need: float) -> None:
        """Go to the next column, or page, unless `need` points are left in this one."""
        if self.y - need >= BOTTOM:
            return
        if self.column + 1 < self.style.columns:
            self.column += 1
            self.y = self.top
        else:
            self._turn()

    def chapter_head(self, number: str | None, title: str, intro: str) -> None:
        """A new page with the title and an introduction over all columns."""
        self.chapter = title
        self._turn()
        self._put(Bar(LEFT, TOP - 44, 5, 40, ORANGE))
        self._heading(1, number, title, LEFT + 16, TOP - 32)
        self.y = TOP - 62
        for line in wrap(intro, self.style.notes.italic, 10, RIGHT - LEFT):
            self._put(Text(LEFT, self.y, line, self.style.notes.italic, 10, GREY))
            self.y -= 14
        self.y -= 8
        self.top = self.y

    def _heading(self, level: int, number: str | None, title: str, x: float, y: float) -> None:
        head = Head(number, title, level, self.number, y)
        colour = INK if level == 3 else ACCENT
        self._put(Text(x, y, head.shown, self.style.heads.bold, SIZES[level], colour))
        self.heads.append(head)

    def head(self, level: int, number: str | None, title: str, note: str) -> None:
        """A heading of the second or third tier and a note under it; the table may come on the next page."""
        size = SIZES[level]
        lines = wrap(note, self.style.heads.regular, BODY, self.width)
        above = (14.0 if level == 2 else 10.0) if self.y < self.top else 0.0
        self._room(above + size + 6 + len(lines) * 11 + 4)
        self.y -= (above if self.y < self.top else 0.0) + size
        self._heading(level, number, title, self.x, self.y)
        if level == 2:
            self._put(Bar(self.x, self.y - 4.5, self.width, 1.1, ACCENT))
        self.y -= 6 + (3 if level == 2 else 0)
        for line in lines:
            self.y -= 10.6
            self._put(Text(self.x, self.y, line, self.style.heads.regular, BODY, GREY))
        self.y -= 6

    def table(self, rows: Sequence[Row], labels: Row) -> None:
        fresh = True
        for index, row in enumerate(rows):
            names = wrap(row.name, self.style.heads.regular, BODY, self._columns()[2] - self._columns()[1] - 22)
            height = ROW + (len(names) - 1) * STEP
            before = (self.number, self.column)
            self._room(height + (ROW + 2 if fresh else 0))
            if fresh or before != (self.number, self.column):
                self._labels(labels)
                fresh = False
            self._row(row, names, height, striped=index % 2 == 1)
        self.y -= 4

    def _columns(self) -> tuple[float, float, float, float]:
        """x of code and product, right ends of pack and price."""
        return self.x + 3, self.x + 40, self.x + self.width - 42, self.x + self.width - 3

    def _labels(self, labels: Row) -> None:
        self.y -= ROW + 1
        self._put(Bar(self.x, self.y, self.width, ROW + 1, ACCENT))
        self._cells(labels, self.y + 5.6, self.style.heads.bold, WHITE)

    def _cells(self, row: Row, y: float, font: str, colour: Color) -> None:
        code, name, pack, price = self._columns()
        self._put(Text(code, y, row.code, font, BODY, colour))
        self._put(Text(name, y, row.name, font, BODY, colour))
        self._put(Text(pack, y, row.pack, font, BODY, colour, end=True))
        self._put(Text(price, y, row.price, font, BODY, colour, end=True))

    def _row(self, row: Row, names: Sequence[str], height: float, striped: bool) -> None:
        if striped:
            self._put(Bar(self.x, self.y - height, self.width, height, TINT))
        base = self.y - ROW + 5.4
        self._cells(row._replace(name=names[0]), base, self.style.heads.regular, INK)
        for index, name in enumerate(names[1:], start=1):
            x = self._columns()[1]
            self._put(Text(x, base - index * STEP, name, self.style.heads.regular, BODY, INK))
        self._put(Bar(self.x, self.y - height, self.width, 0.35, RULE))
        self.y -= height
        self.rows.append((row, self.number))

    def draw(self, path: Path, front: int) -> None:
        """Write the file; `front` pages (cover and contents) come first."""
        _Drawing(self, path, front).draw()


class _Drawing:
    """Draws cover, contents, then the pages with their running header and footer."""

    def __init__(self, sheet: Sheet, path: Path, front: int) -> None:
        self.sheet, self.style, self.front = sheet, sheet.style, front
        self.heads = sheet.style.heads
        self.canvas: Canvas = canvas(path, f"{self.style.firm}: {self.style.edition}", self.style.firm)
        self.page = 1

    def draw(self) -> None:
        self._cover()
        self._contents()
        for marks, chapter in zip(self.sheet.pages, self.sheet.chapters, strict=True):
            self._running(chapter)
            for mark in marks:
                self._mark(mark)
            self._bookmarks()
            self._next()
        self.canvas.save()

    def _bookmarks(self) -> None:
        """Entries of the document's own outline for the page's headings of the first two levels."""
        for head in self.sheet.heads:
            if head.page + self.front == self.page and head.level <= MARKED:
                key = f"{head.page}:{head.shown}"
                self.canvas.bookmarkHorizontal(key, 0, head.y + SIZES[head.level])
                self.canvas.addOutlineEntry(head.shown, key, head.level - 1, closed=head.level == 1)

    def _next(self) -> None:
        self.canvas.showPage()
        self.page += 1

    def _mark(self, mark: Text | Bar) -> None:
        self.canvas.setFillColor(mark.colour)
        if isinstance(mark, Bar):
            self.canvas.rect(mark.x, mark.y, mark.width, mark.height, stroke=0, fill=1)
            return
        self.canvas.setFont(mark.font, mark.size)
        if mark.end:
            self.canvas.drawRightString(mark.x, mark.y, mark.text)
        else:
            self.canvas.drawString(mark.x, mark.y, mark.text)

    def _cover(self) -> None:
        self._mark(Bar(0, 0, A4[0], A4[1], ACCENT))
        self._mark(Bar(48, 470, 64, 5, ORANGE))
        for y, size, text in ((520, 34, self.style.firm), (424, 22, self.style.edition)):
            self._mark(Text(48, y, text, self.heads.bold, size, WHITE))
        note = "Tools, fasteners and supplies for workshop, site and store"
        self._mark(Text(48, 396, note, self.style.notes.italic, 13, HexColor("#cfe3e3")))
        self._hexagons()
        self._next()

    def _hexagons(self) -> None:
        """A pattern of nut outlines in the lower right corner."""
        self.canvas.setStrokeColor(HexColor("#2f7f80"))
        self.canvas.setLineWidth(2.2)
        for column in range(5):
            for row in range(4):
                x, y = 330 + column * 66, 60 + row * 76 + (38 if column % 2 else 0)
                path = self.canvas.beginPath()
                path.moveTo(x + 38, y)
                for dx, dy in ((19, 33), (-19, 33), (-38, 0), (-19, -33), (19, -33)):
                    path.lineTo(x + dx, y + dy)
                path.close()
                self.canvas.drawPath(path)
                self.canvas.circle(x, y, 17)

    def _running(self, chapter: str) -> None:
        style = self.style
        self._mark(Text(LEFT, 806, f"{style.firm} · {style.edition}", self.heads.regular, 7.6, GREY))
        self._mark(Text(RIGHT, 806, chapter, self.heads.regular, 7.6, GREY, end=True))
        self._mark(Bar(LEFT, 799, RIGHT - LEFT, 0.5, RULE))
        self._mark(Bar(LEFT, 54, RIGHT - LEFT, 0.5, RULE))
        note = "Prices in EUR without VAT. Subject to change and to our terms of sale."
        self._mark(Text(LEFT, 41, note, self.heads.regular, 7.2, GREY))
        self._mark(Text(RIGHT, 41, str(self.page), self.heads.bold, 9, ACCENT, end=True))

    def _contents(self) -> None:
        self._running("Contents")
        self._mark(Text(LEFT, TOP - 26, "Contents", self.heads.bold, 22, ACCENT))
        y = TOP - 50
        for head in (head for head in self.sheet.heads if head.level < 3):
            y -= 17.5 if head.level == 1 else 11.4
            self._entry(head, y)
        self._next()

    def _entry(self, head: Head, y: float) -> None:
        font, size = (self.heads.bold, 9.4) if head.level == 1 else (self.heads.regular, 8.6)
        x = LEFT + (0 if head.level == 1 else 16)
        shown = head.shown
        page = str(head.page + self.front)
        self._mark(Text(x, y, shown, font, size, INK))
        self._mark(Text(RIGHT, y, page, font, size, INK, end=True))
        start = x + self.canvas.stringWidth(shown, font, size) + 4
        end = RIGHT - self.canvas.stringWidth(page, font, size) - 4
        dots = "." * int((end - start) / self.canvas.stringWidth(".", self.heads.regular, size))
        self._mark(Text(end, y, dots, self.heads.regular, size, GREY, end=True))
