"""The data folder of this machine, and files read by themselves, without a store.

Comes in: a path, a `Profile`. Goes out: a `Reading`, under the limits that hold here. Refuses what the worker refuses.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from pipeline import limits, worker
from pipeline.model import Page, Reading
from pipeline.profiles import Profile
from pipeline.worker import Progress

Seen = Callable[[Page], None]


def home() -> Path:
    """The data folder: PAGEWITNESS_HOME, else the platform's (XDG_DATA_HOME is respected)."""
    if chosen := os.environ.get("PAGEWITNESS_HOME"):
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_dir

    return Path(user_data_dir("pagewitness", appauthor=False))


def read(
    path: Path, profile: Profile, progress: Progress | None = None, password: str = "", seen: Seen | None = None
) -> Reading:
    """What a file holds; `seen` gets each page while the next one is read."""
    return worker.read(path, profile.reading, progress, access(home(), password), seen)


def access(folder: Path, password: str) -> worker.Access:
    """What a document may cost by the settings in the data folder, and its password."""
    return worker.Access(limits.load(folder, os.environ), password)
