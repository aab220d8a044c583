"""The engines by their names, each made for one document and one run.

Comes in: a name, and what is to be read. A name may say the model (`claude/claude-opus-5-5`); else it is that of the
settings. Goes out: an `Engine`. Refuses, as UsageError, another name; as EngineError, Claude without a key. The modules
of Claude are imported for it only.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import worker
from pipeline.files import access, home
from pipeline.local import LocalEngine
from pipeline.model import UsageError

if TYPE_CHECKING:
    from pipeline.claude import Claude
    from pipeline.engine import Engine
    from pipeline.store import Store

NAMES = ("local", "claude")


@dataclass(frozen=True)
class About:
    """What an engine is asked about. path: the document's file, for pictures of its pages. store: keeps the journal of
    calls; None: the store of the data folder. stopped: whether to stop at once. key: for a session; never kept. model:
    another than that of the settings.
    """

    sha256: str = ""
    path: Path | None = None
    password: str = field(default="", repr=False)
    store: Store | None = None
    stopped: Callable[[], bool] | None = None
    key: str = field(default="", repr=False)
    model: str = ""


NOTHING = About()


def made(name: str, about: About = NOTHING) -> Engine:
    """The engine of that name."""
    kind, _, model = name.partition("/")
    match kind:
        case "local" if not model:
            return LocalEngine()
        case "claude":
            return claude(replace(about, model=model))
    raise UsageError(f"There is no engine named {name!r}. There are: {', '.join(NAMES)}.")


def claude(about: About = NOTHING) -> Claude:
    """Claude, by the settings of the data folder and the model that is named."""
    from pipeline import account
    from pipeline.caller import Caller
    from pipeline.claude import Claude
    from pipeline.store import Store

    store = about.store
    settings = account.load(store.home if store else home(), os.environ)
    if about.model:
        settings = replace(settings, model=about.model)
    key = account.key(settings, os.environ, about.key)
    caller = Caller(settings, key, store or Store(home()), about.sha256)
    if about.stopped:
        caller.stopped = about.stopped
    return Claude(caller, _pictures(about))


def result_name(name: str) -> str:
    """What a kept result is known by: results of other models, or other prompts, are other results."""
    kind, _, model = name.partition("/")
    if kind != "claude":
        return name
    from pipeline import account, prompts

    settings = account.load(home(), os.environ)
    return "/".join(filter(None, ("claude", model or settings.model, prompts.VERSION, settings.origin)))


def _pictures(about: About) -> Callable[[int, tuple[int, int]], bytes] | None:
    path = about.path
    if path is None:
        return None
    terms = access(about.store.home if about.store else home(), about.password)
    return lambda page, size: worker.picture(path, page, size, terms)
