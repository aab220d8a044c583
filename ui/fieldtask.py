"""The fields of a document's invoices, as a task for Claude.

Comes in: a document, the settings. Goes out: a `Task`. Refuses nothing.
"""

from __future__ import annotations

from functools import partial

from pipeline import invoices, run
from pipeline.claude import Claude
from pipeline.profiles import Profile
from pipeline.store import Entry
from ui import engine, state
from ui.offers import Task
from ui.paidruns import Progress


def task(entry: Entry, profile: Profile) -> Task:
    """What reading the document's fields with these settings is."""
    by = engine.chosen()
    key = run.fields_key(profile, by)
    return Task(
        f"fields {state.the_store().home} {entry.sha256} {key.profile} {key.engine}",
        f"{engine.model(by)} reads {entry.name}",
        entry.sha256,
        partial(_work, entry.sha256, profile, by),
        partial(_rehearsed, entry.sha256, profile),
    )


def _work(sha256: str, profile: Profile, by: str, reader: Claude, progress: Progress) -> object:
    return run.fields(reader.caller.store, sha256, profile, progress, reader.caller.stopped, by, reader)


def _rehearsed(sha256: str, profile: Profile, reader: Claude) -> object:
    return invoices.extract(run.reading(reader.caller.store, sha256, profile), profile, reader)
