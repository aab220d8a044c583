"""Sections as chunks for a model: complete clauses, each with its anchor and the titles that it stands under.

Comes in: the sections, and how many tokens a chunk may have. Goes out: `Chunk`s in reading order, which together hold
every word of the sections. A clause over the limit is cut between its numbered paragraphs, or between the terms that
it defines, and never inside one; what cannot be cut stays whole and says that it is over the limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from pipeline import subclauses, tokens
from pipeline.export import LINE_ENDS
from pipeline.model import Section
from pipeline.subclauses import Subclause


@dataclass(frozen=True)
class Chunk:
    """A clause or a part of one. anchor: of the section, or of the first paragraph in a later part; anchors: of all
    numbered paragraphs inside; breadcrumb: the headings that it stands under, and its own; part from 1 of parts.
    """

    anchor: str | None
    section_id: str
    breadcrumb: tuple[str, ...]
    page: int
    part: int
    parts: int
    anchors: tuple[str, ...]
    tokens: int
    over_limit: bool
    text: str


def of(sections: Sequence[Section], limit: int) -> tuple[Chunk, ...]:
    """The chunks of a document. limit: tokens that a chunk should not go beyond."""
    within = subclauses.within(sections)
    trails = _trails(sections)
    sizes = tokens.counts([_text(section, section.content) for section in sections])
    parents = {section.parent_id for section in sections}
    found: list[Chunk] = []
    for section, size in zip(sections, sizes, strict=True):
        if section.content.strip() or section.section_id not in parents:
            inside = within[section.section_id]
            cuts = [section.content] if size <= limit else _cut(section, inside, limit)
            found += _chunks(section, trails[section.section_id], inside, cuts, limit)
    return tuple(found)


def to_jsonl(chunks: Sequence[Chunk]) -> str:
    """A line a chunk; no character in it that any reader takes for the end of a line."""
    lines = (json.dumps(asdict(chunk), ensure_ascii=False, separators=(",", ":")) for chunk in chunks)
    return "".join(f"{line.translate(LINE_ENDS)}\n" for line in lines)


def _trails(sections: Sequence[Section]) -> Mapping[str, tuple[str, ...]]:
    """The headings that each section stands under, and its own last."""
    trails: dict[str | None, tuple[str, ...]] = {None: ()}
    for section in sections:
        heading = _heading(section)
        trails[section.section_id] = (*trails.get(section.parent_id, ()), *([heading] if heading else []))
    return {name: trail for name, trail in trails.items() if name is not None}


def _heading(section: Section) -> str:
    return " ".join([*(section.number or "").split(), *section.title.split()])


def _text(section: Section, content: str) -> str:
    return "\n".join(filter(None, (_heading(section), content)))


def _cut(section: Section, inside: Sequence[Subclause], limit: int) -> list[str]:
    """The content in as few pieces as the limit allows, cut at the starts of its outermost parts."""
    bounds = [*_starts(section.content, inside), len(section.content)]
    pieces = [section.content[start:end] for start, end in zip([0, *bounds], bounds, strict=False) if end > start]
    sizes = tokens.counts(pieces)
    cuts: list[str] = []
    room = 0
    for piece, size in zip(pieces, sizes, strict=True):
        if cuts and size <= room:
            cuts[-1] += piece
            room -= size
        else:
            cuts.append(piece)
            room = limit - size - tokens.count(_heading(section))
    return cuts


def _starts(content: str, inside: Sequence[Subclause]) -> list[int]:
    """Where the outermost numbered paragraphs and the defined terms between them begin."""
    outer = [one for one in inside if one.parent is None]
    starts = {one.start for one in outer}
    starts |= {one.end + 1 for one in outer if one.end < len(content)}
    at = 0
    for line in content.split("\n"):
        if subclauses.DEFINING.match(line) and not any(one.start <= at < one.end for one in outer):
            starts.add(at)
        at += len(line) + 1
    return sorted(starts)


def _chunks(
    section: Section, trail: tuple[str, ...], inside: Sequence[Subclause], cuts: Sequence[str], limit: int
) -> Iterator[Chunk]:
    texts = [_text(section, cut.strip("\n")) for cut in cuts]
    start = 0
    for part, (cut, text, size) in enumerate(zip(cuts, texts, tokens.counts(texts), strict=True), 1):
        here = tuple(one.anchor for one in inside if start <= one.start < start + len(cut))
        first = here[0] if part > 1 and here else section.anchor
        yield Chunk(first, section.section_id, trail, section.page, part, len(cuts), here, size, size > limit, text)
        start += len(cut)
