"""Sets an agreement on pages: cover, contents with page numbers, headings, justified text, signatures.

Comes in: headings and blocks in order. Goes out: a PDF, the page of each heading, and every line that is boilerplate.
Refuses nothing. Places are points from the page's foot, as reportlab has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from sample_docs.agreement_stamps import NONE, Stamps
from sample_docs.agreement_text import Terms
from sample_docs.drawing import A4, Family, canvas, family

Kind = Literal["front", "article", "clause", "schedule", "paragraph", "signature"]
LEFT, RIGHT, TOP, BOTTOM = 66.0, 529.0, 772.0, 76.0
INDENT, POINT, SUBPOINT = 36.0, 60.0, 84.0
BODY, LEADING = 9.0, 11.7
NAVY, INK, GREY, RULE = HexColor("#16324f"), HexColor("#1a1a1a"), HexColor("#59636e"), HexColor("#b9c2cb")


@dataclass(frozen=True)
class Look:
    """Who the parties are, the reference, the families of headings and text, and what is stamped on the pages."""

    parties: tuple[str, str]
    addresses: tuple[str, str]
    reference: str
    heads: str
    text: str
    stamps: Stamps = NONE


@dataclass(frozen=True)
class Block:
    """A paragraph: text, a definition (label in bold), a point (a) or a point within (i)."""

    kind: Literal["text", "definition", "point", "subpoint"]
    label: str
    text: str


@dataclass(frozen=True)
class Printed:
    """A line of boilerplate as printed, and what it is."""

    page: int
    text: str
    reason: str


class Span(NamedTuple):
    """Words in one font."""

    text: str
    font: str


class Set(NamedTuple):
    """A line in its place; `stretch` widens its spaces so that it ends at the right margin."""

    x: float
    y: float
    size: float
    spans: tuple[Span, ...]
    colour: Color
    stretch: float = 0.0


class Entry(NamedTuple):
    """A heading for the contents: page counts from the first page of the body."""

    kind: Kind
    number: str | None
    title: str
    page: int


class Face(NamedTuple):
    """How a kind of heading is set: size, room above and below, whether it starts a page."""

    size: float
    above: float
    below: float
    new_page: bool = False


FACES: dict[Kind, Face] = {
    "front": Face(13.5, 14, 8), "article": Face(13.5, 18, 5), "clause": Face(BODY, 9, 3),
    "schedule": Face(18, 0, 14, True), "paragraph": Face(11, 13, 4), "signature": Face(13.5, 0, 8, True),
}  # fmt: skip
ENTRIES_FIRST, ENTRIES_NEXT = 51, 54
_widths: dict[tuple[str, str, float], float] = {}


def width(text: str, font: str, size: float) -> float:
    """stringWidth, remembered: the same words come again at each trial setting."""
    key = (text, font, size)
    if key not in _widths:
        _widths[key] = stringWidth(text, font, size)
    return _widths[key]


class Book:
    """Pages in the making: headings wait until the lines that follow are known to fit below them."""

    def __init__(self, look: Look, terms: Terms) -> None:
        self.look, self.terms = look, terms
        self.heads: Family = family(look.heads)
        self.text: Family = family(look.text)
        self.sheets: list[list[Set]] = [[]]
        self.entries: list[Entry] = []
        self.y = TOP
        self.waiting: list[Entry] = []
        self.signature_page = 0
        self.notes: dict[int, list[Set]] = {}  # by sheet: what cover sheets of exhibits say besides

    @property
    def contents_pages(self) -> int:
        return 1 if len(self.entries) <= ENTRIES_FIRST else 1 + -(-(len(self.entries) - ENTRIES_FIRST) // ENTRIES_NEXT)

    @property
    def pages(self) -> int:
        return 1 + self.contents_pages + len(self.sheets)

    def heading_pages(self) -> list[int]:
        return [entry.page + 1 + self.contents_pages for entry in self.entries]

    # ---- setting

    def heading(self, kind: Kind, number: str | None, title: str) -> None:
        if FACES[kind].new_page and self.sheets[-1]:
            self._flush(0)
            self._turn()
        if kind == "schedule" and self.look.stamps.has("sheets"):
            self._cover_sheet(number or "", title)
            return
        self.waiting.append(Entry(kind, number, title, 0))

    def _cover_sheet(self, number: str, title: str) -> None:
        """A sheet with the name of what follows. Every second name is printed again on the next page."""
        again = sum(entry.kind == "schedule" for entry in self.entries) % 2 == 0
        size = FACES["schedule"].size
        self.y = 480
        entry = Entry("schedule", number, title, 0)
        notes = [(self.look.stamps.attached, self.text.regular, BODY)]
        if again:
            notes = [(number, self.heads.bold, size), (title, self.heads.bold, size), *notes]
        else:
            self.waiting = [entry]
            self._flush(0)
        for text, font, large in notes:
            self.y -= large * 1.6
            self.notes.setdefault(len(self.sheets), []).append(Set(LEFT, self.y, large, (Span(text, font),), INK))
        self._turn()
        if again:
            self.waiting = [entry]

    def block(self, block: Block) -> None:
        indent, label = {
            "text": (INDENT, 0.0), "definition": (INDENT, 0.0), "point": (POINT, INDENT), "subpoint": (SUBPOINT, POINT)
        }[block.kind]  # fmt: skip
        spans = [Span(word, self.text.regular) for word in block.text.split(" ")]
        if block.kind == "definition":
            spans = [Span(word, self.text.bold) for word in block.label.split(" ")] + spans
        lines = self._broken(spans, RIGHT - LEFT - indent)
        self._flush(min(2, len(lines)) * LEADING)
        for index, (line, stretch) in enumerate(lines):
            rest = len(lines) - index
            if self.y - LEADING < BOTTOM or (rest == 2 and index > 1 and self.y - 2 * LEADING < BOTTOM):
                self._turn()
            self.y -= LEADING
            if index == 0 and label:
                mark = (Span(block.label, self.text.regular),)
                self.sheets[-1].append(Set(LEFT + label, self.y, BODY, mark, INK))
            self.sheets[-1].append(Set(LEFT + indent, self.y, BODY, line, INK, stretch))
        self.y -= 3.8

    def signatures(self) -> None:
        """Room for two signature blocks, drawn later because they are boilerplate."""
        self.signature_page = len(self.sheets)
        self.y = BOTTOM

    def _turn(self) -> None:
        self.sheets.append([])
        self.y = TOP

    def _flush(self, following: float) -> None:
        """Place the headings that wait, on the next page if `following` points would not fit below them."""
        if not self.waiting:
            if self.y - following < BOTTOM:
                self._turn()
            return
        faces = [FACES[entry.kind] for entry in self.waiting]
        need = sum(face.above + face.size * 1.25 + face.below for face in faces) + following
        if self.y - need < BOTTOM:
            self._turn()
        for entry, face in zip(self.waiting, faces, strict=True):
            if self.y < TOP:
                self.y -= face.above
            self.y -= face.size * 1.25
            self._place_heading(entry, face)
            self.y -= face.below
            self.entries.append(entry._replace(page=len(self.sheets)))
        self.waiting = []

    def _place_heading(self, entry: Entry, face: Face) -> None:
        font = self.text.bold if entry.kind == "clause" else self.heads.bold
        colour = INK if entry.kind == "clause" else NAVY
        x = LEFT
        if entry.number:
            self.sheets[-1].append(Set(x, self.y, face.size, (Span(entry.number, font),), colour))
            x += max(INDENT, width(entry.number, font, face.size) + face.size * 0.9)
        self.sheets[-1].append(Set(x, self.y, face.size, (Span(entry.title, font),), colour))

    def _broken(self, spans: Sequence[Span], room: float) -> list[tuple[tuple[Span, ...], float]]:
        """Lines of merged spans with the stretch of each space in points (0 for the last line)."""
        lines: list[tuple[tuple[Span, ...], float]] = []
        line: list[Span] = []
        used = 0.0
        space = width(" ", self.text.regular, BODY)
        for span in spans:
            wide = width(span.text, span.font, BODY)
            if line and used + space + wide > room:
                lines.append((_merged(line), (room - used) / max(1, len(line) - 1)))
                line, used = [], 0.0
            used += wide + (space if line else 0.0)
            line.append(span)
        lines.append((_merged(line), 0.0))
        return lines

    # ---- drawing

    def draw(self, path: Path) -> tuple[Printed, ...]:
        return _Drawing(self, path).drawn()


def _merged(line: Sequence[Span]) -> tuple[Span, ...]:
    """Neighbouring words of one font as one span; a space ends each span but the last."""
    merged: list[Span] = []
    for span in line:
        if merged and merged[-1].font == span.font:
            merged[-1] = Span(f"{merged[-1].text} {span.text}", span.font)
        else:
            if merged:
                merged[-1] = Span(merged[-1].text + " ", merged[-1].font)
            merged.append(span)
    return tuple(merged)


class _Drawing:
    """Draws a finished book and notes the boilerplate as it goes."""

    def __init__(self, book: Book, path: Path) -> None:
        self.book, self.terms, self.look = book, book.terms, book.look
        self.heads, self.text = book.heads, book.text
        self.canvas: Canvas = canvas(path, f"{self.terms.title} {self.look.reference}", self.look.parties[0])
        self.page = 1
        self.printed: list[Printed] = []

    def drawn(self) -> tuple[Printed, ...]:
        self._cover()
        self._contents()
        stamps = self.look.stamps
        for index, sheet in enumerate(self.book.sheets, start=1):
            self._running()
            for line in sheet:
                self._line(line)
            for note in self.book.notes.get(index, ()):
                self._line(note)
                self.printed.append(Printed(self.page, note.spans[0].text, "exhibit sheet"))
            if stamps.has("lines"):
                self._numbered(sheet)
            if index == self.book.signature_page:
                self._signatures(min(line.y for line in sheet) - 46)
            self._next()
        self.canvas.save()
        return tuple(self.printed)

    def _next(self) -> None:
        self._stamped()
        self.canvas.showPage()
        self.page += 1

    def _stamped(self) -> None:
        """Watermark, draft and Bates number of a page."""
        stamps = self.look.stamps
        if stamps.has("watermark"):
            self.canvas.saveState()
            self._font(self.heads.bold, 84, HexColor("#dfe3e7"))
            self.canvas.translate((LEFT + RIGHT) / 2, A4[1] / 2)
            self.canvas.rotate(45)
            self.canvas.drawCentredString(0, 0, stamps.watermark)
            self.canvas.restoreState()
            self.printed.append(Printed(self.page, stamps.watermark, "watermark"))
        if stamps.has("draft"):
            self._font(self.heads.regular, 7.8, GREY)
            self._boiler(LEFT, 816, stamps.draft, "draft")
        if stamps.has("bates"):
            self._font(self.heads.regular, 7.8, INK)
            self._boiler(RIGHT - 60, 18, stamps.bates(self.page), "bates")

    def _numbered(self, sheet: Sequence[Set]) -> None:
        """The number of each line, left of it, from 1 on each page."""
        rows = sorted({round(line.y, 1) for line in sheet}, reverse=True)
        self._font(self.text.regular, 7, GREY)
        for number, y in enumerate(rows, start=1):
            self.canvas.drawRightString(LEFT - 16, y, str(number))
        if rows:
            numbers = " ".join(map(str, range(1, len(rows) + 1)))
            self.printed.append(Printed(self.page, numbers, "line numbers"))

    def _boiler(self, x: float, y: float, text: str, reason: str) -> None:
        self.canvas.drawString(x, y, text)
        self.printed.append(Printed(self.page, text, reason))

    def _line(self, line: Set) -> None:
        text = self.canvas.beginText(line.x, line.y)
        text.setFillColor(line.colour)
        if line.stretch:
            text.setWordSpace(line.stretch)
        for span in line.spans:
            text.setFont(span.font, line.size)
            text.textOut(span.text)
        if line.stretch:
            text.setWordSpace(0)
        self.canvas.drawText(text)

    def _font(self, font: str, size: float, colour: Color) -> None:
        self.canvas.setFont(font, size)
        self.canvas.setFillColor(colour)

    def _cover(self) -> None:
        terms, look = self.terms, self.look
        self.canvas.setFillColor(NAVY)
        self.canvas.rect(0, A4[1] - 210, A4[0], 210, stroke=0, fill=1)
        lines = (
            (self.heads.bold, 27, HexColor("#ffffff"), A4[1] - 148, terms.title),
            (self.heads.regular, 12.5, HexColor("#d5dee7"), A4[1] - 174, terms.subtitle),
            (self.text.italic, 12, GREY, 530, terms.between),
            (self.heads.bold, 17, INK, 500, look.parties[0]),
            (self.text.italic, 12, GREY, 470, terms.conjunction),
            (self.heads.bold, 17, INK, 440, look.parties[1]),
            (self.text.regular, 11, INK, 330, f"{terms.dated} {terms.date}"),
            (self.text.regular, 11, INK, 312, f"{terms.reference} {look.reference}"),
            (self.heads.bold, 9, GREY, 96, terms.confidential),
        )
        for font, size, colour, y, text in lines:
            self._font(font, size, colour)
            self._boiler(LEFT, y, text, "cover")
        self.canvas.setStrokeColor(RULE)
        self.canvas.line(LEFT, 360, RIGHT, 360)
        self._next()

    def _running(self) -> None:
        """Header, footer and page number."""
        terms, look = self.terms, self.look
        self._font(self.heads.regular, 7.8, GREY)
        self._boiler(LEFT, 796, f"{terms.title} · {terms.reference} {look.reference}", "header")
        self.canvas.drawRightString(RIGHT, 796, terms.confidential)
        self.printed.append(Printed(self.page, terms.confidential, "header"))
        self.canvas.setStrokeColor(RULE)
        self.canvas.setLineWidth(0.5)
        self.canvas.line(LEFT, 789, RIGHT, 789)
        self.canvas.line(LEFT, 58, RIGHT, 58)
        self._boiler(LEFT, 46, f"{look.parties[0]} / {look.parties[1]}", "footer")
        number = terms.page.format(self.page, self.book.pages)
        self.canvas.drawCentredString((LEFT + RIGHT) / 2, 32, number)
        self.printed.append(Printed(self.page, number, "page number"))

    def _contents(self) -> None:
        shift = 1 + self.book.contents_pages
        entries = list(self.book.entries)
        room = ENTRIES_FIRST
        for index in range(self.book.contents_pages):
            self._running()
            y = TOP
            if index == 0:
                self._font(self.heads.bold, 18, NAVY)
                self._boiler(LEFT, TOP - 20, self.terms.contents, "contents")
                y -= 44
            for entry in entries[:room]:
                y -= 11.9 if entry.kind in ("clause", "paragraph") else 14.2
                self._entry(entry, y, entry.page + shift)
            entries, room = entries[room:], ENTRIES_NEXT
            self._next()

    def _entry(self, entry: Entry, y: float, page: int) -> None:
        deep = entry.kind in ("clause", "paragraph")
        font, size = (self.text.regular if deep else self.heads.bold), 8.8
        self._font(font, size, INK)
        x = LEFT + (14 if deep else 0)
        if entry.number:
            self.canvas.drawString(x, y, entry.number)
            x += max(28 if deep else 24, width(entry.number, font, size) + 7)
        self.canvas.drawString(x, y, entry.title)
        x += width(entry.title, font, size) + 5
        number = str(page)
        end = RIGHT - width(number, font, size)
        dots = "." * max(3, int((end - 5 - x) / width(".", self.text.regular, size)))
        self._font(self.text.regular, size, GREY)
        self.canvas.drawRightString(end - 5, y, dots)
        self._font(font, size, INK)
        self.canvas.drawRightString(RIGHT, y, number)
        text = " ".join(part for part in (entry.number, entry.title, dots, number) if part)
        self.printed.append(Printed(self.page, text, "contents"))

    def _signatures(self, top: float) -> None:
        y = top
        for index, party in enumerate(self.look.parties):
            self._font(self.text.bold, BODY, INK)
            self._boiler(LEFT + INDENT, y, f"{self.terms.signed_for} {party}", "signature")
            self._font(self.text.regular, BODY, INK)
            blanks = ["_" * 44] * len(self.terms.sign_lines)
            if self.look.stamps.has("esign"):
                signer = self.look.stamps.signers[index]
                for text in self.look.stamps.esigned:
                    y -= LEADING
                    self._boiler(LEFT + INDENT, y, text.format(signer.name), "e-signature")
                blanks[1:] = [signer.name, signer.office, signer.day]
            for line, blank in zip(self.terms.sign_lines, blanks, strict=True):
                y -= 30
                self._boiler(LEFT + INDENT, y, f"{line} {blank}", "signature")
            y -= 58
