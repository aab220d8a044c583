"""What is done with a store as a whole: its documents listed, checked, indexed anew.

Comes in: a `Store`. Goes out: its documents with how many of their sections are searched; one line on what was done.
Refuses, as StoreError: a store that is not whole, with the first problem and what mends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.library import Library
from pipeline.model import StoreError
from pipeline.store import Store

SHORT = 12


@dataclass(frozen=True)
class Listed:
    """A document of the store. pages: None until it is read; sections: that are searched."""

    sha256: str
    name: str
    pages: int | None
    sections: int
    state: str


def listed(store: Store) -> tuple[Listed, ...]:
    """All documents, the newest first."""
    counts = Library(store).counts()
    return tuple(
        Listed(entry.sha256, entry.name, entry.pages, counts.get(entry.sha256, 0), entry.state)
        for entry in store.documents()
    )


def to_text(found: Sequence[Listed]) -> str:
    """A line a document: the beginning of its hash, pages, sections, name."""
    lines = (
        f"{one.sha256[:SHORT]}  {'-' if one.pages is None else one.pages:>5}  {one.sections:>6}  {one.name}"
        for one in found
    )
    return "\n".join(lines) or "no documents"


def to_json(found: Sequence[Listed]) -> dict[str, object]:
    """The same as JSON."""
    return {
        "documents": [
            {
                "sha256": one.sha256,
                "name": one.name,
                "pages": one.pages,
                "sections": one.sections,
                "state": one.state,
            }
            for one in found
        ]
    }


def check(store: Store) -> str:
    """That the store is whole, in a line; StoreError where it is not."""
    problems = store.check()
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise StoreError(f"The store in {store.home} is not whole: {problems[0]}{more}")
    documents = len(store.documents())
    return f"whole, {documents} {'document' if documents == 1 else 'documents'}"


def reindex(store: Store) -> str:
    """Index all documents that have a section tree anew; how much is searched, in a line."""
    documents = Library(store).rebuild()
    sections = sum(Library(store).counts().values())
    return f"{documents} of {len(store.documents())} documents are searched, {sections} sections"
