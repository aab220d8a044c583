"""What the lines of a page are: text, footnote, side note, caption or list item.

Comes in: a `Page` and its `Laid` lines. Goes out: a `Role` for each line, in their order. Nothing is refused: a line
that little speaks for is text, and so are the rows of tables.

A footnote stands at the foot of its column and needs two of four signs: a smaller type, a short rule above it, a mark
at its start that is raised, a mark that stands raised in the text above. A side note is a narrow block of another type
in a margin that the text leaves free. A caption names a figure or table by its number, on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, get_args

from pipeline.lanes import LEADERS
from pipeline.model import Box, Line, Page, Word, around
from pipeline.tables import Laid

Role = Literal["text", "footnote", "side note", "caption", "list item"]
ROLES: tuple[Role, ...] = get_args(Role)
ASIDE = frozenset({"footnote", "side note", "caption"})  # the text goes on over them

NAMES = (
    *("fig", "figure", "figura", "figuur", "abb", "abbildung", "bild", "slika", "слика", "illustration", "obrázek"),
    *("tab", "table", "tabelle", "tableau", "tabla", "tabela", "tabella", "tabel", "табела", "таблица", "tabulka"),
    *("chart", "plate", "grafik", "grafikon", "графикон", "diagram", "рис", "рисунок"),
)
NUMBERED = rf"(?:{'|'.join(sorted(NAMES, key=len, reverse=True))})\.?\s*(?:[A-Z]{{1,2}}[.-]?)?\d"
CAPTION = re.compile(NUMBERED, re.IGNORECASE)
# behind the number: its end, a mark, or a title; a small letter goes on with a sentence
CAPTION_LINE = re.compile(
    rf"(?i:{NUMBERED})[\d.-]*[a-z]?\)?(?:\s*$|\s*[:.|–—-](?:\s|$)|\s+[^\W\d_a-zа-яђ-џ]|\s*[\"“„«(])"
)
INITIALS = frozenset("".join(name[0] + name[0].upper() for name in NAMES))
MARKER = re.compile(
    r"(?:[*†‡§¶#]{1,4}|[⁰¹²³⁴-⁹]{1,3}|[(\[](?:\d{1,3}|[a-z*†]{1,2})[)\]]|(?:\d{1,3}|[a-z])[.)]?)(?=\s|$)"
    r"|(?:[*†‡]{1,3}|\d{1,3})(?=[^\W\d_]{2})"  # glued to the first word
)
ITEM = re.compile(r"[•◦▪■●○–—‣➢✓*·-]\s+\S|\(?(?:[a-z]{1,4}|[а-яђјљњћџ]|\d{1,2})\)\s+\S")
TYPED_RULE = re.compile(r"[_–—-]{5,}")
SIGNS = "*†‡"
EDGES = ".,;:()[]"

TEXT = 0.2  # of the words: the share that the text's size has at least
SMALLER = 0.94  # of the text's size
RAISED = 0.8  # of the size of the words beside it
LESS, MORE = 0.75, 1.06  # of the size of the first note: how far others may differ
SHORT_RULE = (20.0, 0.5)  # points, and share of the page's width
MOST_RULES = 30  # short ones: more make a form
FEW_RULES = 3
BELOW_RULE = 2.5  # sizes from the rule down to the note
APART = 1.2  # sizes of white space that end a column's notes
FOOTER = 0.07  # of the height: what stands there may be the page's footer
SENTENCE = 40  # characters: a line without a mark under a rule is more than a name under a signature
MOST_NOTES = 0.9  # of the lines: notes are fewer than the page's lines
LONGEST_CAPTION = 8  # lines
NARROW = 0.4  # of the width of the text's column
FEWEST = 6  # lines beside which a margin is one
BESIDE = 4.0  # points between the text and its margin


class _Measured(NamedTuple):
    """A page's lines with their sizes in points (of a mark set apart, that of its note), and that of the text: the
    largest that a good part of the words have, for notes may be more than the text.
    """

    page: Page
    lines: Sequence[Line]
    sizes: list[float]
    usual: float


def of(page: Page, laid: Laid) -> tuple[Role, ...]:
    """The role of each line."""
    lines = laid.lines
    roles: list[Role] = ["text"] * len(lines)
    if not lines:
        return ()
    measured = _measured(page, lines)
    rows = {at for draft in laid.drafts for at in draft.lines}
    for at, line in enumerate(lines):
        text = line.text
        if text[0] in INITIALS and _is_caption(lines, at, rows):
            for other in _with_rest(lines, at):
                roles[other] = "caption"
        elif at not in rows and (ITEM.match(text) or (at and roles[at - 1] == "list item" and _runs_on(lines, at))):
            roles[at] = "list item"
    for at in _footnotes(measured, rows):
        roles[at] = "footnote"
    for at in _side_notes(measured, rows):
        if roles[at] in ("text", "list item"):
            roles[at] = "side note"
    return tuple(roles)


def _runs_on(lines: Sequence[Line], at: int) -> bool:
    """Whether the line goes on with the sentence of the line before it, in its block."""
    before = lines[at - 1]
    return before.block == lines[at].block and before.text[-1] not in ".:;!?"


def marker(text: str) -> str:
    """The mark that a footnote begins with, without brackets and stops; empty: none."""
    found = MARKER.match(text)
    return found[0].strip(EDGES) or found[0] if found else ""


def begins(text: str, before: str) -> bool:
    """Whether a line of footnotes begins a new one, behind the one that begins with `before`: its mark is a sign, or
    counts on.
    """
    mark, last = marker(text), marker(before)
    if not mark.isalnum():
        return bool(mark)
    if mark.isdecimal() and last.isdecimal():
        return int(mark) == int(last) + 1
    if len(mark) == len(last) == 1 and mark.isalpha():
        return ord(mark) == ord(last) + 1
    return mark.isdecimal() and not last.isalnum()


def _measured(page: Page, lines: Sequence[Line]) -> _Measured:
    sizes = [_size(line.words) for line in lines]
    counts: dict[float, int] = {}
    for size, line in zip(sizes, lines, strict=True):
        counts[size] = counts.get(size, 0) + len(line.words)
    for at in range(len(lines) - 1):
        if len(lines[at].words) == 1 and _is_beside(lines[at], lines[at + 1]) and marker(lines[at].text):
            sizes[at] = sizes[at + 1]
    least = TEXT * sum(counts.values())
    return _Measured(page, lines, sizes, max(counts, key=lambda size: (counts[size] >= least and size, counts[size])))


def _size(words: Sequence[Word]) -> float:
    """The largest of three words: some may be raised marks or small capitals."""
    count = len(words)
    if count < 3:
        return round(max(word.size for word in words), 1)
    return round(max(words[count // 4].size, words[count // 2].size, words[-1].size), 1)


def _is_beside(mark: Line, note: Line) -> bool:
    """Whether the second line begins right of the first, at about its height."""
    return mark.box.x1 < note.box.x0 and mark.box.top < note.box.middle[1] and note.box.top < mark.box.bottom


# ---------------------------------------------------------------- captions


def _is_caption(lines: Sequence[Line], at: int, rows: set[int]) -> bool:
    """Whether a line names a figure or table, and is neither an entry of a list of them nor a sentence about them."""
    line = lines[at]
    if not CAPTION_LINE.match(line.text) or LEADERS.search(line.text):
        return False
    above, below = lines[at - 1] if at else None, lines[at + 1] if at + 1 < len(lines) else None
    if any(near and near.block == line.block and CAPTION.match(near.text) for near in (above, below)):
        return False
    return above is None or above.block != line.block or at - 1 in rows


def _with_rest(lines: Sequence[Line], at: int) -> range:
    """The caption's lines: to the end of its block, unless that is a paragraph of its own."""
    end = at + 1
    while end < len(lines) and lines[end].block == lines[at].block:
        end += 1
    return range(at, end) if end - at <= LONGEST_CAPTION else range(at, at + 1)


# ---------------------------------------------------------------- footnotes


def _footnotes(measured: _Measured, rows: set[int]) -> list[int]:
    """Indexes of the lines of footnotes."""
    smaller = [size <= SMALLER * measured.usual for size in measured.sizes]
    ruled, few = _under_rules(measured)
    if not ruled and not any(smaller):
        return []
    found: list[int] = []
    references: set[str] | None = None
    for at, line in enumerate(measured.lines):
        if at in rows or (found and at <= found[-1]) or not (smaller[at] or at in ruled) or _is_rule(line):
            continue
        mark = marker(line.text)
        signs = smaller[at] + (at in ruled)
        if mark:
            signs += _is_marked(line, measured.sizes[at])
            if signs < 2:
                references = _references(measured) if references is None else references
                signs += mark in references
        elif not few or len(line.text) < SENTENCE:
            continue
        needed = 2 if line.box.top < (1 - FOOTER) * measured.page.height else 3
        if signs >= needed and (notes := _zone(measured, at)):
            found += notes
    return found if len(found) <= MOST_NOTES * len(measured.lines) else []


def _zone(measured: _Measured, start: int) -> range:
    """The lines from the first footnote of a column to its last; none where it is not the column's foot."""
    lines, size = measured.lines, measured.sizes[start]
    zone, end = lines[start].box, start + 1
    while end < len(lines) and _goes_on(zone, lines[end - 1], lines[end]):
        gap = lines[end].box.top - zone.bottom
        apart = gap > APART * size and not marker(lines[end].text)
        other = not LESS * size <= measured.sizes[end] <= MORE * size  # some lines are all small capitals
        if apart or other or _is_footer(measured, lines[end], gap):
            break
        zone = around([zone, lines[end].box])
        end += 1
    others = [line for at, line in enumerate(lines) if not start <= at < end and _overlap(line.box, zone)]
    below = [line for line in others if line.box.middle[1] > zone.bottom]
    above = any(line.box.bottom < zone.top + 1 and not _is_rule(line) for line in others)
    foot = all(_is_footer(measured, line, line.box.top - zone.bottom) for line in below)
    return range(start, end) if above and foot else range(0)


def _goes_on(zone: Box, line: Line, following: Line) -> bool:
    """Whether the line below the notes so far, or beside the last mark, belongs to their column."""
    return _is_beside(line, following) or (following.box.top > line.box.top and _overlap(zone, following.box))


def _overlap(one: Box, other: Box) -> bool:
    """Whether one stands above the other."""
    return one.x0 < other.x1 and other.x0 < one.x1


def _is_footer(measured: _Measured, line: Line, space: float) -> bool:
    """A line at the page's end, that far below the last note: the page's number, or a running footer."""
    height = measured.page.height
    if line.box.top > (1 - FOOTER) * height:
        return space > 0.5 * line.box.height
    return line.box.top > (1 - 2 * FOOTER) * height and space > APART * line.box.height


def _is_marked(line: Line, size: float) -> bool:
    """Whether its first word is set as a raised mark."""
    first, second = line.words[0], line.words[min(1, len(line.words) - 1)]
    if first.text[0] in "⁰¹²³⁴⁵⁶⁷⁸⁹":
        return True
    return first.size <= RAISED * size and first.box.middle[1] < second.box.middle[1] + 0.1 * size


def _references(measured: _Measured) -> set[str]:
    """Marks that stand raised, or as a sign behind a word, in the text."""
    found: set[str] = set()
    for line, size in zip(measured.lines, measured.sizes, strict=True):
        for above, word in pairwise(line.words):
            if len(word.text) <= 5 and _is_raised(word, above, size):
                found.add(word.text.strip(EDGES))
            elif (sign := word.text.rstrip(EDGES))[-1:] in SIGNS:
                found.add(sign[len(sign.rstrip(SIGNS)) :])
    return found


def _is_raised(word: Word, before: Word, size: float) -> bool:
    """Smaller than the line that it stands in, and not lower than the word before it."""
    return word.size <= RAISED * size and word.box.bottom < before.box.bottom - 0.05 * size


def _is_rule(line: Line) -> bool:
    """Whether the line is a rule typed with dashes."""
    return line.text[0] in "_–—-" and TYPED_RULE.fullmatch(line.text.replace(" ", "")) is not None


def _under_rules(measured: _Measured) -> tuple[set[int], bool]:
    """Indexes of lines that stand right under a short rule that is drawn or typed, at its left end; whether the rules
    are so few that they belong to no form or table.
    """
    page, lines = measured.page, measured.lines
    least, most = SHORT_RULE[0], SHORT_RULE[1] * page.width
    rules = [
        Box(x0, top, x1, bottom)
        for x0, top, x1, bottom, shade in zip(*[iter(page.rules)] * 5, strict=True)
        if shade < 0 and top == bottom and least <= x1 - x0 <= most
    ]
    if len(rules) > MOST_RULES:
        rules = []
    rules += [line.box for line in lines if _is_rule(line) and line.box.width <= most]
    return {at for rule in rules if (at := _first_under(rule, measured)) is not None}, len(rules) <= FEW_RULES


def _first_under(rule: Box, measured: _Measured) -> int | None:
    """The line under the rule's left end, where the text above it keeps some distance, as it does not if underlined."""
    under, space = None, BELOW_RULE * measured.usual
    for at, line in enumerate(measured.lines):
        box = line.box
        if not _overlap(box, rule) or box == rule:
            continue
        if box.top < rule.top < box.bottom + 1.5 and box.top < rule.top - 2:
            return None
        down = box.bottom - rule.top
        if 0 < down <= space + box.height and abs(box.x0 - rule.x0) < 25 and down < space:
            under, space = at, down
    return under


# ---------------------------------------------------------------- side notes


def _side_notes(measured: _Measured, rows: set[int]) -> list[int]:
    """Indexes of the lines of narrow blocks beside the text's column, of another type than its own."""
    sized = zip(measured.lines, measured.sizes, strict=True)
    if not any(size < measured.usual or line.words[0].italic for line, size in sized):
        return []
    if not (column := _column(measured)):
        return []
    page = measured.page
    top, bottom = FOOTER * page.height, (1 - FOOTER) * page.height
    outside: dict[int, list[int]] = {}
    for at, line in enumerate(measured.lines):
        if (line.box.x1 < column.x0 - BESIDE or line.box.x0 > column.x1 + BESIDE) and top < line.box.top < bottom:
            outside.setdefault(line.block, []).append(at)
    found = []
    for block in outside.values():
        box = around([measured.lines[at].box for at in block])
        narrow = box.width <= NARROW * column.width and column.top - 2 < box.middle[1] < column.bottom + 2
        if narrow and not rows.intersection(block) and _is_other_type(measured, block) and _is_free(measured, box):
            found += block
    return found


def _column(measured: _Measured) -> Box | None:
    """The page's one column of text: the lines of the usual size that begin where most of them do."""
    lines = [
        line.box
        for line, size in zip(measured.lines, measured.sizes, strict=True)
        if size == measured.usual and len(line.words) > 3
    ]
    if len(lines) < FEWEST:
        return None
    left = sorted(box.x0 for box in lines)[len(lines) // 2]
    within = [box for box in lines if abs(box.x0 - left) < 0.12 * measured.page.width]
    column = around(within)
    return column if len(within) >= 0.8 * len(lines) and column.width > 0.35 * measured.page.width else None


def _is_other_type(measured: _Measured, block: Sequence[int]) -> bool:
    """Words in a smaller size, or in italics; no figures alone, as line numbers are."""
    lines = [measured.lines[at] for at in block]
    if not any(char.isalpha() for line in lines for char in line.text):
        return False
    upright = all(word.rotation == 0 for line in lines for word in line.words)
    small = all(measured.sizes[at] <= SMALLER * measured.usual for at in block)
    return upright and (small or all(word.italic for line in lines for word in line.words))


def _is_free(measured: _Measured, note: Box) -> bool:
    """Whether no line of the text's own size reaches into the margin."""
    return not any(
        _overlap(line.box, note) and size == measured.usual and line.box.width > note.width
        for line, size in zip(measured.lines, measured.sizes, strict=True)
    )
