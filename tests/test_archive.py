"""A store as plain files: everything of a document is there, and a second look at it needs no Pagewitness."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from pipeline import cli
from pipeline.store import Store
from tests.draw import Put, pdf
from tests.test_retention import filled


def test_each_document_is_a_folder_with_all_that_was_made_of_it(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(home)
    sha256 = filled(store, tmp_path)
    other = pdf(tmp_path / "other.pdf", [[Put(60, 80, "=1+1")]])
    store.add_file(other, "=1+1.pdf")
    to = tmp_path / "out"
    assert cli.main(["store", "export", str(to)]) == 0
    assert capsys.readouterr().out.strip() == str(to)
    lines = list(csv.DictReader((to / "index.csv").read_text("utf-8-sig").splitlines()))
    assert [line["name"] for line in lines] == ["'=1+1.pdf", "Ulmenried.pdf"]
    folder = to / lines[1]["folder"]
    assert (folder / "document.pdf").read_bytes() == store.path(sha256).read_bytes()
    assert [one["title"] for one in json.loads((folder / "sections.json").read_text())["sections"]][-1] == (
        "Quartzfell Scope"
    )
    assert json.loads((folder / "rows.json").read_text())["reconciliation"]["action"] == "human_review"
    assert json.loads((folder / "fields.json").read_text())["engine"] == "local"
    [values] = folder.glob("values-*.json")
    assert json.loads(values.read_text())["verified"]["values"][0]["value"] == "Mirkovac"
    assert json.loads((folder / "questions.json").read_text())[0]["answer"] == "Mirkovac"
    assert json.loads((folder / "truth.json").read_text()) == {"rows": "Quartzfell"}
    [decision] = csv.DictReader((folder / "decisions.csv").read_text("utf-8-sig").splitlines())
    assert (decision["who"], decision["before"], decision["after"]) == ("Ana", "Quartzfell", "a Mirkovac")
    assert sorted(path.name for path in (to / lines[0]["folder"]).iterdir()) == ["decisions.csv", "document.pdf"]


def test_a_folder_that_is_there_or_cannot_be_made_is_refused_and_nothing_is_left(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(home)
    store.add_file(pdf(tmp_path / "a.pdf", [[Put(60, 80, "Sheet")]]), "a.pdf")
    assert cli.main(["store", "export", str(tmp_path)]) == 5
    assert "is there already" in capsys.readouterr().err
    assert cli.main(["store", "export", str(tmp_path / "no" / "out")]) == 5
    assert "Its parent folder must exist" in capsys.readouterr().err
    assert cli.main(["store", "export", str(tmp_path / "out"), "b.pdf"]) == 2
    assert "No document of the store is called 'b.pdf'" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.part"))
