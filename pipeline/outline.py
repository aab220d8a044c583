"""The outline of a document: boilerplate ledger, headings with levels, and the section tree with its ids.

Comes in: a `Reading` (once, `features`) and an `OutlineProfile` (each time it changes, `build`). Goes out: `Outline`.
Every word of the document is in one section or in the ledger; text before the first heading is `sec_preamble`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pipeline import boilerplate, context, continued, headings, levels, reasons, slugs
from pipeline.bands import Draft
from pipeline.boilerplate import Ledger, Reason
from pipeline.continued import Tables
from pipeline.features import Feature, Features, features
from pipeline.headings import Found, Judge
from pipeline.model import Heading, Outline, Place, Removed, Section, Table, Tier, around
from pipeline.profiles import OutlineProfile
from pipeline.reasons import Why
from pipeline.slugs import Named
from pipeline.text import Setting, paragraphs

__all__ = ["Decided", "Features", "build", "decide", "features"]

PREAMBLE = "sec_preamble"


@dataclass(frozen=True)
class Decided:
    """A document under a profile: what is boilerplate, in tables and a heading, and the levels of the headings.

    Its outline, and why any line is a heading or is none, come from that without deciding anew.
    """

    document: Features
    profile: OutlineProfile
    ledger: Ledger
    tables: Tables
    found: tuple[Found, ...]
    given: tuple[int, ...]

    @cached_property
    def _context(self) -> dict[int, tuple[str, ...]]:
        """What running lines, by index, say that the text does not."""
        return context.told(self.document, {at: why.reason for at, why in self.ledger.lines.items()})

    @cached_property
    def outline(self) -> Outline:
        """The sections with all that they were found by."""
        found, given = self.found, self.given
        bodies = _bodies(self.document, self.ledger.lines.keys(), found, self.tables)
        return Outline(
            headings=tuple(_heading(one, level) for one, level in zip(found, given, strict=True)),
            sections=tuple(_sections(bodies, found, given, _by_page(self.document, self._context))),
            removed=tuple(_removed(self.document, self.ledger, self._context)),
            tiers=_tiers(self.document, self.profile, found, given),
            body_size=self.document.body_size,
            histogram=self.document.histogram,
        )

    @cached_property
    def _judge(self) -> Judge:
        return Judge(self.document, self.ledger, self.profile, self.tables.spots)

    def why(self, at: int) -> Why:
        """Why the line with this index is a heading, or is none."""
        line, index = self.document.lines[at], reasons.found_with(self.found, at)
        if index is None:
            why = reasons.of_other(self._judge, line, self.ledger.lines, self.tables.spots)
            kept = tuple(
                f"found nowhere else, so kept as context of its page: “{part}”" for part in self._context.get(at, ())
            )
            return replace(why, against=(*why.against, *kept))
        return reasons.of_heading(self._judge, line, self.found[index], self.given[index])


def decide(document: Features, profile: OutlineProfile) -> Decided:
    """What the profile makes of the features, which were computed once."""
    ledger, tables = _with_tables(document, boilerplate.ledger(document, profile), profile)
    found = headings.find(document, ledger, profile, tables.spots)
    return Decided(document, profile, ledger, tables, found, levels.levels(found, bool(profile.tier_ratios)))


def build(document: Features, profile: OutlineProfile) -> Outline:
    """The outline under `profile`, from features that were computed once."""
    return decide(document, profile).outline


def _removed(document: Features, ledger: Ledger, own: Mapping[int, tuple[str, ...]]) -> Iterator[Removed]:
    for line in document.lines:
        if why := ledger.lines.get(line.at):
            yield Removed(line.page, line.text, why.reason, line.box, why.repeats, own.get(line.at, ()))


def _by_page(document: Features, context: Mapping[int, tuple[str, ...]]) -> dict[int, tuple[str, ...]]:
    """What the running lines of each page say that the text does not."""
    pages: dict[int, tuple[str, ...]] = {}
    for at in sorted(context):
        page = document.lines[at].page
        pages[page] = (*pages.get(page, ()), *context[at])
    return pages


def _tiers(
    document: Features, profile: OutlineProfile, found: Sequence[Found], given: Sequence[int]
) -> tuple[Tier, ...]:
    """The tiers that a person set; else the sizes from which the found headings have the level that they have."""
    sized = [(one.first.size, level) for one, level in zip(found, given, strict=True) if one.tier is not None]
    if profile.tier_ratios or not sized:
        return headings.tiers(document, profile)
    levelled: dict[float, list[int]] = {}
    for size, level in sized:
        levelled.setdefault(size, []).append(level)
    smallest: dict[int, float] = {}
    deepest = 0
    for size in sorted(levelled, reverse=True):
        deepest = max(deepest, max(set(levelled[size]), key=levelled[size].count))
        smallest[deepest] = size
    return tuple(Tier(size, level) for level, size in enumerate(smallest.values(), 1))


def _with_tables(document: Features, ledger: Ledger, profile: OutlineProfile) -> tuple[Ledger, Tables]:
    """The document's tables; the ledger with headers that are printed again, and without those printed first."""
    texts = [line.text for line in document.lines]
    pages = {line.at: line.page for line in document.lines}
    drafts = _without_running(document.drafts, ledger, texts)
    tables = continued.joined(drafts, ledger.lines.keys(), texts, pages)
    lines = {at: why for at, why in ledger.lines.items() if at not in tables.first_heads}
    if profile.strip_boilerplate:
        kept = {at for at in tables.repeated if boilerplate.pattern(texts[at]) in profile.keep}
        alike = Counter(texts[at] for at in tables.repeated)
        for at in sorted(tables.repeated - kept - lines.keys()):
            lines[at] = Reason(continued.REPEATED, 1 + alike[texts[at]])
    return replace(ledger, lines=lines), tables


def _without_running(drafts: Sequence[Draft], ledger: Ledger, texts: Sequence[str]) -> list[Draft]:
    """The drafts of tables but for those whose header is a running header of the document: most pages that print it
    have no table below it.
    """
    heads = [
        {piece.line for band in draft.heads for entry in band.entries for piece in entry.pieces} for draft in drafts
    ]
    headed = Counter(texts[line] for lines in heads for line in lines)

    def runs(line: int) -> bool:
        why = ledger.lines.get(line)
        return why is not None and why.reason.startswith("running") and 2 * headed[texts[line]] < why.repeats

    return [draft for draft, lines in zip(drafts, heads, strict=True) if not any(map(runs, lines))]


def _heading(found: Found, level: int) -> Heading:
    label = found.number.label if found.number else None
    return Heading(found.title, label, level, _places(found.lines), found.evidence)


def _places(lines: Sequence[Feature]) -> tuple[Place, ...]:
    """One place a page."""
    by_page: dict[int, list[Feature]] = {}
    for line in lines:
        by_page.setdefault(line.page, []).append(line)
    return tuple(Place(page, around([line.box for line in part])) for page, part in by_page.items())


@dataclass(frozen=True)
class _Body:
    """The text of a section, its lines, and the tables on them."""

    text: str
    lines: list[Feature]
    tables: tuple[Table, ...]


def _sections(
    bodies: Iterator[_Body], found: Sequence[Found], given: Sequence[int], context: Mapping[int, tuple[str, ...]]
) -> Iterator[Section]:
    """All sections in reading order, the preamble first where there is one. context: of each page that has any."""
    before, *rest = bodies
    if before.text:
        places = _places(before.lines)
        said = _said(before.lines, context)
        yield Section(PREAMBLE, None, 0, None, "", places[0].page, None, before.text, places, before.tables, said)
    parents = _parents(given)
    named = [
        Named(one.number, one.title, parent, body.text) for one, parent, body in zip(found, parents, rest, strict=True)
    ]
    ids, anchors = slugs.section_ids(named), slugs.anchors(named)
    for index, one in enumerate(found):
        heading, parent = _heading(one, given[index]), parents[index]
        yield Section(
            section_id=ids[index],
            parent_id=None if parent is None else ids[parent],
            level=heading.level,
            number=heading.number,
            title=heading.title,
            page=heading.page,
            anchor=anchors[index],
            content=rest[index].text,
            places=heading.places,
            tables=rest[index].tables,
            context=_said([*one.lines, *rest[index].lines], context),
        )


def _said(lines: Sequence[Feature], context: Mapping[int, tuple[str, ...]]) -> tuple[str, ...]:
    """The context of all pages that the lines stand on, each once."""
    pages = dict.fromkeys(line.page for line in lines) if context else ()
    return tuple(dict.fromkeys(part for page in pages for part in context.get(page, ())))


def _parents(given: Sequence[int]) -> list[int | None]:
    stack: list[int] = []
    parents: list[int | None] = []
    for index, level in enumerate(given):
        while stack and given[stack[-1]] >= level:
            stack.pop()
        parents.append(stack[-1] if stack else None)
        stack.append(index)
    return parents


def _bodies(document: Features, removed: Container[int], found: Sequence[Found], tables: Tables) -> Iterator[_Body]:
    """What stands before the first heading, then what stands under each."""
    starts = {one.first.at for one in found}
    run_on = {one.lines[-1].at: one.words for one in found if one.words is not None}
    heading_lines = {line.at for one in found for line in one.lines}
    part: list[Feature] = []
    for line in document.lines:
        if line.at in starts:
            yield _body(document, part, heading_lines, tables)
            part = []
        if line.at in run_on:
            rest = " ".join(line.text.split()[run_on[line.at] :])
            part += [line._replace(text=rest, number=None)] if rest else []
        elif line.at not in heading_lines and line.at not in removed:
            part.append(line)
    yield _body(document, part, heading_lines, tables)


def _body(document: Features, part: list[Feature], heading_lines: Container[int], tables: Tables) -> _Body:
    rows = {line.at: tables.spots[line.at] for line in part if line.at in tables.spots and line.at not in heading_lines}
    return _Body(paragraphs(part, Setting(document, tables, rows)), part, tables.within(rows))
