"""The page Verify under AppTest: what is wrong and where, filters, review, the sample, bad files, nothing yet."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from pipeline import jobs, run, supplied, valuestore, verifications
from pipeline.model import Source
from pipeline.profiles import Profile
from pipeline.store import Store
from tests.test_invoices_page import begun, drawn, said, sent
from ui import verified
from ui.verified import Told

VALUES = b'{"invoice": {"no": "2025-1", "paid": true}, "totals": [{"net": 100.00, "total": 121.00}]}'
SCHEMA = b'{"type": "object", "properties": {"invoice": {"type": "object"}}}'


def kept(home: Path, folder: Path, values: bytes = VALUES) -> tuple[Store, str]:
    """A store with an invoice, and values of it that were verified; the total is wrong."""
    store = Store(home)
    sha256 = store.add_file(drawn(folder / "a.pdf"), "a.pdf").sha256
    run.ingest(store, sha256, Profile())
    verifications.supply(store, sha256, supplied.taken("a.json", values))
    run.verify_supplied(store, sha256, Profile())
    return store, sha256


def opened(sha256: str = "") -> AppTest:
    return begun("verify", sha256)


def nodes(app: AppTest) -> list[list[Any]]:
    """The lines of the tree: level, name, text, page."""
    return [node[1:5] for node in sent(app, "verify_tree")["nodes"]]


def test_values_stand_in_a_tree_and_on_the_page_and_the_doubtful_are_told_first(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    assert [(one.label, one.value) for one in app.metric][:4] == [
        ("Values", "4"), ("Confirmed", "50 %"), ("In review", "2"), ("Missing rows", "0"),
    ]  # fmt: skip
    assert nodes(app) == [
        [1, "invoice", "1 in review", 1], [2, "no", "2025-1", 1], [2, "paid", "true", 0],
        [1, "totals", "1 in review", 1], [2, "1", "1 in review", 1], [3, "net", "100.00", 1], [3, "total", "121.00", 1],
    ]  # fmt: skip
    boxes = {box["id"]: box for box in sent(app, "verify_picture")["boxes"]}
    assert boxes.keys() == {"0", "2", "3"}
    assert boxes["0"]["color"] != boxes["3"]["color"]
    assert (boxes["2"]["form"], boxes["3"]["form"]) == ("", "dashed")  # 120.00 stands in the place of 121.00
    assert "true and false are concluded, not printed" in said(app)
    shown = verified.kept(sha256, verifications.history(store, sha256)[0].number, Profile())
    assert shown is not None
    app.session_state["value_chosen"] = shown.lines[3].mark  # as a click on its box keeps it
    app.run()
    assert "it stands on no page" in said(app) and "**120.00**" in said(app)


def test_the_doubtful_alone_as_a_list_with_reasons(home: Path, tmp_path: Path) -> None:
    _, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    app.segmented_control(key="verify_which").set_value("In review")
    app.segmented_control(key="verify_form").set_value("List").run()
    rows = sent(app, "verify_list")["rows"]
    assert [(row["name"], row["title"]) for row in rows] == [("invoice.paid", "true"), ("totals[1].total", "121.00")]
    assert rows[1]["text"] == "it stands on no page; the page has “120.00” there"


def test_what_is_in_review_is_sent_there_once(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    next(one for one in app.button if one.label == "Send to review").click().run()
    assert not app.exception
    assert valuestore.names(store, sha256) == [(sha256, "a.json")]
    assert "Send to review" not in [one.label for one in app.button]
    app.switch_page("pages/review.py").run()
    assert not app.exception
    assert "it stands on no page" in "\n".join(one.value for one in app.text)


def test_files_are_dropped_together_or_after_each_other_and_bad_ones_cost_a_line(home: Path, tmp_path: Path) -> None:
    app = opened()
    assert "drop them with their document" in said(app)
    drop = app.file_uploader(key="supply_empty_0")
    drop.upload("a.json", VALUES, "application/json").run()
    assert "Drop the document too, or choose it first" in said(app)
    store, sha256 = kept(home, tmp_path)
    app = opened(sha256)
    for number, (name, content, wrong) in enumerate(
        [
            ("b.json", b"{'a'}", "b.json is no JSON"),
            ("b.json", b"[" * 70 + b"1" + b"]" * 70, "nested more than 64 deep"),
            ("b.csv", b"a;b\n", "b.csv has no row below its header"),
            ("b.json", SCHEMA, ""),
        ]
    ):
        app.file_uploader(key=f"supply_more_{number}").upload(name, content, "application/json").run()
        assert not app.exception
        assert wrong in said(app)
    assert [past.name for past in verifications.history(store, sha256)] == ["a.json", "a.json"]
    given = verifications.given(store, verifications.history(store, sha256)[0].number)
    assert given is not None and given.schema_name == "b.json"
    if process := jobs.process_id(store):
        os.kill(process, signal.SIGTERM)


def test_values_of_another_document_are_told(home: Path, tmp_path: Path) -> None:
    _, sha256 = kept(home, tmp_path, b'{"vessel": "MV Ostrog", "weight": 88123.5}')
    assert "None of these values is confirmed. Are they of this document?" in said(opened(sha256))


def told(path: tuple[str | int, ...], doubt: bool = False) -> Told:
    status: verified.Status = "review" if doubt else "confirmed"
    return Told(str(path), path, "x", status, "", "printed", Source((), "", "missing"))


def test_each_object_is_one_line_of_the_tree_and_missing_rows_stand_below_their_own() -> None:
    lines = (
        told(("a", 0, "b")), told(("a", 0, "c", "d"), doubt=True), told(("a", 1, "b")), told(("e",)),
        Told("m", (), "Row 9", "missing", "", "printed", Source((), "Row 9", "exact")),
    )  # fmt: skip
    found = verified.branched(lines, range(len(lines)))
    assert [(one.level, one.name, one.text) for one in found] == [
        (1, "a", "1 in review"), (2, "1", "1 in review"), (3, "b", "x"), (3, "c", "1 in review"), (4, "d", "x"),
        (2, "2", ""), (3, "b", "x"), (1, "e", "x"), (1, "Rows that the values lack", ""), (2, "", "Row 9"),
    ]  # fmt: skip
    assert len({one.key for one in found}) == len(found)
    assert len(verified.branched((told(()),), [0])) == 1
