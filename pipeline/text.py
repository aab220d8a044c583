"""Lines to running text: paragraphs joined over line, column and page breaks, table rows with their cells apart.

Comes in: `Feature` lines of one section, in order, and the tables. Goes out: a string, a line of it a paragraph, list
item or row. Cells of a row are parted by ` | `, and a table's header stands in front of its rows in each section. A
hyphen at a line's end goes where a small letter follows, unless the word has hyphens of its own or is printed with one
elsewhere. Footnotes, side notes and captions that stand between the parts of a sentence follow its paragraph.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline import continued, roles
from pipeline.bands import Band
from pipeline.continued import Spot, Tables
from pipeline.features import Feature, Features, words

CELL = " | "
SOFT = "\u00ad"
BULLETS = frozenset("•◦▪■●○–—·*‣➢✓-")
TABLE_CELLS = 3
CLOSE = 0.65  # of the type size: lines of one paragraph are no further apart
ENDS = tuple(".:;!?…")


@dataclass(frozen=True)
class Setting:
    """The document that lines are of, its tables, and the rows that some of the lines belong to."""

    document: Features
    tables: Tables
    rows: Mapping[int, Spot]


def paragraphs(lines: Sequence[Feature], setting: Setting) -> str:
    """The text of the lines; notes and captions behind the paragraph that they interrupt."""
    loose = _loose_rows(lines)
    flow = _Flow(setting.document)
    shown: set[Spot] = set()
    for index, line in enumerate(lines):
        if spot := setting.rows.get(line.at):
            if spot not in shown:
                flow.rows(_row(spot, setting, shown))
            continue
        whole = line.text == " ".join(line.parts)  # not the rest of a line that begins with a heading
        text = CELL.join(line.parts) if loose[index] and whole else line.text
        if line.role in roles.ASIDE:
            flow.note(line, text)
        else:
            flow.line(line, text, loose[index])
    flow.end()
    return "\n".join(flow.parts).replace(SOFT, "")


class _Flow:
    """The paragraphs so far; notes wait until it is seen whether the paragraph that they stand behind goes on."""

    def __init__(self, document: Features) -> None:
        self.document = document
        self.parts: list[str] = []
        self.last: Feature | None = None  # the text's last line, if the next one may go on with it
        self.notes: list[str] = []
        self.last_note: Feature | None = None

    def line(self, line: Feature, text: str, is_row: bool) -> None:
        if self.last and not is_row and _goes_on(self.parts[-1], self.last, line, bool(self.notes)):
            self.parts[-1] = _joined(self.parts[-1], text, self.document)
        else:
            self.end()
            self.parts.append(text)
        self.last = None if is_row else line

    def note(self, line: Feature, text: str) -> None:
        if self.last_note and _note_goes_on(self.notes[-1], self.last_note, line):
            self.notes[-1] = _joined(self.notes[-1], text, self.document)
        else:
            self.notes.append(text)
        self.last_note = line

    def rows(self, texts: Iterable[str]) -> None:
        self.end()
        self.parts += texts
        self.last = None

    def end(self) -> None:
        """The paragraph is over: what waited stands behind it."""
        self.parts += self.notes
        self.notes, self.last_note = [], None


def _row(spot: Spot, setting: Setting, shown: set[Spot]) -> Iterator[str]:
    """A row's text; in front of a table's first row its header, where that was not printed in this section."""
    first = not any(other.table == spot.table for other in shown)
    shown.add(spot)
    if first and not setting.tables.is_head(spot):
        for head in setting.tables.wholes[spot.table].heads:
            yield _cells(head, head.lines, setting.document)
    yield _cells(setting.tables.band(spot), setting.rows, setting.document)


def _cells(band: Band, present: Collection[int], document: Features) -> str:
    """The cells parted; columns without text are kept up to the last that has some."""
    texts: list[str] = []
    for column, lines in continued.cells(band, present):
        text = lines[0]
        for following in lines[1:]:
            text = _joined(text, following, document)
        texts += [""] * (column - len(texts)) + [text]
    return CELL.join(texts)


def _loose_rows(lines: Sequence[Feature]) -> list[bool]:
    """Lines of three parts or more, or of two beside such a line: rows of what was found to be no table."""
    rows = [line.cells >= TABLE_CELLS for line in lines]
    near = list(rows)
    for index, line in enumerate(lines):
        if line.cells == 2 and not rows[index]:
            around = [other for other in (index - 1, index + 1) if 0 <= other < len(lines)]
            near[index] = any(lines[other].cells >= 2 and lines[other].page == line.page for other in around)
    return near


def _goes_on(text: str, previous: Feature, line: Feature, noted: bool) -> bool:
    """Whether a line goes on with the paragraph of the line before it. noted: notes stand between them."""
    if line.text[:1] in BULLETS or (line.number and line.number.style == "parenthesised"):
        return False
    same = line.page == previous.page
    if same and line.block == previous.block:
        return True
    if text.endswith(ENDS):
        return False
    close = noted and same and 0 <= line.box.top - previous.box.bottom < CLOSE * line.size
    return close or ((noted or not same or line.above > 50) and line.text[:1].islower())


def _note_goes_on(text: str, previous: Feature, line: Feature) -> bool:
    if line.role != previous.role:
        return False
    if line.role == "footnote":
        return not roles.begins(line.text, text)
    return line.page == previous.page and line.block == previous.block


def _joined(text: str, following: str, document: Features) -> str:
    word = text.rpartition(" ")[2]
    if text.endswith(SOFT):
        return text[:-1] + following
    if len(word) > 2 and word.endswith("-") and word[-2].isalpha() and following[:1].islower():
        own = "-" in word[:-1] or _is_compound(word[:-1], following.partition(" ")[0], document)
        return (text if own else text[:-1]) + following
    return f"{text} {following}"


def _is_compound(first: str, second: str, document: Features) -> bool:
    """Whether the document prints two parts of a word with a hyphen within a line, and nowhere as one word."""
    whole = words(f"{first}-{second}")[-1]
    return "-" in whole and whole in document.words and whole.replace("-", "") not in document.words
