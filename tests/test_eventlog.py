"""The log: a line for each stage with document, page and time; forgotten with its document; never in the way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pipeline import eventlog, profiles, run
from pipeline.eventlog import Event
from pipeline.model import Cancelled, DocumentError
from pipeline.store import Store
from tests.draw import Put, pdf

ONE, OTHER = "a" * 64, "b" * 64


def lines(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "log.jsonl").read_text().splitlines()]


def test_each_stage_of_a_document_is_a_line(home: Path, tmp_path: Path, samples: Path) -> None:
    store, profile = Store(home), profiles.load("default")
    scan = store.add_file(samples / "invoices_scanned.pdf", "scan.pdf").sha256
    sheet = store.add_file(pdf(tmp_path / "a.pdf", [[Put(60, 80, "1 Sandwick", 16)], []]), "a.pdf").sha256
    run.parse(store, sheet, profile)
    run.rows(store, sheet, profile)
    run.rows(store, sheet, profile)  # from the store: nothing is done
    with pytest.raises(Cancelled):
        run.ingest(store, scan, profile, None, lambda: True)
    told = [(one["stage"], one["document"], one["outcome"], one["detail"]) for one in lines(home)]
    assert [one for one in told if one[0] != "page"] == [
        ("read", sheet[:16], "done", "2 pages"),
        ("sections", sheet[:16], "done", ""),
        ("rows", sheet[:16], "done", "0 rows, human_review"),
        ("read", scan[:16], "cancelled", ""),
    ]
    assert all(one["seconds"] >= 0 and one["time"].endswith("+00:00") for one in lines(home))
    store.delete(sheet)
    assert {one["document"] for one in lines(home)} == {scan[:16]}


def test_a_stage_that_fails_says_why(home: Path) -> None:
    store = Store(home)
    sha256 = store.add_file(Path(__file__), "no.pdf").sha256
    with pytest.raises(DocumentError) as caught:
        run.ingest(store, sha256, profiles.load("default"))
    [line] = lines(home)
    assert (line["outcome"], line["detail"]) == ("failed", str(caught.value))


def test_many_processes_write_whole_lines_and_forgetting_loses_no_other(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from pipeline import eventlog; from pipeline.eventlog import Event\n"
        "for page in range(150):\n"
        "    eventlog.note(Path(sys.argv[1]), Event('page', sys.argv[2], 0.1, page, detail='ж' * 50))"
    )
    others = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), letter * 64], cwd=Path(__file__).parent.parent)
        for letter in "cde"
    ]
    while any(one.poll() is None for one in others):
        eventlog.note(tmp_path, Event("page", ONE, 0.1))
        eventlog.forget(tmp_path, ONE)
    assert [one.returncode for one in others] == [0, 0, 0]
    assert sorted((one["document"][0], one["page"]) for one in lines(tmp_path)) == sorted(
        (letter, page) for letter in "cde" for page in range(150)
    )


def test_a_long_log_is_put_aside_and_forgotten_there_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eventlog, "LARGEST", 400)
    for number in range(5):
        eventlog.note(tmp_path, Event("page", OTHER if number % 2 else ONE, 0.1, number))
    aside = tmp_path / "log.jsonl.1"
    assert aside.stat().st_mode & 0o777 == 0o600
    assert OTHER[:16] in aside.read_text()
    eventlog.forget(tmp_path, OTHER)
    assert OTHER[:16] not in aside.read_text() + (tmp_path / "log.jsonl").read_text()
    assert ONE[:16] in aside.read_text()


def test_a_log_that_cannot_be_written_costs_no_work(tmp_path: Path) -> None:
    with eventlog.stage(tmp_path / "none", "rows", ONE):
        pass
    (tmp_path / "log.jsonl").mkdir()
    eventlog.note(tmp_path, Event("page", ONE, 0.1))
