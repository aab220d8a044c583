"""All that a store holds, as plain files: to move elsewhere, to keep, or to leave.

Comes in: a `Store`, the documents meant, a folder that is not there yet. Goes out: a folder for each document with the
file as it came and JSON and CSV of what was made of it, and `index.csv` of them all. What an older version concluded is
exported as that version kept it. Refuses, as StoreError: a folder that is there, or that the disk refuses.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline import export, fieldstore, history, invoices, run, statements, trail, verifications, verify
from pipeline.model import StoreError
from pipeline.store import Entry, Store
from pipeline.worker import Progress

COLUMNS = ("folder", "name", "sha256", "bytes", "pages", "kind", "language", "added", "state", "error")


def write(store: Store, entries: Sequence[Entry], folder: Path, progress: Progress | None = None) -> Path:
    """Write the documents into the folder, whole or not at all. progress: documents done, in all."""
    if folder.exists():
        raise StoreError(f"{folder} is there already. Name a folder that is not.")
    partial = folder.with_name(f"{folder.name}.{secrets.token_hex(4)}.part")
    try:
        partial.mkdir(mode=0o700)
        for done, entry in enumerate(entries):
            if progress:
                progress(done, len(entries))
            _document(store, entry, partial / name(entry))
        (partial / "index.csv").write_bytes(export.table_csv(COLUMNS, map(_line, entries)))
        partial.replace(folder)
    except OSError as error:
        raise StoreError(
            f"{folder} was not written ({error.strerror or error}). Its parent folder must exist, be writable and have"
            " space for it."
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    if progress:
        progress(len(entries), len(entries))
    return folder


def name(entry: Entry) -> str:
    """The document's folder: the beginning of its hash alone, for a name that somebody chose is no path."""
    return entry.sha256[:16]


def _line(entry: Entry) -> tuple[str, ...]:
    pages = "" if entry.pages is None else str(entry.pages)
    about = (str(entry.size), pages, entry.kind or "", entry.language, entry.added.isoformat(), entry.state)
    return (name(entry), entry.name, entry.sha256, *about, entry.error)


def _document(store: Store, entry: Entry, folder: Path) -> None:
    folder.mkdir(mode=0o700)
    if store.has_file(entry.sha256):
        shutil.copyfile(store.path(entry.sha256), folder / "document.pdf")
    for file, content in _made(store, entry.sha256):
        (folder / file).write_bytes(json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    (folder / "decisions.csv").write_bytes(trail.to_csv(store, entry.sha256))


def _made(store: Store, sha256: str) -> Iterator[tuple[str, Any]]:
    """File names, and what goes into them as JSON; the newest result of each kind."""
    for parse in store.parses(sha256)[:1]:
        if (sections := store.parsed(parse.number)) is not None:
            yield "sections.json", {"profile": parse.key.profile, "sections": export.sections_list(sections)}
    for _, key in store.statements(sha256)[:1]:
        kept = run.reviewed(store, sha256, key)
        if statement := kept.statement if kept else store.statement(sha256, key):
            yield "rows.json", {"profile": key.profile, "engine": key.engine, **statements.to_json(statement)}
    for _, key in fieldstore.keys(store, sha256)[:1]:
        if found := run.judged_fields(store, sha256, key):
            yield "fields.json", {"profile": key.profile, **invoices.to_json(found[0].invoices, key.engine)}
    for past in verifications.history(store, sha256):
        if given := verifications.given(store, past.number):
            held = verifications.newest(store, past.number)
            told = verify.to_json(held) if held else None
            about = {"file": given.name, "supplied": past.supplied.isoformat(), "text": given.text, "verified": told}
            yield f"values-{past.number}.json", about
    if asked := history.of(store, sha256):
        yield "questions.json", [_question(one) for one in asked]
    if truth := store.truth(sha256):
        yield "truth.json", json.loads(truth)


def _question(one: history.Asked) -> dict[str, Any]:
    return {
        "question": one.question,
        "answer": one.answer,
        "section_id": one.section_id,
        "page": one.page,
        "status": one.status,
        "asked": one.asked.isoformat(),
    }
