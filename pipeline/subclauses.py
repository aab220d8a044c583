"""The numbered paragraphs inside a section: `(a)`, `(ii)`, `(A)`, `1)`, `a)`, `4.3` without a title, nested.

Comes in: a `Section`, or all of a document. Goes out: `Subclause`s in reading order, each with an anchor that extends
its section's (`section-7-3-b-ii`) and where it stands in the content. A paragraph counts where it begins a run or goes
on with an open one: `(b)` after `(a)`, and `(i)` after `(h)` is a letter unless `(ii)` follows. A mark that a broken
line put first (`under clause⏎(b) above`) is none. Refuses nothing: a section without an anchor has no subclauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from pipeline import numbering
from pipeline.model import Section
from pipeline.slugs import slug

Count = tuple[str, int]  # what is counted by (letter, roman, digit), and how far

LETTERS = "[a-z]{1,5}|[A-Z]{1,4}|[а-шђјљњћџ]|[А-ШЂЈЉЊЋЏ]"
CAPITAL = "[A-ZÀ-ÖØ-ÞŠĐČĆŽЂ-ЏА-Я]"
NAMED = (
    rf"(?:Section|SECTION|Sec\.|Clause|CLAUSE|Abschnitt|Ziffer|Odeljak|Одељак|§)\s+(?=[\dA-Z.]+\s+[“„\"(]?{CAPITAL})"
)
MARK = re.compile(
    rf"\((?P<round>{LETTERS}|\d{{1,3}})\)(?=[\s,:.—–-]|$)"
    r"|(?:(?:тачка|tačka|став|stav|ст\.|st\.)\s+)?(?P<half>([a-z])\3?|[ivx]{2,4}|[а-шђјљњћџ]|\d{1,3})\)(?=\s)"
    rf"|(?:{NAMED})?(?P<path>\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?){{1,8}})\.?(?=\s)"
    r"|(?P<dot>\d{1,3}|[a-z]|[ivx]{2,4})\.(?=\s)"
)
GAP = re.compile(r"\s*(?:\|\s*)?")
POINTED = re.compile(r"(?:^|[.;:,—–\]-][”“’\")]?|[.;:,]\s*(?:and|or|und|oder|and/or|и|или|i|ili))$", re.IGNORECASE)
CITING = re.compile(
    r"(?:(?:clause|paragraph|section|article|condition|item|point|part|rule|term|subsection|absatz|abs|satz|nummer|nr|"
    r"ziffer|buchstabe|lit|член|члан\w*|став\w*|тачк\w*|član\w*|stav\w*|tačk\w*)s?\.?|\)\s*(?:and|or|to|through|und|bis))$",
    re.IGNORECASE,
)
CITED_ON = re.compile(r"\s*(?:above|below|hereof|of\s|and\s+\(|or\s+\(|,\s*\(|to\s+\(|through\s+\()", re.IGNORECASE)
DEFINING = re.compile(
    r"[“„\"«][^“”„\"«»]{1,80}[”“\"»],?\s*(?:\(|or\b|and\b|means?\b|ha(?:s|ve)\b|shall\b|is\b|are\b|in\b|includes?\b|refers?\b|bezeichne|bedeute|"
    r"означ|označ|подраз|podraz)"
)
FIGURES = re.compile(r"\d+")
CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
LONGEST_SKIP = 3
MOST_MARKS = 4  # that one line begins with


@dataclass(frozen=True)
class Subclause:
    """A numbered paragraph. number: as printed; parent: anchor of the one that it stands in, if any; start, end:
    offsets into the section's content, children included.
    """

    anchor: str
    number: str
    parent: str | None
    start: int
    end: int


class _Mark(NamedTuple):
    """A mark at the start of a paragraph. form: its dress ((a), a), a. or 1.1); path: its parts; counts: what it may
    be counted as. pointed: what stands before it has come to a stop, so that it may begin a run or skip some.
    """

    start: int
    text: str
    form: str
    path: tuple[str, ...]
    counts: tuple[Count, ...]
    pointed: bool


@dataclass
class _Open:
    """A run that may go on, and its latest item. above: that item's stem, which its children extend."""

    form: str
    count: Count
    item: int
    stem: str


def of(section: Section) -> tuple[Subclause, ...]:
    """The subclauses of one section; anchors are unique among them. `within` makes them unique in a document."""
    if section.anchor is None:
        return ()
    return _Parse(section, section.anchor).parsed()


def within(sections: Sequence[Section]) -> Mapping[str, tuple[Subclause, ...]]:
    """The subclauses of all sections by section_id; an anchor that a section or subclause before it has is counted
    (`section-7-3-b-2`).
    """
    taken = {section.anchor for section in sections if section.anchor} | {section.section_id for section in sections}
    return {section.section_id: _apart(of(section), taken) for section in sections}


def _apart(found: Iterable[Subclause], taken: set[str]) -> tuple[Subclause, ...]:
    """The same with anchors that are not taken; takes them."""
    renamed: dict[str, str] = {}
    apart = []
    for one in found:
        stem = one.anchor
        if one.parent is not None and renamed.get(one.parent, one.parent) != one.parent:
            stem = renamed[one.parent] + stem.removeprefix(one.parent)
        anchor = _free(stem, taken)
        taken.add(anchor)
        renamed[one.anchor] = anchor
        apart.append(replace(one, anchor=anchor, parent=renamed.get(one.parent or "")))
    return tuple(apart)


def _free(stem: str, taken: set[str]) -> str:
    anchor, count = stem, 1
    while anchor in taken:
        count += 1
        anchor = f"{stem}-{count}"
    return anchor


class _Parse:
    """One pass over a section's paragraphs."""

    def __init__(self, section: Section, anchor: str) -> None:
        self.content = section.content
        self.anchor = anchor
        self.number = numbering.parse(section.number or "")
        self.open: list[_Open] = []
        self.items: list[Subclause] = []
        self.taken = {anchor}

    def parsed(self) -> tuple[Subclause, ...]:
        lines = list(_lines(self.content))
        marks = [tuple(self._marks(start, line)) for start, line in lines]
        flat = [mark for group in marks for mark in group]
        at = 0
        for (start, _), group in zip(lines, marks, strict=True):
            taken = False
            for place, mark in enumerate(group):
                at += 1
                taken = (taken or place == 0) and self._take(mark, flat[at:])
            if not taken and not group:
                self._close_ended(start)
        self._close(0, len(self.content))
        return tuple(self.items)

    def _marks(self, start: int, line: str) -> Iterator[_Mark]:
        """The marks that a paragraph begins with, `(a) (i)` being two."""
        if line.count(" | ") > 1:
            return  # a row of a table
        before = self.content[:start].rstrip()
        pointed = POINTED.search(before[-8:]) is not None
        at = 0
        for _ in range(MOST_MARKS):
            match = MARK.match(line, at)
            if match is None:
                return
            form = match.lastgroup or ""
            rest = line[match.end() :]
            if at == 0 and (CITING.search(before[-20:]) or (not pointed and CITED_ON.match(rest))):
                return
            path = tuple(match[form].split("."))
            counts = _counts(path[-1])
            if not counts:
                return
            text = match[0].removesuffix(".") if form == "path" else match[0]
            yield _Mark(start + at, text, form, path, counts, pointed or at > 0)
            gap = GAP.match(line, match.end())
            at = gap.end() if gap else match.end()

    def _take(self, mark: _Mark, ahead: Sequence[_Mark]) -> bool:
        """Make an item of the mark where it fits; False where it is none."""
        if mark.form == "path":
            return self._take_path(mark)
        found = self._continued(mark)
        begins = next((count for count in reversed(mark.counts) if count[1] in (1, 27)), None)
        if found and begins and _is_letter_or_roman(found[1], begins) and _roman_follows(mark, ahead):
            found = None
        if found is None and begins is not None:
            found = self._restarted(mark, begins) if mark.pointed or not self._is_open(mark.form, begins) else None
        elif found is None and mark.pointed:
            found = self._skipped(mark)
        if found is None or (mark.form == "dot" and not self._sentence(mark, found[1])):
            return False
        self._add(mark, *found)
        return True

    def _continued(self, mark: _Mark) -> tuple[int, Count] | None:
        """Depth and count of the innermost open run that the mark is next in."""
        for depth in reversed(range(len(self.open))):
            run = self.open[depth]
            for count in mark.counts:
                if run.form == mark.form and count == (run.count[0], run.count[1] + 1):
                    return depth, count
        return None

    def _is_open(self, form: str, count: Count) -> bool:
        return any(run.form == form and run.count[0] == count[0] for run in self.open)

    def _restarted(self, mark: _Mark, count: Count) -> tuple[int, Count]:
        """A run that begins: in place of an open one of its kind, else inside the innermost."""
        for depth, run in enumerate(self.open):
            if run.form == mark.form and run.count[0] == count[0]:
                return depth, count
        return len(self.open), count

    def _skipped(self, mark: _Mark) -> tuple[int, Count] | None:
        """An open run with a number or two left out; else a run that begins late, its first items being in a line."""
        for depth in reversed(range(len(self.open))):
            run = self.open[depth]
            for kind, at in mark.counts:
                if run.form == mark.form and kind == run.count[0] and 0 < at - run.count[1] <= LONGEST_SKIP:
                    return depth, (kind, at)
        if mark.form not in ("round", "half") and self.items:
            return None
        return self._late(mark, mark.counts[0]), mark.counts[0]

    def _late(self, mark: _Mark, count: Count) -> int:
        """Where a run stands whose beginning was missed: in place of its kind; letters in place of outer Roman ones."""
        kinds = (count[0], "roman") if count[0] == "letter" and len(self.open) == 1 else (count[0],)
        alike = (at for at, run in enumerate(self.open) if run.form == mark.form and run.count[0] in kinds)
        return next(alike, len(self.open))

    def _sentence(self, mark: _Mark, count: Count) -> bool:
        """Whether `1. ` begins a paragraph and no date or abbreviation: small letters follow in a run only."""
        rest = self.content[mark.start + len(mark.text) :].lstrip(" |")
        if self.content[: mark.start].rstrip().endswith(":"):
            return True
        return (count[1] > 1 and bool(self.open)) or rest[:1].isupper() or rest[:1] in '(“„"'

    def _take_path(self, mark: _Mark) -> bool:
        """`4.3` or `4.3.1`: inside a section whose number it extends, or counted from 1 in an annex or article."""
        own = self.number.path if self.number else ()
        extends = len(own) < len(mark.path) and mark.path[: len(own)] == own
        mark = mark._replace(form=f"path{len(mark.path)}")
        outer = sum(run.form.startswith("path") and run.form < mark.form for run in self.open)
        depth = next((at for at, run in enumerate(self.open) if run.form == mark.form), outer)
        if not extends and not (mark.pointed and self._counts_on(depth, mark)):
            return False
        self._add(mark, depth, mark.counts[0])
        return True

    def _counts_on(self, depth: int, mark: _Mark) -> bool:
        """Whether a decimal number that does not extend the section's begins at 1 or goes on with its run."""
        if self.number is not None and not self.number.keyword:
            return False
        last = mark.counts[0][1]
        run = self.open[depth] if depth < len(self.open) else None
        return last == 1 or (run is not None and run.form == mark.form and last == run.count[1] + 1)

    def _stem(self, mark: _Mark, outer: str) -> str:
        """The anchor that the mark's own parts give."""
        parts = [slug(part) or part for part in mark.path]
        own, keyword = (self.number.path, self.number.keyword) if self.number else ((), "")
        if not mark.form.startswith("path"):
            across = mark.form == "dot" and outer == self.anchor and keyword in ("part", "chapter")
            return f"section-{parts[0]}" if across else f"{outer}-{parts[0]}"
        if keyword in ("part", "chapter", "article") and str(self._own_value()) == mark.path[0]:
            return "-".join(["section", *parts])
        return "-".join([self.anchor, *(parts[len(own) :] if mark.path[: len(own)] == own else parts)])

    def _own_value(self) -> int:
        """The section's number as a count: 4 of Article IV."""
        return numbering.value(self.number.path[0], self.number.style) if self.number else 0

    def _add(self, mark: _Mark, depth: int, count: Count) -> None:
        self._close(depth, mark.start)
        outer = self.open[-1].stem if self.open else self.anchor
        stem = _free(self._stem(mark, outer), self.taken)
        self.taken.add(stem)
        parent = self.items[self.open[-1].item].anchor if self.open else None
        self.open.append(_Open(mark.form, count, len(self.items), stem))
        self.items.append(Subclause(stem, mark.text, parent, mark.start, len(self.content)))

    def _close(self, depth: int, end: int) -> None:
        """End the open items from `depth` on where the text before `end` ends."""
        while len(self.open) > depth:
            at = self.open.pop().item
            start = self.items[at].start
            self.items[at] = replace(self.items[at], end=start + len(self.content[start:end].rstrip()))

    def _close_ended(self, start: int) -> None:
        """A paragraph without a mark ends runs whose items end in semicolons, the last in a full stop; one that defines
        a term ends all.
        """
        if DEFINING.match(self.content, start):
            self._close(0, start)
        if not self.content[:start].rstrip().endswith((".", ".”")):
            return
        while self.open and self._semicolons(self.items[self.open[-1].item]):
            self._close(len(self.open) - 1, start)

    def _semicolons(self, item: Subclause) -> bool:
        """Whether what stands before the item ends in a semicolon or comma, its like being before it."""
        earlier = [one for one in self.items if one.parent == item.parent and one.start < item.start]
        before = self.content[: item.start].rstrip()
        return bool(earlier) and re.search(r"[;,](?:\s*(?:and|or|und|oder|и|или|i|ili))?$", before[-8:]) is not None


def _lines(content: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in content.split("\n"):
        if line:
            yield start, line
        start += len(line) + 1


def _counts(part: str) -> tuple[Count, ...]:
    """What a part may count, the likelier where a run goes on first: a letter, then a Roman figure."""
    if figures := FIGURES.match(part):
        return (("digit", int(figures[0])),)
    case = "upper " if part.isupper() else ""
    counts: list[Count] = []
    if len(part) == 1 and part.lower() in CYRILLIC:
        return ((f"{case}cyrillic", CYRILLIC.index(part.lower()) + 1),)
    if len(set(part)) == 1 and part.isascii() and len(part) <= 2:
        counts.append((f"{case}letter", ord(part[0].lower()) - 96 + 26 * (len(part) - 1)))
    if value := numbering.value(part, "roman") if numbering.ROMAN_ONLY.fullmatch(part) else 0:
        counts.append((f"{case}roman", value))
    return tuple(counts)


def _is_letter_or_roman(one: Count, other: Count) -> bool:
    return one[0].endswith("letter") and other[0].endswith("roman")


def _roman_follows(mark: _Mark, ahead: Sequence[_Mark]) -> bool:
    """Whether `(ii)` comes before `(j)`."""
    for other in ahead:
        if other.form == mark.form and other.path[0].lower() in ("ii", "j"):
            return other.path[0].lower() == "ii"
    return False
