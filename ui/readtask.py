"""Reading a document's rows, or the fields of its invoices, as tasks for Claude.

Comes in: a document, the settings. Goes out: a `Task`. Refuses nothing.
"""

from __future__ import annotations

from functools import partial

from pipeline import invoices, paid, run
from pipeline.claude import Claude
from pipeline.profiles import Profile
from pipeline.store import Entry, Key
from ui import engine, state
from ui.offers import Rehearsal, Task
from ui.paidruns import Progress, Work
from ui.picker import Parsed


def rows(entry: Entry, parsed: Parsed, profile: Profile) -> Task:
    """What reading the document's rows with these settings is."""
    key = run.result_key(profile, engine.chosen())
    work = partial(_rows, entry.sha256, profile, engine.chosen())
    return _task("rows", entry, key, work, partial(paid.read_windows, parsed.reading, profile.statement))


def fields(entry: Entry, profile: Profile) -> Task:
    """What reading the document's fields with these settings is."""
    key = run.fields_key(profile, engine.chosen())
    work = partial(_fields, entry.sha256, profile, engine.chosen())
    return _task("fields", entry, key, work, partial(_rehearsed_fields, entry.sha256, profile))


def _task(kind: str, entry: Entry, key: Key, work: Work, rehearsal: Rehearsal) -> Task:
    name = f"{kind} {state.the_store().home} {entry.sha256} {key.profile} {key.engine}"
    return Task(name, f"{engine.model(engine.chosen())} reads {entry.name}", entry.sha256, work, rehearsal)


def _rows(sha256: str, profile: Profile, by: str, reader: Claude, progress: Progress) -> object:
    return run.rows(reader.caller.store, sha256, profile, progress, reader.caller.stopped, by, reader)


def _fields(sha256: str, profile: Profile, by: str, reader: Claude, progress: Progress) -> object:
    return run.fields(reader.caller.store, sha256, profile, progress, reader.caller.stopped, by, reader)


def _rehearsed_fields(sha256: str, profile: Profile, reader: Claude) -> object:
    return invoices.extract(run.reading(reader.caller.store, sha256, profile), profile, reader)
