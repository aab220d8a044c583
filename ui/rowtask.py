"""The rows of a statement, as a task for Claude.

Comes in: a document, its reading, the settings. Goes out: a `Task`. Refuses nothing.
"""

from __future__ import annotations

from functools import partial

from pipeline import passes, run, statements
from pipeline.claude import Claude
from pipeline.model import Reading
from pipeline.profiles import Profile
from pipeline.store import Entry
from ui import engine, state
from ui.offers import Task
from ui.paidruns import Progress
from ui.picker import Parsed


def task(entry: Entry, parsed: Parsed, profile: Profile) -> Task:
    """What reading the document with these settings is."""
    by = engine.chosen()
    key = run.result_key(profile, by)
    return Task(
        f"rows {state.the_store().home} {entry.sha256} {key.profile} {key.engine}",
        f"{engine.model(by)} reads {entry.name}",
        entry.sha256,
        partial(_work, entry.sha256, profile, by),
        partial(_rehearsed, parsed.reading, profile),
    )


def _work(sha256: str, profile: Profile, by: str, reader: Claude, progress: Progress) -> object:
    return run.rows(reader.caller.store, sha256, profile, progress, reader.caller.stopped, by, reader)


def _rehearsed(reading: Reading, profile: Profile, reader: Claude) -> object:
    part = profile.statement
    cut = statements.windows(len(reading.pages), part.chunk_pages, part.overlap)
    return list(passes.read(reading, cut, part, reader))
