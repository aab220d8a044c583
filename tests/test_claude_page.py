"""Claude in the app, over HTTP to a server on loopback: the choice, the key, the offer, a run, its faults, its end."""

from __future__ import annotations

import io
import logging
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pipeline import engines, run
from pipeline.claude import Claude
from pipeline.profiles import Profile, StatementProfile
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write
from tests import claude_server
from tests.claude_server import KEY, Asked, Server
from tests.test_invoices_page import begun, said
from ui import paidruns
from ui.paidruns import Progress, Run

WRONG = "sk-ant-wrong-9876543210"
WINDOWS = Profile(statement=StatementProfile(chunk_pages=1, overlap=0))


def reply(asked: Asked) -> dict[str, Any]:
    """Rows as they are printed; a first section for whatever else is asked."""
    wanted = asked.body["output_config"]["format"]["schema"]["properties"]
    if "pages" in wanted:
        return claude_server.read_rows(asked)
    return {name: [] for name in wanted}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that the app reaches without a key of the environment."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_RETRIES", "0")
    with claude_server.serving(reply) as started:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", started.url)
        yield started


@pytest.fixture
def document(home: Path, tmp_path: Path) -> str:
    """A statement of three pages, read, whose rows the rules on this machine extracted."""
    store = Store(home)
    options = StatementOptions(seed=4, pages=3, suppliers=3, name="three")
    sha256 = store.add_file(write(tmp_path / "three", options).pdf, "three.pdf").sha256
    run.rows(store, sha256, WINDOWS)
    return sha256


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """All that is logged, from the lowest level on."""
    text, root = io.StringIO(), logging.getLogger()
    handler, level = logging.StreamHandler(text), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield text
    root.setLevel(level)
    root.removeHandler(handler)


def typed(app: AppTest, key: str) -> None:
    next(box for box in app.text_input if box.label == "Key for this session").set_value(key).run()


def ended(app: AppTest) -> AppTest:
    """The page after the runs that are live."""
    assert all(one.ended.wait(20) for one in paidruns._runs.values())
    return app.run()


def test_a_statement_is_read_by_claude_after_its_price_was_confirmed(
    server: Server, home: Path, document: str, logged: io.StringIO
) -> None:
    app = begun("statements", document)
    app.number_input(key="chunk").set_value(1)
    app.number_input(key="overlap").set_value(0).run()
    rows = len(app.dataframe)
    assert not app.warning or "key" not in app.warning[0].value
    app.selectbox(key="engine_box").set_value("claude").run()
    assert app.query_params["engine"] == "claude"
    assert "No rows were extracted with these settings yet" in said(app)  # the rules' rows are not Claude's
    typed(app, WRONG)
    assert app.text_input(key="claude_key_1").value == ""
    app.button[[one.label for one in app.button].index("Extract rows")].click().run()
    told = said(app)
    assert "3 calls" in told and "(estimated)" in told and "This leaves your machine" in told
    assert not server.asked and not server.counted  # nothing left it until now
    app.button(key="confirm").click().run()
    assert "refused the key (401)" in said(ended(app))
    typed(app, KEY)
    server.faults = lambda number, asked: "529" if number == 1 else None
    for button in ("Extract rows", "Count exactly", "Send it to Claude"):
        app.button[[one.label for one in app.button].index(button)].click().run()
    assert len(server.counted) == 3
    assert "busy or broken (529" in said(ended(app))
    for button in ("Extract rows", "Send it to Claude"):
        app.button[[one.label for one in app.button].index(button)].click().run()
    app = ended(app)
    assert "busy" not in said(app) and len(app.dataframe) >= rows
    assert server.answered == 3  # the page that was answered before the fault is not paid for again
    store = Store(home)
    engines_kept = [key.engine.partition("/")[0] for _, key in store.statements(document)]
    assert sorted(engines_kept) == ["claude", "local"]
    app.switch_page("pages/ask.py").run()
    assert app.selectbox(key="engine_box").value == "claude"
    app.text_input(key="claude_run_dollars").set_value("x").run()
    assert app.text_input(key="claude_day_dollars").value == "25"
    app.button(key="set_limits").click().run()
    assert "is no amount in dollars" in said(app)
    app.text_input(key="claude_run_dollars").set_value("0.25").run()
    app.button(key="set_limits").click().run()
    assert "run_dollars = 0.25" in (home / "settings.toml").read_text(encoding="utf-8")
    held = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    texts = logged.getvalue() + said(app) + repr(app.query_params) + repr(app.session_state)
    for key in (KEY, WRONG):
        assert key.encode() not in held and key not in texts


def test_a_question_is_offered_answered_and_known_afterwards(server: Server, home: Path, document: str) -> None:
    run.parse(Store(home), document, Profile())
    app = begun("ask", document)
    app.selectbox(key="engine_box").set_value("claude/claude-opus-5-5").run()
    typed(app, KEY)
    app.text_input(key="question_box").set_value("Who is the supplier?").run()
    assert "claude-opus-5-5: at most" in said(app) and not server.asked
    app.button(key="decline").click().run()
    assert "at most" not in said(app)
    app.button(key="ask_claude").click().run()
    app.button(key="confirm").click().run()
    told = said(ended(app))
    assert "Not in this document" in told and server.asked
    assert {one.body["model"] for one in server.asked} == {"claude-opus-5-5"}
    asked = len(server.asked)
    app.text_input(key="question_box").set_value("Who is the supplier?").run()
    assert "Not in this document" in said(app) and len(server.asked) == asked


def test_two_sessions_with_two_keys_do_not_mix_and_a_cancelled_run_goes_on_where_it_was(
    server: Server, home: Path, document: str
) -> None:
    """Two runs at once, one with a wrong key; then a third, stopped in its second call, and the same once more."""
    store = Store(home)

    def begin(task: str, key: str) -> Run:
        engine = engines.claude(replace(run.about(store, document), key=key))
        return paidruns.begin(task, engine, lambda reader, step: work(reader, step))

    def work(reader: Claude, step: Progress) -> object:
        return run.rows(store, document, WINDOWS, step, reader.caller.stopped, "claude", reader)

    server.delay = 0.3
    wrong, right = begin("a", WRONG), begin("b", KEY)
    assert begin("b", WRONG) is right  # whoever asks for it once more, it is the same run
    assert wrong.ended.wait(20)
    assert "refused the key" in wrong.error and right.error == ""
    while len(server.asked) < 2:
        time.sleep(0.01)
    right.stopped.set()
    assert not right.live
    assert right.ended.wait(20) and right.error == ""
    assert len(server.asked) == 2 and len(store.statements(document)) == 1
    again = begin("b", KEY)
    assert again is not right and again.ended.wait(20) and again.error == ""
    assert len(server.asked) == 4  # of three windows one was answered, one was hung up on
    assert len(store.statements(document)) == 2
