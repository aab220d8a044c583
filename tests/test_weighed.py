"""What the page Structure says of tokens, dollars, references and terms."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import run
from pipeline.profiles import Profile
from pipeline.store import Store
from tests.test_pages import at, sha_of, texts


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in which the agreement was read."""
    monkeypatch.setenv("PAGEWITNESS_HOME", str(tmp_path))
    store = Store(tmp_path)
    for stored in run.add_samples(store):
        if stored.name == "agreement.pdf":
            run.ingest(store, stored.sha256, Profile())
    return store


def test_boxes_are_filled_where_they_are_open(store: Store) -> None:
    app = at("pages/structure.py", doc=sha_of(store, "agreement.pdf"))
    assert "anchored HTML" not in texts(app)
    app.session_state["model_box"] = True
    app.session_state["leads_box"] = True
    app.run()
    assert "| anchored HTML | " in texts(app)
    assert "by the price list of" in texts(app)
    assert "0 to parts that it does not have" in texts(app)
    chunks = next(line for line in texts(app).splitlines() if "chunks of complete clauses" in line)
    app.slider(key="chunk_tokens").set_value(200).run()
    assert chunks not in texts(app)
