"""What all tests share: where things lie, and that no test touches a person's data, key or network.

PAGEWITNESS_HOME points to a folder of this run before anything of ours is imported, also for what tests start;
the fixture `home` gives a test an empty one of its own.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pipeline.store import Store

ROOT = Path(__file__).resolve().parent.parent
RUN_HOME = tempfile.mkdtemp(prefix="pagewitness-tests-")

os.environ["PAGEWITNESS_HOME"] = RUN_HOME
for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
    os.environ.pop(name, None)


def pytest_unconfigure() -> None:
    shutil.rmtree(RUN_HOME, ignore_errors=True)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder for this test alone."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PAGEWITNESS_HOME", str(folder))
    return folder


@pytest.fixture
def empty(home: Path) -> Iterator[Store]:
    """An empty store, whose job process ends with the test."""
    from pipeline import jobs
    from pipeline.store import Store

    store = Store(home)
    yield store
    if process := jobs.process_id(store):
        os.kill(process, signal.SIGTERM)


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of the sample documents and their truth."""
    return ROOT / "sample_docs"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Real documents that lie beside the checkout, where there are any; they are never part of the project."""
    folder = ROOT.parent / "shared" / "real"
    if not folder.is_dir():
        pytest.skip("no folder ../shared/real with real documents beside this checkout")
    return folder
