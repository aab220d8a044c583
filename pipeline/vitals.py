"""How an installation is: its disk, its store, its job process, its settings, and whether Claude would answer.

Comes in: the data folder, the environment. Goes out: `Sign`s for `pagewitness doctor` and the app's /health. Refuses
nothing: what is wrong is what is told. No key is printed, and nothing is sent anywhere unless it is asked for.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pipeline import __version__, account, jobs, limits
from pipeline.model import PipelineError, StoreError
from pipeline.readonly import Moved, Older, ReadOnlyStore

State = Literal["good", "note", "bad"]

LEAST_DISK = 200 * 1024**2  # a file of 200 MB must fit
SECONDS = 10.0
PROBLEMS = 3


@dataclass(frozen=True)
class Sign:
    """One thing looked at. detail: what was seen, and where it is not good what to do next."""

    name: str
    state: State
    detail: str


def examine(home: Path, environment: Mapping[str, str], online: bool = False) -> tuple[Sign, ...]:
    """All signs; online: the server of the model is asked whether it would answer, which sends it a word of ours."""
    return (
        *_disk(home),
        _told("store", lambda: _store(home, whole=True)),
        _told("jobs", lambda: _jobs(home)),
        _told("limits", lambda: _limits(home, environment)),
        _told("Claude", lambda: _claude(home, environment, online)),
        _told("Telegram", lambda: _telegram(home, environment)),
    )


def health(home: Path) -> tuple[bool, dict[str, Any]]:
    """Whether the app can work, and why not: within a few milliseconds, for whoever asks again and again."""
    signs = (*_disk(home), _told("store", lambda: _store(home, whole=False)))
    working = not any(sign.state == "bad" for sign in signs)
    return working, {
        "status": "ok" if working else "failing",
        "version": __version__,
        "signs": {sign.name: sign.detail if sign.state == "bad" else "ok" for sign in signs},
    }


def to_json(signs: tuple[Sign, ...]) -> list[dict[str, str]]:
    """The same for `doctor --json`."""
    return [asdict(sign) for sign in signs]


def to_text(signs: tuple[Sign, ...]) -> list[str]:
    """A line a sign."""
    marks: dict[State, str] = {"good": "", "note": "note: ", "bad": "WRONG: "}
    return [f"{sign.name}: {marks[sign.state]}{sign.detail}" for sign in signs]


def _told(name: str, look: Callable[[], tuple[State, str]]) -> Sign:
    try:
        return Sign(name, *look())
    except Older as error:  # whoever opens it to write brings it up
        return Sign(name, "note", str(error))
    except PipelineError as error:
        return Sign(name, "bad", str(error))


def _disk(home: Path) -> Iterator[Sign]:
    there = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if free < LEAST_DISK:
        yield Sign("disk", "bad", f"{free / 1e6:.0f} MB are free in {there}; make room, or set PAGEWITNESS_HOME")
    elif not os.access(there, os.W_OK | os.X_OK):
        yield Sign("disk", "bad", f"{there} cannot be written; set PAGEWITNESS_HOME to a folder that can")
    else:
        yield Sign("disk", "good", f"{free / 1e9:.1f} GB free in {there}")


def _store(home: Path, whole: bool) -> tuple[State, str]:
    store = ReadOnlyStore(home)
    if not store.there:
        return "good", "none yet; the first document makes one"
    try:
        with store.snapshot() as db:
            [documents] = db.execute("SELECT count(*) FROM documents").fetchone()
            problems = _problems(db) if whole else []
    except Moved:  # somebody is writing: it is alive
        return "good", "being written"
    if problems:
        raise StoreError(f"not whole ({'; '.join(problems)}); go back to a backup, or see: pagewitness store check")
    size = store.file.stat().st_size / 1e6
    return "good", f"{documents} {'document' if documents == 1 else 'documents'}, {size:.1f} MB"


def _problems(db: sqlite3.Connection) -> list[str]:
    lines = [str(row[0]) for row in db.execute(f"PRAGMA quick_check({PROBLEMS})")]
    return [line for line in lines if line != "ok"]


def _jobs(home: Path) -> tuple[State, str]:
    store = ReadOnlyStore(home)
    if not store.there:
        return "good", "none"
    try:
        live = [one for one in store.jobs() if one.live]
    except Moved:
        return "good", "being written"
    number = jobs.process_id(store)
    process = f"process {number}" if number else "no process (the app starts one)"
    if live and not number:
        return "note", f"{len(live)} wait, and no process does them; start the app: pagewitness app"
    return "good", f"{process}, {len(live)} under way or waiting"


def _limits(home: Path, environment: Mapping[str, str]) -> tuple[State, str]:
    found = limits.load(home, environment)
    return "good", (
        f"{found.memory_mb:,} MB and {found.total_seconds:,.0f} s a document, {found.page_seconds:g} s a page"
        f" ({found.ocr_seconds:g} s with OCR), {found.pages:,} pages, {found.file_mb:,} MB a file"
    )


def _claude(home: Path, environment: Mapping[str, str], online: bool) -> tuple[State, str]:
    settings = account.load(home, environment)
    origin = account.key_origin(environment)
    server = settings.origin or settings.server
    if settings.server == "anthropic" and not origin:
        return "good", f"no key, not used; set {account.KEY} where it should be"
    if not online:
        return "good", f"{settings.model} at {server}, key from {origin or 'the cloud'}; to try it: doctor --online"
    return "good", _reached(replace(settings, retries=0, seconds=SECONDS), home, environment, server)


def _reached(settings: account.Account, home: Path, environment: Mapping[str, str], server: str) -> str:
    """Ask the server to count the tokens of a word, which costs nothing; EngineError where it does not answer."""
    from pipeline.caller import Caller
    from pipeline.prompts import Prompt

    caller = Caller(settings, account.key(settings, environment), ReadOnlyStore(home))
    word = Prompt("doctor", "Count.", "", "Hello.", {"type": "object", "properties": {}}, 16)
    counted = caller.count(word, settings.model)
    does = "counts tokens" if counted is not None else "does not count tokens"
    return f"{settings.model} at {server} was reached, it {does}"


def _telegram(home: Path, environment: Mapping[str, str]) -> tuple[State, str]:
    from pipeline import telegram

    if not telegram.is_set(home, environment):
        return "good", f"no bot, not used; set {telegram.PREFIX}TOKEN where it should be"
    chosen = telegram.settings(home, environment)
    return "good", f"a bot for {len(chosen.chats)} {'chat' if len(chosen.chats) == 1 else 'chats'}"
