"""What a document's section tree was before: its older parses, its earlier versions, and what became of their ids.

Comes in: a store, a document or a kept tree in it, ids and anchors that older trees gave out. Goes out: trees to
compare with, the likeliest first; `Before`; `Traced`. Refuses: an id that no tree has (UsageError), a tree that is
gone (StoreError).

An earlier version is another file that was added before, whose name is alike but for its figures or which looks alike,
and whose sections go on in this one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice

from pipeline import likeness, profiles, records, run, treediff
from pipeline.likeness import Known
from pipeline.model import PipelineError, Section, StoreError, UsageError
from pipeline.profiles import Fingerprint, Profile
from pipeline.store import Entry, Parse, Store
from pipeline.treediff import TreeDiff

SAME_NAME = 0.8  # likeness of the letters of two names that may be versions of one document
GOES_ON = 0.5  # share of an earlier version's sections that have a successor
SAME_TEXT = 0.5  # share of the texts that two files of unlike names have in common, word for word
LOOKED_AT = 4  # files that look alike, the likest, whose texts are held against each other


@dataclass(frozen=True)
class Before:
    """An older tree of a document, or of its earlier version: whose, under what, its sections, what became of them."""

    parse: Parse
    document: Entry
    profile: str
    sections: tuple[Section, ...]
    diff: TreeDiff


@dataclass(frozen=True)
class Traced:
    """What an id, or an anchor, of an older tree is now: one id, several after a split, none where it was removed.

    was: the section that had it, and `document`, `profile`: where; None, and empty, where the tree of now has it.
    """

    asked: str
    ids: tuple[str, ...]
    was: Section | None = None
    document: str = ""
    profile: str = ""


def before(store: Store, newer: Parse, profile: Profile) -> Before | None:
    """The tree that the document had before: its newest other one, else that of its earlier version; None where there
    is none. A version that has no tree yet gets one under the profile.
    """
    now = store.parsed(newer.number) or ()
    entries = {entry.sha256: entry for entry in store.documents()}
    for kept in (*_others(store, newer), *_versions(store, newer.sha256, profile)):
        sections, entry = store.parsed(kept.number), entries.get(kept.sha256)
        if sections is None or entry is None:
            continue
        found = Before(kept, entry, named(kept), sections, treediff.compare(sections, now))
        if kept.sha256 == newer.sha256 or _goes_on(found):
            return found
    return None


def comparable(store: Store, sha256: str) -> list[Parse]:
    """Trees that a document's tree may be compared with, the likeliest first: all of its own, the newest first, then
    the newest of each document whose name is alike but for its figures (`Offer 2024-07.pdf`, `Offer 2025-01.pdf`).
    """
    return [*store.parses(sha256), *_alike(store, sha256).values()]


def changes(store: Store, older: Parse, newer: Parse) -> TreeDiff:
    """What became of the sections of one kept tree in another: of the same document, or of its new version."""
    one, other = store.parsed(older.number), store.parsed(newer.number)
    if one is None or other is None:
        raise StoreError("One of the two section trees is not in the store (any more). Open the document again.")
    return treediff.compare(one, other)


@dataclass(frozen=True)
class Present:
    """A document's sections as they are now, and the profile that they are found with."""

    sha256: str
    sections: tuple[Section, ...]
    profile: Profile


def trace(store: Store, present: Present, asked: str) -> Traced:
    """What became of a section that an older tree of the document, or of its version, called so; by id or anchor.

    UsageError for what no such tree ever had.
    """
    now = present.sections
    if here := treediff.called(now, asked):
        return Traced(asked, (here.section_id,))
    names = {entry.sha256: entry.name for entry in store.documents()}
    older_trees = (*comparable(store, present.sha256), *_versions(store, present.sha256, present.profile))
    for kept in dict.fromkeys(older_trees):
        older = store.parsed(kept.number) or ()
        if was := treediff.called(older, asked):
            ids = treediff.compare(older, now).resolve(was.section_id)
            return Traced(asked, ids, was, names.get(kept.sha256, ""), named(kept))
    raise UsageError(f"No section tree of the document has a section {asked!r}.")


def named(kept: Parse) -> str:
    """The name of the profile that a kept tree was made with."""
    try:
        return profiles.loads(kept.settings).name
    except UsageError:
        return "an older profile"


def _others(store: Store, newer: Parse) -> Iterator[Parse]:
    return (kept for kept in store.parses(newer.sha256) if kept.number != newer.number)


# ---------------------------------------------------------------- versions


def _versions(store: Store, sha256: str, profile: Profile) -> Iterator[Parse]:
    """The trees of documents that were added before and may be earlier versions, the likeliest first."""
    entries = {entry.sha256: entry for entry in store.documents()}
    if sha256 not in entries:
        return
    mine, alike = entries.pop(sha256), _alike(store, sha256)
    earlier = [entry for entry in entries.values() if entry.added < mine.added]
    for entry in sorted(earlier, key=lambda entry: entry.added, reverse=True):
        if entry.sha256 in alike:
            yield alike[entry.sha256]
        elif _same_name(mine.name, entry.name) and "read" in entry.done:
            with suppress(PipelineError):  # a version that cannot be read any more
                yield run.parse(store, entry.sha256, profile)
    others = {entry.sha256 for entry in earlier} - alike.keys()
    for kept, newer in islice(_lookalikes(store, sha256, others), LOOKED_AT):
        if _same_text(store, kept, newer):
            yield kept


def _alike(store: Store, sha256: str) -> dict[str, Parse]:
    """The newest tree of each other document whose name is alike, by its sha256."""
    names = {entry.sha256: entry.name for entry in store.documents()}
    found: dict[str, Parse] = {}
    for kept in store.parses():
        if kept.sha256 != sha256 and _same_name(names.get(sha256, ""), names.get(kept.sha256, "")):
            found.setdefault(kept.sha256, kept)
    return found


def _same_name(one: str, other: str) -> bool:
    return SequenceMatcher(None, _letters(one), _letters(other)).ratio() >= SAME_NAME


def _letters(name: str) -> str:
    return "".join(letter for letter in name.removesuffix(".pdf").casefold() if letter.isalpha())


def _lookalikes(store: Store, sha256: str, others: Collection[str]) -> Iterator[tuple[Parse, Parse]]:
    """The newest trees of the others that look like this document, the likest first, each with this one's."""
    latest: dict[str, Parse] = {}
    for kept in store.parses():
        latest.setdefault(kept.sha256, kept)
    looks = {}
    for one in {sha256, *others} & latest.keys():
        with suppress(ValueError):  # an older fingerprint that cannot be understood
            looks[one] = records.unpack(Fingerprint, latest[one].fingerprint)
    if mine := looks.pop(sha256, None):
        known = [Known(one, fingerprint, "") for one, fingerprint in looks.items()]
        ranking = likeness.ranked(mine, known)
        yield from ((latest[one.name], latest[sha256]) for one in ranking if one.close)


def _same_text(store: Store, older: Parse, newer: Parse) -> bool:
    """Whether the same text stands in both: templates look alike and say other things."""
    texts = [
        {one.content for one in store.parsed(kept.number) or () if len(one.content) >= 40} for kept in (older, newer)
    ]
    most = max(map(len, texts))
    return most > 0 and len(texts[0] & texts[1]) >= SAME_TEXT * most


def _goes_on(found: Before) -> bool:
    """Whether the older tree's sections go on in the newer one: files of like names may have nothing in common."""
    ids = [one.section_id for one in found.sections]
    return sum(bool(found.diff.resolve(one)) for one in ids) >= GOES_ON * max(len(ids), 1)
