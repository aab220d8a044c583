"""Documents against their truths, over the whole store: what is silent comes first, and a click leads to the place."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline import fieldtruth, run, scoreboard
from pipeline.fieldtruth import TruthField
from pipeline.profiles import Profile
from pipeline.store import Store
from tests.test_invoices_page import begun, kept, sent
from tests.test_statements import ITEMS, _draw, _item, _total

ROWS = (
    ("F1", "2025-02-03", "Bolts", "10.00"),
    ("F2", "2025-02-04", "Nuts", "20.00"),
    ("F3", "2025-02-17", "Cord", "7.00"),
)
COLUMNS = ("invoice_number", "date", "description", "amount")


def statement(store: Store, path: Path, total: str, last: str = "7.00") -> str:
    """A statement of three rows that prints this total; in its truth the last row has the amount `last`."""
    lines = [(100.0, ITEMS)]
    for at, (number, date, text, amount) in enumerate(ROWS):
        lines.append((120.0 + 14 * at, _item(number, f"{date[8:]}.{date[5:7]}.2025", text, amount.replace(".", ","))))
    lines.append((180.0, _total("Total", total)))
    sha256 = store.add_file(_draw(path, [lines]), path.name).sha256
    known = [*ROWS[:2], (*ROWS[2][:3], last)]
    truth = [{"page": 1, "values": dict(zip(COLUMNS, values, strict=True))} for values in known]
    store.save_truth(sha256, json.dumps({"rows": truth}))
    run.rows(store, sha256, Profile())
    return sha256


def test_what_was_imported_and_is_wrong_is_silent_and_comes_first(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    statement(store, tmp_path / "right.pdf", "37,00")
    held = statement(store, tmp_path / "held.pdf", "38,00", last="8.00")
    silent = statement(store, tmp_path / "silent.pdf", "37,00", last="8.00")
    found = {one.sha256: one for one in scoreboard.scored(store)}
    assert found[held].counts[2:] == (1, 0, 0)
    assert (found[held].right, found[held].silent, found[held].page) == (2, 0, 1)
    assert (found[silent].counts, found[silent].page) == ((2, 0, 0, 1, 0), 1)
    assert scoreboard.scored(store)[0].sha256 == silent


def test_fields_are_counted_by_what_became_of_them(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    truth = [
        TruthField(1, "gross_total", "120.00", "120.00", 1),
        TruthField(1, "invoice_number", "2025-1", "2025-1", 1),
        TruthField(1, "due_date", "01.02.2025", "2025-02-01", 1),
    ]
    store.save_truth(sha256, fieldtruth.to_json(truth))
    (one,) = scoreboard.scored(store)
    assert (one.kind, one.counts, one.page) == ("fields", (1, 0, 1, 0, 1), 1)
    wrong = [*truth[:1], TruthField(1, "invoice_number", "2025-7", "2025-7", 1)]
    store.save_truth(sha256, fieldtruth.to_json(wrong))
    assert scoreboard.scored(store)[0].silent == 1


def test_the_page_says_how_much_is_silent(home: Path, tmp_path: Path) -> None:
    store, sha256 = kept(home, tmp_path)
    app = begun("evaluate", "")
    assert "No document has both a result and a truth yet" in app.info[0].value
    assert "Nothing was measured yet" in app.info[1].value
    store.save_truth(sha256, fieldtruth.to_json([TruthField(1, "invoice_number", "2025-7", "2025-7", 1)]))
    app.run()
    assert [(one.label, one.value) for one in app.metric] == [
        ("Right", "0"), ("In review", "0"), ("Missing, and said so", "0"), ("Wrong and nobody told", "1"),
    ]  # fmt: skip
    (row,) = sent(app, "scored")["rows"]
    assert (row["badge"], row["text"]) == ("✗ 1 silent", "0 of 1 fields right, 0 in review")
