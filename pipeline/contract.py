"""A document's sections as one text in which quotes are looked up, and its clauses by anchor and by other names.

Comes in: sections in reading order. Goes out: `Contract`: what counts of the text (`verbatim`), the span of every
section and sub-clause in it, the clauses that a written reference may mean, the smallest clause that holds a place.
Refuses nothing: a reference that names no clause gives none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pipeline import addresses, subclauses, verbatim
from pipeline.model import Section
from pipeline.numbering import ANNEXES
from pipeline.subclauses import Subclause
from pipeline.targets import Targets, handle
from pipeline.verbatim import Bare


@dataclass(frozen=True)
class Span:
    """A section with all below it, or a sub-clause: [start, end) of the bare text. name: its anchor, or the section's
    id where it has none. own: the end of a section's own text. section: its place in reading order.
    """

    name: str
    section: int
    start: int
    end: int
    own: int
    below: bool = False


@dataclass(frozen=True)
class Contract:
    """The text of all sections, headings and all. starts: where each section begins in it, and its content."""

    sections: tuple[Section, ...]
    bare: Bare
    starts: tuple[tuple[int, int], ...]
    spans: tuple[Span, ...]
    subclauses: Mapping[str, tuple[Subclause, ...]] = field(repr=False, compare=False)
    _names: dict[str, list[Span]] = field(repr=False, compare=False)

    def named(self, written: str) -> tuple[Span, ...]:
        """The clauses that a reference may mean: by anchor, id, number in any form, or title."""
        text = " ".join(written.split())
        exact = self._names.get(text.removeprefix("#").lower(), [])
        if len(exact) == 1:
            return tuple(exact)
        found: list[Span] = []
        for address in addresses.parse(text):
            found += self._at(address)
        return tuple(found) or tuple(self._titles.get(verbatim.needle(text).casefold(), ()))

    def _at(self, address: addresses.Address) -> list[Span]:
        for key in address.anchors():
            if self._of_another_kind(key, address.kind):
                continue
            if spans := self._names.get(f"key {key}"):
                return spans
        if not address.kind and (spans := self._names.get(f"label {'-'.join(address.path)}")):
            return spans
        if address.paragraph and address.path[-1].isdigit():  # unnumbered paragraphs are counted
            lines = int(address.path[-1])
            return [span for span in self._at(address.above) if lines <= self._lines(span)]
        return self._printed(address)

    def _of_another_kind(self, key: str, kind: str) -> bool:
        """Whether a key is a schedule's where an appendix was named, or the reverse, and the document has both."""
        mine = key.split("-")[0]
        return kind in ANNEXES and mine != kind and any(name.startswith(f"key {kind}-") for name in self._names)

    def _printed(self, address: addresses.Address) -> list[Span]:
        """Sections in which a paragraph begins with the number: `4. (1) …` in a chapter of an act."""
        top = addresses.Address(address.kind, address.path[:1])
        if address.kind not in ("", "section", "article") or any(f"key {key}" in self._names for key in top.anchors()):
            return []
        anchors = {target.anchor for target in self.targets.printed.get(address.path[:1], ())}
        return [span for span in self.spans if span.name in anchors]

    @cached_property
    def targets(self) -> Targets:
        return Targets(self.sections, self.subclauses)

    def _lines(self, span: Span) -> int:
        return self.sections[span.section].content.count("\n") + 1

    @cached_property
    def _titles(self) -> dict[str, list[Span]]:
        """Sections by title, those whose title is theirs alone."""
        by_title: dict[str, list[Span]] = {}
        for span in self.spans:
            title = self.sections[span.section].title
            if title and not span.below:
                by_title.setdefault(verbatim.needle(title).casefold(), []).append(span)
        return {title: spans for title, spans in by_title.items() if len(spans) == 1}

    def holding(self, start: int, end: int) -> Span | None:
        """The smallest clause that holds [start, end) of the bare text; None where it is in several."""
        held = (span for span in self.spans if span.start <= start and end <= span.end)
        return min(held, key=lambda span: (span.end - span.start, not span.below), default=None)

    def text(self, start: int, end: int) -> str:
        """The printed text of [start, end) of the bare text, on one line."""
        first, stop = self.bare.slice(start, end)
        return " ".join(self.bare.text[first:stop].split())


def contract(sections: Sequence[Section]) -> Contract:
    """The contract that the sections make."""
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    for section in sections:
        heading = " ".join(filter(None, (section.number, section.title))) + "\n"
        starts.append((length, length + len(heading)))
        parts += [heading, section.content, "\n"]
        length += len(heading) + len(section.content) + 1
    bare = verbatim.bare("".join(parts))
    below = subclauses.within(sections)
    spans = tuple(_spans(sections, bare, starts, below))
    return Contract(tuple(sections), bare, tuple(starts), spans, below, _by_name(sections, spans))


def _spans(
    sections: Sequence[Section],
    bare: Bare,
    starts: list[tuple[int, int]],
    below: Mapping[str, tuple[Subclause, ...]],
) -> list[Span]:
    ends = _ends(sections)
    edges = [bare.index(start) for start, _ in starts] + [len(bare.bare)]
    spans = []
    for index, section in enumerate(sections):
        name = handle(section)
        spans.append(Span(name, index, edges[index], edges[ends[index]], edges[index + 1]))
        at = starts[index][1]
        for one in below.get(section.section_id, ()):
            start, end = bare.index(at + one.start), bare.index(at + one.end)
            spans.append(Span(one.anchor, index, start, end, end, below=True))
    return spans


def _ends(sections: Sequence[Section]) -> list[int]:
    """For each section the index behind its last descendant."""
    place = {section.section_id: index for index, section in enumerate(sections)}
    ends = list(range(1, len(sections) + 1))
    for index in range(len(sections) - 1, -1, -1):
        parent = place.get(sections[index].parent_id or "")
        if parent is not None:
            ends[parent] = max(ends[parent], ends[index])
    return ends


def _by_name(sections: Sequence[Section], spans: tuple[Span, ...]) -> dict[str, list[Span]]:
    names: dict[str, list[Span]] = {}
    for span in spans:
        section = sections[span.section]
        own = {span.name, f"key {addresses.key(span.name)}"}
        if not span.below:
            own.add(section.section_id)
            own.add(" ".join((section.number or section.section_id).split()).lower())
            if section.number and (address := next(iter(addresses.parse(section.number)), None)):
                own.add(f"label {'-'.join(address.path)}")
        for name in own:
            names.setdefault(name, []).append(span)
    return names
