"""The desk at which documents of the store are asked for by words: which there are, their trees, sections, quotes.

Comes in: a document by its name or the first figures of its id, a section in any written form (`4.2`, `§ 7(b)`, an
anchor, an id, a title). Goes out: the values of `replies`. Refuses, in one line with what is near: documents and
sections that are not there, or that several may be meant by; documents that were not read yet.

The store is only looked at: a tree that it lacks is made in memory. What was opened last stays in memory while the
store still says the same.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import TypeVar

from pipeline import answer, outline, profiles, replies, run, subclauses, ways, witness
from pipeline.answer import Book
from pipeline.citations import Cited
from pipeline.contract import Contract, Span, contract
from pipeline.engine import Query
from pipeline.library import Hit, Library
from pipeline.model import Reading, Section, StoreError, UsageError
from pipeline.profiles import Profile
from pipeline.readonly import Moved, ReadOnlyStore
from pipeline.store import Entry, Kept

KEPT = 4  # documents that stay in memory
SHORT = 8  # figures of a document's id, at least
NEAR = 5  # names that are told where one is unknown
TRIES = 5  # while another program keeps writing
ADD = "Add PDFs in the app: pagewitness app"
T = TypeVar("T")


@dataclass(frozen=True)
class Text:
    """Which text of a section is wanted: with all below it or its own alone, up to `limit` characters from `offset`."""

    subtree: bool = False
    offset: int = 0
    limit: int = 20_000


class Desk:
    """The documents of the store in a folder; many threads may ask at once."""

    def __init__(self, home: Path) -> None:
        self.store = ReadOnlyStore(home)
        self.library = Library(self.store)
        self._open: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()

    # ------------------------------------------------------------ documents

    def documents(self, name: str = "", offset: int = 0) -> replies.Documents:
        """The documents whose name holds `name`, the newest first."""
        if not self.store.there:
            return replies.Documents([], 0, None, f"There is no store in {self.store.home} yet. {ADD}")
        entries = self._entries()
        found = [entry for entry in entries if name.casefold() in entry.name.casefold()]
        following = replies.page_of(len(found), offset, replies.DOCUMENTS)
        sections = self._again(self._counts)
        ids = _ids(entries)
        shown = [_about(entry, ids, sections) for entry in found[offset : offset + replies.DOCUMENTS]]
        hint = "" if entries else f"The store holds no document yet. {ADD}"
        return replies.Documents(shown, len(found), following, hint)

    def _counts(self) -> dict[str, int]:
        """How many sections the newest tree of each document has."""
        return {parse.sha256: parse.count for parse in reversed(self.store.parses())}

    def _entries(self) -> list[Entry]:
        return self._again(self.store.documents)

    def _named(self, document: str) -> tuple[Entry, str]:
        """The document that is meant, and its short id."""
        entries = self._entries()
        ids = _ids(entries)
        found = _meant(entries, document)
        if len(found) == 1:
            return found[0], ids[found[0].sha256]
        names = "; ".join(f"{ids[entry.sha256]} ({entry.name})" for entry in (found or entries)[:NEAR])
        if found:
            raise UsageError(f"{document!r} may mean {len(found)} documents; name one by its id: {names}")
        if not entries:
            raise UsageError(f"The store holds no document yet. {ADD}")
        near = get_close_matches(document, [entry.name for entry in entries], NEAR, 0.4)
        names = "; ".join(f"{ids[one.sha256]} ({one.name})" for name in near for one in entries if one.name == name)
        told = f"Nearest: {names}" if names else "list_documents names those that there are"
        raise UsageError(f"There is no document {document!r}. {told}")

    # ------------------------------------------------------------ sections

    def outline(self, document: str, section: str = "", depth: int = 0, offset: int = 0) -> replies.Tree:
        """The tree, or what is under a section; depth: levels that are told, 0: all."""
        opened = self.open(document)
        sections = list(opened.sections)
        if section:
            sections = replies.subtree(sections, opened.whole(section).section_id)
        below, deep = replies.counts(opened.sections), replies.depths(sections)
        told = [one for one in sections if not depth or deep[one.section_id] < depth]
        following = replies.page_of(len(told), offset, replies.NODES)
        nodes = [replies.node(one, below[one.section_id]) for one in told[offset : offset + replies.NODES]]
        return replies.Tree(opened.id, opened.entry.name, nodes, len(told), following)

    def section(self, document: str, section: str, wanted: Text) -> replies.Text:
        """A section's text, or that of a numbered paragraph inside one."""
        opened = self.open(document)
        span = opened.meant(section)
        found = opened.sections[span.section]
        text = opened.text(span, wanted.subtree)
        content, following = replies.part(text, wanted.offset, wanted.limit)
        above = replies.breadcrumb(opened.by_id, found)
        number = found.number
        if span.below:
            above.append(replies.Crumb(found.section_id, found.number, found.title))
            number = opened.paragraph(span).number
        below = replies.counts(opened.sections)
        children = [one for one in opened.sections if one.parent_id == found.section_id and not span.below]
        return replies.Text(
            document=opened.id,
            name=opened.entry.name,
            section_id=found.section_id,
            anchor=span.name if span.below else found.anchor,
            number=number,
            title="" if span.below else found.title,
            page=opened.page(span),
            breadcrumb=above,
            content=content,
            offset=wanted.offset,
            characters=len(text),
            next_offset=following,
            children=[replies.node(one, below[one.section_id]) for one in children[: replies.NODES]],
            uri=f"pagewitness://documents/{opened.id}/sections/{span.name}",
        )

    def search(self, query: str, documents: Sequence[str], limit: int) -> replies.Search:
        """The sections that fit a query best; documents: those to look into, none: all."""
        if not query.strip():
            raise UsageError("Nothing is asked for: query is empty")
        everything = self._entries()
        ids = _ids(everything)
        entries = [self._named(document)[0] for document in documents] or everything
        named = {entry.sha256: replies.Named(ids[entry.sha256], entry.name) for entry in entries}
        searched = set(self._again(self.library.documents))
        scope = [sha256 for sha256 in named if sha256 in searched] if documents else None
        found = self._again(lambda: self._hits(query, scope, limit))
        missed = [f"{one.id} ({one.name})" for sha256, one in named.items() if sha256 not in searched]
        told = [replies.found(named[hit.sha256], hit, passage) for hit, passage in found if hit.sha256 in named]
        hint = replies.UNSEARCHED if missed else ""
        return replies.Search(query, told, missed[: replies.DOCUMENTS], hint)

    def _hits(self, query: str, scope: Sequence[str] | None, limit: int) -> list[tuple[Hit, replies.Passage]]:
        if scope is not None and not scope:
            return []
        found = []
        for hit in self.library.search(query, scope, limit):
            if section := self.library.section(hit.sha256, hit.section_id):
                above = self.library.breadcrumb(hit.sha256, hit.section_id)[:-1]
                crumbs = [replies.Crumb(*crumb) for crumb in above]
                found.append((hit, replies.Passage(section, crumbs, replies.snippet(section.content, query))))
        return found

    # ------------------------------------------------------------ quotes

    def verify(self, document: str, cited: Cited) -> replies.Citation:
        """Whether a quote stands in the clause that is named."""
        checker = self.open(document).book.checker
        return replies.citation(checker.verdict(cited), checker)

    def clauses(self, document: str, query: str) -> replies.Clauses:
        """The clauses about something."""
        opened = self.open(document)
        asked = Query(query, opened.profile.clauses.synonyms)
        found = answer.clauses(asked, opened.sections, opened.book.reading, run.engine("local"))
        return replies.Clauses(opened.id, query, [replies.clause(one) for one in found])

    def ask(self, document: str, question: str) -> replies.Answered:
        """What the document answers."""
        opened = self.open(document)
        return replies.answered(opened.id, answer.ask(question, opened.book, run.engine("local")))

    # ------------------------------------------------------------ what is open

    def open(self, document: str) -> Opened:
        """The document that is meant, with its sections."""
        entry, short = self._named(document)
        return self._opened(entry.sha256, short)

    def _opened(self, sha256: str, short: str) -> Opened:
        fresh = self._again(lambda: self._loaded(sha256, short))
        with self._lock:
            kept = self._open.pop(sha256, None)
            opened = kept if kept and kept.same(fresh) else fresh
            self._open[sha256] = opened
            while len(self._open) > KEPT:
                self._open.popitem(last=False)
        return opened

    def _loaded(self, sha256: str, short: str) -> Opened:
        entry = self.store.document(sha256)
        if entry is None:
            raise UsageError(f"The document {short} is not in the store any more")
        profile = self._profile(entry)
        kept = _like(self.store.readings(sha256), profile)
        sections = self.library.sections(sha256) or self._newest(sha256)
        if not (kept or sections):
            raise UsageError(_problem(entry))
        return Opened(entry, short, profile, sections, lambda: self._again(lambda: self._reading(entry, kept)))

    def _newest(self, sha256: str) -> tuple[Section, ...]:
        """The newest tree of a document that is not in the library yet."""
        parses = self.store.parses(sha256)
        return (self.store.parsed(parses[0].number) if parses else None) or ()

    def _profile(self, entry: Entry) -> Profile:
        """What the newest tree of a document was made with."""
        parses = self.store.parses(entry.sha256)
        try:
            return profiles.loads(parses[0].settings) if parses else ways.own(Profile(), entry.own)
        except UsageError:  # written by another version
            return ways.own(Profile(), entry.own)

    def _reading(self, entry: Entry, kept: Kept | None) -> Reading:
        read = self.store.reading(entry.sha256, kept.key) if kept else None
        if read is None:
            raise StoreError(f"The pages of {entry.name} are not in the store. Open it in the app: pagewitness app")
        return read

    def _again(self, look: Callable[[], T]) -> T:
        """Look, once more where the store was written at that moment."""
        for _ in range(TRIES - 1):
            try:
                return look()
            except Moved:
                continue
        return look()


class Opened:
    """A document at the desk: its sections, and what is made of them when it is first needed.

    id: its short one; profile: what its tree was made with; load: gets its reading from the store.
    """

    def __init__(
        self, entry: Entry, short: str, profile: Profile, kept: tuple[Section, ...], load: Callable[[], Reading]
    ) -> None:
        self.entry = entry
        self.id = short
        self.profile = profile
        self._kept = kept
        self._load = load

    def same(self, other: Opened) -> bool:
        """Whether the store still says the same of it."""
        return (self.entry, self.id, self.profile, self._kept) == (other.entry, other.id, other.profile, other._kept)

    @cached_property
    def reading(self) -> Reading:
        return self._load()

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """As the store keeps them; made from the reading where it has none."""
        return self._kept or outline.build(outline.features(self.reading), self.profile.outline).sections

    @cached_property
    def by_id(self) -> dict[str, Section]:
        return {section.section_id: section for section in self.sections}

    @cached_property
    def book(self) -> Book:
        return Book(self.sections, self.reading)

    @cached_property
    def _contract(self) -> Contract:
        return contract(self.sections)

    def meant(self, section: str) -> Span:
        """The section or numbered paragraph that a text means."""
        an_id = section.startswith("sec_") and section not in self.by_id  # the number in it would lead elsewhere
        spans = () if an_id else tuple(dict.fromkeys(self._contract.named(section)))
        if len(spans) == 1:
            return spans[0]
        if spans:
            named = "; ".join(f"{span.name} ({self._told(span)})" for span in spans[: 2 * NEAR])
            raise UsageError(f"{section!r} may mean {len(spans)} sections of {self.entry.name}; name one: {named}")
        near = "; ".join(self._near(section)) or "outline names those that there are"
        raise UsageError(f"There is no section {section!r} in {self.entry.name}. Nearest: {near}")

    def whole(self, section: str) -> Section:
        """The section that a text means; that around it for a numbered paragraph."""
        return self.sections[self.meant(section).section]

    def text(self, span: Span, subtree: bool) -> str:
        """The text of a paragraph; of a section its own, or all below it under their headings."""
        section = self.sections[span.section]
        if span.below:
            one = self.paragraph(span)
            return section.content[one.start : one.end].strip("\n")
        if not subtree:
            return section.content
        inside = replies.subtree(self.sections, section.section_id)
        return "\n\n".join(f"{replies.heading(one)}\n{one.content}".strip() for one in inside)

    def page(self, span: Span) -> int:
        """The page on which a section begins, or a numbered paragraph where its pages are known."""
        section = self.sections[span.section]
        if not span.below:
            return section.page
        try:
            place = witness.begins(self.book.checker.pages.place(self.text(span, subtree=False), section))
        except StoreError:
            return section.page
        return place.page if place else section.page

    def paragraph(self, span: Span) -> subclauses.Subclause:
        """The numbered paragraph that a span is."""
        within = subclauses.within(self.sections)[self.sections[span.section].section_id]
        return next(one for one in within if one.anchor == span.name)

    def _told(self, span: Span) -> str:
        section = self.sections[span.section]
        return f"{replies.heading(section)[:60]}, page {section.page}"

    def _near(self, written: str) -> list[str]:
        """What is written like an unknown section: ids, anchors, numbers, titles."""
        names: dict[str, Section] = {}
        for section in self.sections:
            for name in (section.section_id, section.anchor, section.number, section.title):
                names.setdefault((name or "").casefold(), section)
        close = get_close_matches(written.casefold(), names, 3 * NEAR, 0.5)
        found = list(dict.fromkeys(names[name].section_id for name in close))
        return [f"{one} ({replies.heading(self.by_id[one])[:60]})" for one in found[:NEAR]]


def _ids(entries: Sequence[Entry]) -> dict[str, str]:
    """The short id of each document: as many figures as tell them apart."""
    length = SHORT
    while len({entry.sha256[:length] for entry in entries}) < len(entries):
        length += 1
    return {entry.sha256: entry.sha256[:length] for entry in entries}


def _meant(entries: Sequence[Entry], document: str) -> list[Entry]:
    """The documents that a text may mean: by id, else by name, else by a part of the name; empty: the only one."""
    written = document.strip().casefold()
    if not written:
        return list(entries)
    by_id = (
        [one for one in entries if one.sha256.startswith(written)] if re.fullmatch("[0-9a-f]{4,64}", written) else []
    )
    by_name = [one for one in entries if written in (one.name.casefold(), one.name.casefold().removesuffix(".pdf"))]
    return by_id or by_name or [one for one in entries if written in one.name.casefold()]


def _about(entry: Entry, ids: dict[str, str], sections: dict[str, int]) -> replies.About:
    return replies.About(
        id=ids[entry.sha256],
        name=entry.name,
        state=entry.state,
        pages=entry.pages,
        kind=entry.kind,
        language=entry.language,
        sections=sections.get(entry.sha256),
        problem="" if entry.state == "read" else _problem(entry),
    )


def _problem(entry: Entry) -> str:
    """Why a document cannot be asked, and what helps."""
    if entry.locked:
        return f"{entry.name} is locked: open it with its password in the app (pagewitness app)"
    if entry.state == "failed":
        return f"{entry.name} could not be read: {entry.error}"
    return f"{entry.name} was added but not read yet. Open it in the app (pagewitness app), then ask again"


def _like(readings: Sequence[Kept], profile: Profile) -> Kept | None:
    """The newest reading with the profile's settings, else the newest."""
    wanted = Profile(reading=profile.reading).id()
    same = (kept for kept in readings if kept.key.profile == wanted)
    return next(same, readings[0] if readings else None)
