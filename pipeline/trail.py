"""The audit of the review queue as a table: every decision that was ever made, in the order they were made.

Comes in: a `Store`. Goes out: CSV with who, when, what, before and after; no text in it starts a formula.
Refuses what the store refuses.
"""

from __future__ import annotations

from collections.abc import Iterator

from pipeline import decisions, export
from pipeline.decisions import Decision
from pipeline.store import Store

COLUMNS = (
    "when",
    "who",
    "action",
    "document",
    "kind",
    "field",
    "page",
    "before",
    "after",
    "sequence",
    "finding",
    "sha256",
)


def to_csv(store: Store, document: str = "") -> bytes:
    """All decisions, or those on documents whose id or name begins so."""
    return export.table_csv(COLUMNS, _lines(store, document))


def _lines(store: Store, document: str) -> Iterator[tuple[str, ...]]:
    names = {one.sha256: one.name for one in store.documents()}
    for made in decisions.every(store):
        name = names.get(made.mark.sha256, "")
        if made.mark.sha256.startswith(document) or name.startswith(document):
            yield _line(made, name)


def _line(made: Decision, name: str) -> tuple[str, ...]:
    after = " | ".join(decisions.words(part) for part in made.parts)
    page = str(made.mark.page or "")
    about = (made.mark.kind, made.mark.field, page, made.before, after)
    return (
        made.made.isoformat(),
        made.who,
        made.action,
        name,
        *about,
        str(made.sequence),
        made.mark.id,
        made.mark.sha256,
    )
