"""The page Queue, and whose documents a visitor sees."""

from __future__ import annotations

import io
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pipeline import jobs, run
from pipeline.store import JobOptions, Store
from ui import visitor

APP = str(Path(__file__).resolve().parent.parent / "app.py")


@pytest.fixture
def store(empty: Store) -> Store:
    return empty


def page() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=30)
    app.run()
    return app.switch_page("pages/queue.py").run()


def test_the_queue_tells_what_waits_and_what_failed_and_cancels_and_does_again(store: Store) -> None:
    app = page()
    assert "Nothing waits" in app.info[0].value and "everybody who can open this app shares" in app.caption[0].value
    bad = store.add_file(io.BytesIO(b"Dear Sir"), "letter.pdf").sha256
    job = jobs.submit(store, "ingest", bad, JobOptions())
    assert store.claim_job() == store.job(job.id)
    store.finish_job(job.id, "failed", "The file is not a PDF.")
    waiting = jobs.submit(store, "rows", store.add_file(run.sample_path("agreement.pdf"), "a.pdf").sha256, JobOptions())
    app = page()
    told = [one.value for one in app.markdown]
    assert "0 running · 1 waiting · 0 done · 1 failed" in told and not app.exception
    assert any("The file is not a PDF" in text.replace("\\", "") for text in told)
    app.button(key=f"queue_cancel_{waiting.id}").click().run()
    found = store.job(waiting.id)
    assert found and found.state == "cancelled"
    app.button(key=f"queue_retry_{job.id}").click().run()
    assert [one.kind for one in store.jobs(bad)] == ["ingest", "ingest"]
    while any(one.live for one in store.jobs(bad)):
        time.sleep(0.05)


def test_where_sign_in_is_on_a_stranger_sees_nothing_and_people_have_folders_of_their_own(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add_file(run.sample_path("agreement.pdf"), "secret.pdf")
    app = AppTest.from_file(APP, default_timeout=30)
    app.secrets["auth"] = {"cookie_secret": "x"}
    app.run()
    assert [button.label for button in app.button] == ["Sign in"] and not app.exception
    assert "secret" not in str([one.value for one in app.markdown])
    folders = []
    monkeypatch.setattr(visitor, "signs_in", lambda: True)
    for who in ("1", "2", "1"):
        monkeypatch.setattr("streamlit.user", {"is_logged_in": True, "iss": "https://id.example", "sub": who})
        folders.append(visitor.folder(store.home))
    first, second, again = folders
    assert first == again != second and first.parent == second.parent == store.home / "people"
    assert Store(second).documents() == []
    assert visitor.named(store.home, first.name) == first
    for name in ("", "../..", "0" * 32):
        assert visitor.named(store.home, name) is None
