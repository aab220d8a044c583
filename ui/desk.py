"""A document as the page Ask has it before it: its sections, what they are searched and checked by.

Comes in: a document that was read. Goes out: a `Desk`, kept as long as document and profile stay the same. Refuses
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from pipeline import facts, topics
from pipeline.answer import Book
from pipeline.model import Section
from pipeline.profiles import Profile
from pipeline.store import Entry
from pipeline.topics import Topic
from ui import state, tuning
from ui.picker import Parsed


@dataclass(frozen=True)
class Desk:
    """A document to ask; equal where it holds the same sections. key: of the document and its profile."""

    name: str
    sha256: str
    key: str
    profile: Profile
    book: Book

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics that ship which a heading of the document names."""
        titles = [topics.spaced(section.title) for section in self.book.sections if section.title]
        found = {name: Topic(name, words) for name, words in topics.shipped().items()}
        return tuple(name for name, topic in found.items() if any(map(topic.entitles, titles)))

    @cached_property
    def _by_id(self) -> dict[str, Section]:
        return {section.section_id: section for section in self.book.sections}

    def section(self, section_id: str) -> Section | None:
        return self._by_id.get(section_id)

    def above(self, section: Section) -> tuple[Section, ...]:
        """The sections that a section stands under, from the top, and itself."""
        found = [section]
        while found[-1].parent_id and (parent := self.section(found[-1].parent_id)):
            found.append(parent)
        return tuple(reversed(found))

    def named(self, anchor: str | None) -> Section | None:
        """The section that an anchor, of itself or of a clause inside it, or an id names."""
        spans = self.book.checker.contract.named(anchor) if anchor else ()
        return self.book.sections[spans[0].section] if spans else None


def laid(entry: Entry, parsed: Parsed) -> Desk:
    """The document under the tuned profile."""
    return _laid(entry.sha256, state.own(entry), entry, parsed)


@st.cache_resource(max_entries=3, show_spinner=False, hash_funcs={Profile: Profile.id})
def _laid(sha256: str, profile: Profile, _entry: Entry, _parsed: Parsed) -> Desk:
    found = tuning.decided(_entry, _parsed).outline
    book = Book(found.sections, _parsed.reading, facts.find(found.removed))
    return Desk(_entry.name, sha256, f"{sha256}-{profile.id()}", profile, book)
