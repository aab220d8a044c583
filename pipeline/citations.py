"""The verdict on each citation of a document, whoever made it: does the quote stand in the clause that is named?

Comes in: anchors in any written form, each with a quote; the sections and the reading that the document gave. Goes
out: a `Verdict` each, in order.

    verified        the quote stands in the clause or below it; spaces, line breaks, hyphens and quote marks aside
    wrong_section   it stands elsewhere: `found_in`; or on a page outside all clauses, then `found_in` is None
    invented        it stands nowhere; `nearest` is the likest text, with what differs
    not_found       there is no such clause (where the quote stands is told), or nothing was quoted that could tell:
                    no words, or fewer than four that stand in several places

A quote with an ellipsis (`…`, `[...]`) stands where its parts stand in order in one clause. Refuses, as UsageError:
JSON that is no list of citations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple

from pipeline import nearest, verbatim, witness
from pipeline.contract import Contract, Span, contract
from pipeline.model import Reading, Section, Source, UsageError
from pipeline.nearest import Near
from pipeline.witness import Pages

Ruling = Literal["verified", "wrong_section", "invented", "not_found"]

OTHERS = 100  # further clauses that hold a quote that are told
SHOWN = 90  # characters of a quote in a table
ENOUGH = 4  # words that tell even where they stand in several places
ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…|\.{2,}|\.(?: \.)+)\s*\]|\(\s*(?:…|\.{3,})\s*\)|…|\.{3,}|\. \. \.)\s*")
NOWHERE = Source((), "", "missing")


@dataclass(frozen=True)
class Cited:
    """A citation to check: the clause as named ("" where none is), and the words quoted from it."""

    anchor: str
    quote: str


@dataclass(frozen=True)
class Verdict:
    """What became of a citation.

    clause: the anchor that was meant; found_in: the smallest clause that holds the quote (its section_id where it has
    no anchor), also_in: those that hold it too; source: where the quote, or for an invented one the nearest text,
    stands on the pages.
    """

    cited: Cited
    verdict: Ruling
    reason: str
    clause: str | None = None
    found_in: str | None = None
    nearest: Near | None = None
    source: Source = NOWHERE
    also_in: tuple[str, ...] = ()


class Unquoted(NamedTuple):
    """A clause that was named and nothing quoted from it: as written; its anchor or id, and its title, if it exists."""

    anchor: str
    clause: str | None
    title: str | None


@dataclass(frozen=True)
class _Found:
    """Where a quote stands: [start, end) of the bare text of each of its parts, in order."""

    parts: tuple[tuple[int, int], ...]

    @property
    def start(self) -> int:
        return self.parts[0][0]

    @property
    def end(self) -> int:
        return self.parts[-1][1]


def check(cited: Sequence[Cited], sections: Sequence[Section], reading: Reading) -> tuple[Verdict, ...]:
    """The verdict on each citation, in order."""
    checker = Checker(tuple(sections), reading)
    return tuple(checker.verdict(one) for one in cited)


@dataclass(frozen=True)
class Checker:
    """Checks citations of one document. known: the contract that its sections make, where that is at hand."""

    sections: tuple[Section, ...]
    reading: Reading
    known: Contract | None = None

    @cached_property
    def contract(self) -> Contract:
        return self.known or contract(self.sections)

    @cached_property
    def pages(self) -> Pages:
        return Pages(self.reading, self.sections)

    @cached_property
    def _index(self) -> nearest.Index:
        return nearest.index(self.contract.bare.text)

    def verdict(self, cited: Cited) -> Verdict:
        """The verdict on one citation."""
        named = self.contract.named(cited.anchor)
        clause = named[0].name if named else None
        parts = _parts(self.contract, cited.quote)
        if not parts:
            return Verdict(cited, "not_found", "nothing is quoted that could be checked", clause)
        for span in named:
            if found := self._within(parts, span):
                return self._there(cited, span, found, parts)
        elsewhere = self._elsewhere(parts)
        if not named:
            return self._unnamed(cited, elsewhere, parts)
        if elsewhere:
            where, *others = self._holders(elsewhere, parts)
            reason = f"not in {clause}; it stands in {where}"
            return Verdict(cited, "wrong_section", reason, clause, where, None, self._source(elsewhere), tuple(others))
        return self._nowhere(cited, named)

    def unquoted(self, named: Sequence[str]) -> tuple[Unquoted, ...]:
        """What there is of clauses that were named without a quote."""
        found = []
        for written in named:
            span = next(iter(self.contract.named(written)), None)
            title = self.sections[span.section].title if span else None
            found.append(Unquoted(written, span.name if span else None, title))
        return tuple(found)

    def _there(self, cited: Cited, span: Span, found: _Found, parts: Sequence[str]) -> Verdict:
        holder = self.contract.holding(found.start, found.end) or span
        words = sum(len(verbatim.tokens(part)) for part in ELLIPSIS.split(cited.quote))
        times = self._times(parts) if words < ENOUGH else 1
        if times > 1 and not self._is_title(cited.quote, span):
            reason = f"too short to tell: it stands {times} times in the document; quote {ENOUGH} words or more"
            return Verdict(cited, "not_found", reason, span.name, holder.name)
        reason = "stands there" if holder == span else f"stands there, in {holder.name}"
        return Verdict(cited, "verified", reason, span.name, holder.name, None, self._source(found))

    def _times(self, parts: Sequence[str]) -> int:
        return min(sum(1 for _ in verbatim.occurrences(self.contract.bare, part)) for part in parts)

    def _is_title(self, quote: str, span: Span) -> bool:
        section = self.sections[span.section]
        heading = " ".join(filter(None, (section.number, section.title)))
        return verbatim.needle(quote) in (verbatim.needle(section.title), verbatim.needle(heading))

    def _within(self, parts: Sequence[str], span: Span) -> _Found | None:
        """The parts in order within a clause."""
        found: list[tuple[int, int]] = []
        at = span.start
        for part in parts:
            start = next(verbatim.occurrences(self.contract.bare, part, at, span.end), None)
            if start is None:
                return None
            at = start + len(part)
            found.append((start, at))
        return _Found(tuple(found))

    def _elsewhere(self, parts: Sequence[str]) -> _Found | None:
        """Where the quote stands first; one in several parts stands in one clause, the smallest that holds it."""
        whole = Span("", 0, 0, len(self.contract.bare.bare), 0)
        if len(parts) == 1 or self._within(parts, whole) is None:
            return self._within(parts, whole)
        spans = sorted(self.contract.spans, key=lambda span: span.end - span.start)
        return next(filter(None, (self._within(parts, span) for span in spans)), None)

    def _unnamed(self, cited: Cited, elsewhere: _Found | None, parts: Sequence[str]) -> Verdict:
        missing = f"there is no clause {cited.anchor!r}" if cited.anchor.strip() else "no clause is named"
        if elsewhere is None:
            if source := self.pages.printed(cited.quote):
                reason = f"{missing}; the quote is printed on page {source.places[0].page}, outside of all clauses"
                return Verdict(cited, "not_found", reason, source=source)
            near = self._index.nearest(cited.quote)
            reason = f"{missing}, and the quote stands nowhere"
            return Verdict(cited, "not_found", reason, None, None, near, self._near_source(near))
        where, *others = self._holders(elsewhere, parts)
        reason = f"{missing}; the quote stands in {where}"
        return Verdict(cited, "not_found", reason, None, where, None, self._source(elsewhere), tuple(others))

    def _holders(self, found: _Found, parts: Sequence[str]) -> list[str]:
        """The smallest clauses that hold the quote: where it was found, then wherever else it stands in one part."""
        starts = [found.start]
        if len(parts) == 1:
            starts += islice(verbatim.occurrences(self.contract.bare, parts[0], found.start + 1), OTHERS)
        holders = [self.contract.holding(start, start + found.end - found.start) for start in starts]
        names = [(holder or self._section_at(start)).name for holder, start in zip(holders, starts, strict=True)]
        return list(dict.fromkeys(names))

    def _nowhere(self, cited: Cited, named: Sequence[Span]) -> Verdict:
        source = self.pages.printed(cited.quote)
        clause = named[0].name
        if source is not None:
            reason = f"not in {clause}; it is printed on page {source.places[0].page}, outside of all clauses"
            return Verdict(cited, "wrong_section", reason, clause, None, None, source)
        near = self._index.nearest(cited.quote, [self.contract.bare.slice(span.start, span.end) for span in named])
        reason = "stands nowhere in the document"
        if near:
            told = "; ".join(difference.told() for difference in near.differences[:3])
            reason += f". Nearest: {told}" if told else ""
        return Verdict(cited, "invented", reason, clause, None, near, self._near_source(near))

    def near_clause(self, near: Near) -> str:
        """The smallest clause that holds the nearest text, by its anchor or id."""
        start, end = self.contract.bare.index(near.start), self.contract.bare.index(near.end)
        return (self.contract.holding(start, max(start, end)) or self._section_at(start)).name

    def _section_at(self, start: int) -> Span:
        """The section in whose own text a place of the bare text is."""
        return next(span for span in self.contract.spans if not span.below and span.start <= start < span.own)

    def _source(self, found: _Found) -> Source:
        """The places of all parts."""
        sources = [self._placed(start, end) for start, end in found.parts]
        places = tuple(dict.fromkeys(place for source in sources for place in source.places))
        quote = " … ".join(source.quote for source in sources)
        order = ("exact", "normalised", "fuzzy", "missing")
        return Source(places, quote, max((source.match for source in sources), key=order.index))

    def _placed(self, start: int, end: int) -> Source:
        bare, span = self.contract.bare, self._section_at(start)
        sought = bare.bare[start:end]
        nth = sum(1 for at in verbatim.occurrences(bare, sought, span.start, start + len(sought) - 1) if at < start)
        return self.pages.place(self.contract.text(start, end), self.sections[span.section], nth)

    def _near_source(self, near: Near | None) -> Source:
        if near is None:
            return NOWHERE
        start, end = self.contract.bare.index(near.start), self.contract.bare.index(near.end)
        return self._placed(start, end) if start < end else NOWHERE


def _parts(document: Contract, quote: str) -> list[str]:
    """What is looked for: the quote, or its parts around an ellipsis that is not printed so."""
    whole = verbatim.needle(quote)
    if whole and next(verbatim.occurrences(document.bare, whole), None) is not None:
        return [whole]
    return [_as_headed(document, part) for part in map(verbatim.needle, ELLIPSIS.split(quote)) if part]


def _as_headed(document: Contract, part: str) -> str:
    """A part of a quote with the headings in it as sections have them: without the marks behind number and title."""
    if next(verbatim.occurrences(document.bare, part), None) is not None:
        return part
    for section in document.sections:
        number, title = (verbatim.bare(text).bare for text in (section.number or "", section.title))
        if (number and f"{number}." in part) or (title and title in part):
            heading = rf"(?P<number>{re.escape(number)})[.:)]*(?P<title>{re.escape(title)})[.:]*"
            part = re.sub(rf"(?<![\w.]){heading}", r"\g<number>\g<title>", part)
    return part


def loads(text: str) -> tuple[Cited, ...]:
    """Citations from JSON: a list of {"anchor", "quote"}, or an object that holds it as "citations" or "clauses"."""
    try:
        value = json.loads(text)
    except ValueError as error:
        raise UsageError(f"the citations are no JSON: {error}") from error
    except RecursionError:
        raise UsageError("the citations are no JSON that can be read: brackets stand too deep in each other") from None
    if isinstance(value, dict):
        value = value.get("citations", value.get("clauses"))
    if not isinstance(value, list):
        raise UsageError('the citations must be a list: [{"anchor": "section-4-2", "quote": "…"}]')
    return tuple(_cited(one, index) for index, one in enumerate(value, start=1))


def _cited(value: Any, index: int) -> Cited:
    if not isinstance(value, dict):
        raise UsageError(f'citation {index} must be {{"anchor": …, "quote": …}}, not {value!r}')
    anchor = next((value[name] for name in ("anchor", "section_id", "number") if value.get(name) is not None), "")
    quote = value.get("quote")
    if not isinstance(anchor, str | int | float) or not isinstance(quote, str | None):
        raise UsageError(f"citation {index}: anchor and quote must be text")
    return Cited(str(anchor), quote or "")


def to_json(verdicts: Sequence[Verdict], unquoted: Sequence[Unquoted] = ()) -> dict[str, Any]:
    """The verdicts by contract, and the clauses that were named without a quote."""
    counts = dict.fromkeys(("verified", "wrong_section", "invented", "not_found"), 0)
    for verdict in verdicts:
        counts[verdict.verdict] += 1
    named = [one._asdict() for one in unquoted]
    return {"citations": [_told(verdict) for verdict in verdicts], "unquoted": named, "summary": counts}


def to_text(verdicts: Sequence[Verdict], unquoted: Sequence[Unquoted] = ()) -> str:
    """The verdicts as a table for a person."""
    if not verdicts and not unquoted:
        return "no citation was found: nothing stands in quote marks beside a clause's number"
    lines = []
    for verdict in verdicts:
        first = witness.begins(verdict.source)
        page = f"page {first.page}" if first else ""
        lines.append(f"{verdict.verdict:<14} {verdict.cited.anchor or '–':<16} {page:<9} {_short(verdict.cited.quote)}")
        if verdict.verdict != "verified":
            lines.append(f"{'':<14} {verdict.reason}")
    for one in unquoted:
        lines.append(f"{'nothing quoted':<14} {one.anchor:<16} {one.title or 'there is no such clause'}")
    verified = sum(verdict.verdict == "verified" for verdict in verdicts)
    return "\n".join([*lines, f"{verified} of {len(verdicts)} citations are verified"])


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"


def _told(verdict: Verdict) -> dict[str, Any]:
    near, source = verdict.nearest, verdict.source
    stands = near is None
    return {
        "anchor": verdict.cited.anchor,
        "quote": verdict.cited.quote,
        "verdict": verdict.verdict,
        "clause": verdict.clause,
        "found_in": verdict.found_in,
        "also_in": list(verdict.also_in),
        "nearest": near.text if near else None,
        "differences": [difference._asdict() for difference in near.differences] if near else [],
        **_placed("", source if stands else NOWHERE),
        **_placed("nearest_", NOWHERE if stands else source),
        "reason": verdict.reason,
    }


def _placed(prefix: str, source: Source) -> dict[str, Any]:
    """Page and box where it begins, and the place of each line."""
    first = witness.begins(source)
    return {
        f"{prefix}page": first.page if first else None,
        f"{prefix}box": first.box.rounded() if first else None,
        f"{prefix}places": [{"page": place.page, "box": place.box.rounded()} for place in source.places],
    }
