"""The notebooks run from the first cell to the last, and are kept without what they print."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(path.name for path in FOLDER.glob("*.ipynb"))


def test_there_is_one() -> None:
    assert "tune_a_template.ipynb" in NOTEBOOKS


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
