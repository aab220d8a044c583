"""The notebooks run from the first cell to the last, and are kept without what they print."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbclient import NotebookClient

from pipeline import files, notebook, outline
from pipeline.citations import Cited, Verdict
from pipeline.model import UsageError
from pipeline.profiles import Profile
from tests.draw import Put, pdf

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def test_there_is_one_for_each_question() -> None:
    assert NOTEBOOKS == [
        "evaluate_your_own.ipynb",
        "reconcile_statement.ipynb",
        "tune_a_template.ipynb",
        "two_witnesses.ipynb",
        "verify_citations.ipynb",
    ]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_outputs_are_stripped(name: str) -> None:
    cells = [cell for cell in nbformat.read(FOLDER / name, as_version=4).cells if cell.cell_type == "code"]
    assert cells
    assert [(cell.outputs, cell.execution_count) for cell in cells] == [([], None)] * len(cells)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_runs(name: str, tmp_path: Path) -> None:
    notebook = nbformat.read(FOLDER / name, as_version=4)
    NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    printed = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output for output in printed if output.get("name") == "stderr"] == []
    assert len(printed) >= 3


def test_debug_shows_what_a_stage_saw_on_the_page_with_its_boxes(tmp_path: Path) -> None:
    text = [Put(72, 130 + 14 * line, "Some text.") for line in range(9)]
    path = pdf(tmp_path / "a.pdf", [text, [Put(72, 90, "1 Scope", 18), *text]])
    reading = files.read(path, Profile())
    built = outline.build(outline.features(reading), Profile().outline)
    drawn = BeautifulSoup(notebook.debug(path, reading, built)._repr_html_(), "html.parser")
    assert drawn.img and drawn.img["alt"] == "Page 2"
    assert [one.get_text() for one in drawn.select("rect title")] == ["level 1: 1 Scope"]
    words = BeautifulSoup(notebook.debug(path, reading, reading, 2)._repr_html_(), "html.parser")
    assert len(words.select("rect")) == 20
    with pytest.raises(UsageError, match="There is no page 3: pages count from 1 to 2"):
        notebook.page(path, reading, 3)
    with pytest.raises(UsageError, match="Nothing of this int has a place on a page"):
        notebook.debug(path, reading, 7)


def test_what_is_shown_is_text() -> None:
    hostile = "<script>alert(1)</script>"
    shown = notebook.verdicts([Verdict(Cited(hostile, hostile), "invented", hostile)])._repr_html_()
    assert "<script" not in shown
    assert BeautifulSoup(shown, "html.parser").get_text().count(hostile) == 3
