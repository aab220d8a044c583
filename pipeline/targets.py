"""What a reference may point at: numbered sections and paragraphs, by number and by the annex that they are in.

Comes in: the sections of a document. Goes out: `Targets`, which turns a number into an anchor. `7.3(b)` is the
section 7.3 and its paragraph (b), or that section itself where (b) stands inside a sentence of it; roman and Arabic
numbers of articles are the same, and so are `6.02` and `6.2`. A number that only begins a paragraph of a section
leads to that section; one without an anchor goes by its section_id. A number that the document does not have gives
None.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from pipeline import numbering, subclauses
from pipeline.model import Section
from pipeline.subclauses import Subclause

Kind = Literal["section", "paragraph", "article", "part", "chapter", "schedule", "appendix"]
Path = tuple[str, ...]

ROMAN_KINDS = ("part", "chapter", "article", "schedule", "appendix")
PLAIN = ("", "section", "item")
PRINTED = re.compile(
    r"^(?:[^\n]{0,60}?[.|–]\s|(?:(?i:section|article|clause|artikel|ziffer|§|члан|član))\s*)?(\d{1,3}(?:\.\d{1,3})*)\.?\s+"
    r"(?:\(\w{1,3}\)|[A-ZА-ЯЂЈЉЊЋЏÄÖÜ“\"„]|\|[^|\n]*$)|(?<=\s)(\d{1,3})\.\s\(1\)",
    re.MULTILINE,
)


NOT_CITED = "".join(f"(?<!{end} )" for end in ("graph", "raphs", "lause", "auses", "ction", "tions"))


class Target(NamedTuple):
    """A numbered part. keyword: its printed word's kind; word: that word; scope: section_id of the annex it is in."""

    anchor: str
    keyword: str
    word: str
    scope: str | None


class Spot(NamedTuple):
    """Where a reference stands: a section, and an offset into its content."""

    section_id: str
    start: int


class Targets:
    """The numbered parts of a document."""

    def __init__(self, sections: Sequence[Section], within: Mapping[str, tuple[Subclause, ...]] | None = None) -> None:
        """within: the subclauses of the sections, where they are at hand."""
        self.sections = {section.section_id: section for section in sections}
        self.subclauses = subclauses.within(sections) if within is None else within
        self.scopes: dict[str, str | None] = {}
        self.numbered: dict[Path, list[Target]] = defaultdict(list)
        self.children: dict[str, dict[str, str]] = defaultdict(dict)
        self.texts: dict[str, list[str]] = defaultdict(list)
        self.printed: dict[Path, list[Target]] = defaultdict(list)
        self.tops: set[int] = set()
        self.annexes: dict[str, str] = {}
        self.said: dict[tuple[str, str], bool] = {}
        for section in sections:
            self._enter(section)

    def _enter(self, section: Section) -> None:
        number = numbering.parse(section.number or "")
        annex = number is not None and number.keyword in numbering.ANNEXES
        scope = section.section_id if annex else self.scopes.get(section.parent_id or "")
        self.scopes[section.section_id] = scope
        if annex and section.anchor:
            self.annexes[section.anchor] = section.section_id
        if number and section.anchor:
            word = (section.number or "").split()[0].lower()
            outer = self.scopes.get(section.parent_id or "") if annex else scope
            path = number.path + tuple(re.findall(r"^\.?\s?(0\d)\s", section.title))  # "Section 8. 01 Notices"
            for key in _keys(path, number.keyword):
                self.numbered[key].append(Target(section.anchor, number.keyword, word, outer))
            if number.path[0].isdigit():
                self.tops.add(int(number.path[0]))
            self._below(section, number.path[-1])
        for above in self.above(section.section_id):
            self.texts[handle(above)].append(section.content)
        for one in self.subclauses[section.section_id]:
            self._enter_subclause(section, one, scope)
        for match in PRINTED.finditer(section.content):
            for key in _keys(tuple((match[1] or match[2]).split(".")), ""):
                self.printed[key].append(Target(handle(section), "", "", scope))

    def _below(self, section: Section, part: str) -> None:
        """Make the section findable as a child of the one that it stands under."""
        parent = self.sections.get(section.parent_id or "")
        if parent and parent.anchor and section.anchor:
            self.children[parent.anchor].setdefault(part, section.anchor)

    def _enter_subclause(self, section: Section, one: Subclause, scope: str | None) -> None:
        parts = tuple(re.findall(r"[^\W_]+", one.number.split()[-1]))
        self.children[one.parent or section.anchor or ""].setdefault(parts[-1], one.anchor)
        self.texts[one.anchor].append(section.content[one.start : one.end])
        if one.number[-1] != ")" and (one.parent is None or len(parts) > 1):
            for key in _keys(parts, ""):
                self.numbered[key].append(Target(one.anchor, "", "", scope))

    def above(self, section_id: str) -> Iterator[Section]:
        """The section and those that it stands under, from the inside out."""
        section = self.sections.get(section_id)
        while section:
            yield section
            section = self.sections.get(section.parent_id or "")

    def annex(self, kind: Kind, word: str, path: Path) -> str | None:
        """The anchor of a schedule or appendix: one with the same word, else the only one of its kind."""
        found = [target for key in _keys(path, kind) for target in self.numbered.get(key, ()) if target.keyword == kind]
        same = [target for target in found if target.word.rstrip("s") == word.rstrip("s")]
        return next((target.anchor for target in same or found), None)

    def has(self, kind: Kind) -> bool:
        """Whether any part of the document is of this kind."""
        return any(target.keyword == kind for found in self.numbered.values() for target in found)

    def scope_of(self, anchor: str) -> str | None:
        """The section_id of the annex with this anchor."""
        return self.annexes.get(anchor)

    def titled(self, word: str) -> str | None:
        """The section_id of an annex that is called by this word: the `Conditions` of a `Condition 5`."""
        stem = word.lower().rstrip("s")
        named = (one for one in self.annexes.values() if f"{stem}s" in self.sections[one].title.lower().split())
        return next(named, None)

    def called(self, word: str, path: Path, spot: Spot) -> list[str]:
        """The anchors of `Condition 5`: the first after the annex that is called `Conditions`, else anywhere."""
        found = self.number("section", path, spot)
        titled = self.titled(word)
        if titled is None:
            return found
        order = {handle(section): at for at, section in enumerate(self.sections.values())}
        start = order[handle(self.sections[titled])]
        return sorted(found, key=lambda anchor: (order.get(anchor, -1) < start, order.get(anchor, -1)))

    def number(self, kind: Kind, path: Path, spot: Spot, scope: str | None = None) -> list[str]:
        """The anchors that a number may mean, the likeliest first. scope: only inside this annex, "" in none."""
        wanted = (kind,) if kind in ("article", "part", "chapter") else PLAIN
        barred = (*numbering.ANNEXES, *(other for other in ("part", "chapter") if other != kind))
        own = self.scopes.get(spot.section_id)
        ranked = []
        for place, index in enumerate((self.numbered, self.printed)):
            for target in (target for key in _keys(path, kind) for target in index.get(key, ())):
                if target.keyword not in barred and scope in (None, target.scope or ""):
                    ranked.append((place, target.keyword not in wanted, self._far(kind, target, own), target.anchor))
        return [anchor for *_, anchor in sorted(ranked, key=lambda one: one[:3])]

    def _far(self, kind: Kind, target: Target, own: str | None) -> int:
        """How far a target is: a paragraph is sought in its own annex, a clause in the agreement, unless the annex
        prints that word itself.
        """
        if target.scope == own:
            return 0 if kind == "paragraph" or target.keyword or own is None else 2
        return 1 if target.scope is None else 3

    def inside(self, anchor: str, parts: Sequence[str]) -> str | None:
        """The paragraph of `anchor` that `parts` lead to, as far as it has a mark of its own."""
        for part in parts:
            below = self.children.get(anchor, {})
            found = below.get(part) or below.get(part.lower()) or below.get(part.upper()) or self._deeper(anchor, part)
            if found is None:
                return anchor if self._says(anchor, part) else None
            anchor = found
        return anchor

    def _deeper(self, anchor: str, part: str) -> str | None:
        """The only paragraph with that mark anywhere below."""
        found = []
        queue = list(self.children.get(anchor, {}).values())
        while queue:
            below = self.children.get(queue.pop(), {})
            queue += below.values()
            found += [below[part]] if part in below else []
        return found[0] if len(found) == 1 else None

    def _says(self, anchor: str, part: str) -> bool:
        """Whether the mark stands inside a sentence."""
        key = (anchor, part.casefold())
        if key not in self.said:
            sign = re.escape(part)
            mark = re.compile(rf"{NOT_CITED}(?:(?<![\w(]){sign}\)|(?<![\w)])\({sign}\))", re.IGNORECASE)
            self.said[key] = any(mark.search(text) for text in self.texts.get(anchor, ()))
        return self.said[key]

    def near(self, spot: Spot, parts: Sequence[str]) -> str | None:
        """The paragraph that `(b)` means where it is said: of the paragraph around, of its section, or further out."""
        around = [one for one in self.subclauses.get(spot.section_id, ()) if one.start <= spot.start < one.end]
        for anchor in [*(one.anchor for one in reversed(around)), *self.anchors_above(spot.section_id)]:
            if parts[0] in self.children.get(anchor, {}):
                return self.inside(anchor, parts)
        return None

    def anchors_above(self, section_id: str) -> list[str]:
        return [section.anchor for section in self.above(section_id) if section.anchor]

    def this(self, kind: Kind, spot: Spot) -> str | None:
        """The part that `this Section`, `this Article`, `this Schedule` is said in."""
        for section in self.above(spot.section_id):
            number = numbering.parse(section.number or "")
            if section.anchor and number and (kind in ("section", "paragraph") or number.keyword == kind):
                return section.anchor
        return None


def handle(section: Section) -> str:
    """What a section is found by: its anchor, or its section_id where it has none."""
    return section.anchor or section.section_id


def _keys(path: Path, kind: str) -> list[Path]:
    """The path as it is looked up: as printed, without leading zeros, and for articles by the worth of a numeral, too:
    a Section 8 is no Chapter VIII.
    """
    exact = tuple(part.upper() for part in path)
    plain = tuple(part.lstrip("0") or "0" if part.isdigit() else part for part in exact)
    keys = [exact, plain]
    if kind in ROMAN_KINDS:
        roman = numbering.ROMAN_ONLY.fullmatch(plain[0]) and (len(plain[0]) > 1 or plain[0] in "IVX")
        worth = str(numbering.value(plain[0], "roman")) if roman else plain[0]
        keys.append((f"worth {worth}", *plain[1:]))
    return list(dict.fromkeys(keys))
