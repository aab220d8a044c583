"""The calls journal in the app: what was asked of Claude about a document, and what it cost."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from streamlit.testing.v1 import AppTest

from pipeline import journal, run
from pipeline.journal import Call, Outcome
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.tokens import Usage
from tests.draw import pdf

APP = str(Path(__file__).resolve().parent.parent / "app.py")


def shown(sha256: str, page: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    app.query_params["doc"] = sha256
    app = app.run().switch_page(f"pages/{page}.py").run()
    assert not app.exception
    return app


def calls(app: AppTest) -> list[str]:
    return [one.label for one in app.expander if "to Claude" in one.label]


def test_the_calls_about_a_document_are_listed_with_their_cost(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    stored = store.add_file(pdf(tmp_path / "a.pdf", [[]]), "a.pdf")
    run.ingest(store, stored.sha256, Profile())
    for page in ("statements", "invoices", "ask", "structure"):
        assert calls(shown(stored.sha256, page)) == []
    for name, sha256 in (("1", stored.sha256), ("2", stored.sha256), ("3", "e" * 64)):
        call = Call(name, "rows", sha256, "run", "claude-sonnet-5-5", "1")
        number = journal.begin(store, call, Decimal(1), lambda spent: None)
        outcome = Outcome(Usage(1200, 300, 0, 0), Decimal("0.0081"), 2.0)
        if name == "2":
            journal.failed(store, number, "The server is busy.", outcome)
        else:
            journal.answered(store, number, "{}", outcome)
    for page in ("statements", "invoices", "ask"):
        app = shown(stored.sha256, page)
        assert calls(app) == ["2 calls to Claude: \\$0.0162"]
        table = next(one.value for one in app.dataframe if "Became" in one.value)
        assert list(table["Became"]) == ["The server is busy.", "answered"]
        assert list(table["Tokens in"]) == [1200, 1200]
        assert list(table["US$"]) == ["0.0081", "0.0081"]
