"""Windows one by one: what each is handed, in sequence or ahead, and what becomes of lines that two of them read."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import statements, worker
from pipeline.engine import Excerpt, Found, RawRow, Summary, Wanted
from pipeline.local import LocalEngine
from pipeline.model import Cancelled, Reading, Row, State, Statement
from pipeline.profiles import Profile, ReadingProfile, StatementProfile, loads
from sample_docs.statement import StatementOptions, write


@pytest.fixture(scope="module")
def sample(samples: Path) -> Reading:
    return worker.read(samples / "statement.pdf", ReadingProfile())


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    folder = tmp_path_factory.mktemp("small")
    return worker.read(write(folder, StatementOptions(seed=9, pages=5, suppliers=3, name="s")).pdf, ReadingProfile())


def extract(reading: Reading, chunk: int, overlap: int, *, parallel: bool = False) -> Statement:
    part = StatementProfile(chunk_pages=chunk, overlap=overlap, state="parallel" if parallel else "sequential")
    return statements.extract(reading, Profile(statement=part), LocalEngine())


def without_windows(statement: Statement) -> list[Row]:
    return [replace(row, windows=()) for row in statement.rows]


@pytest.mark.parametrize(("chunk", "overlap", "parallel"), [(1, 0, True), (5, 4, False), (17, 1, True), (40, 4, False)])
def test_the_sample_has_the_same_rows_under_every_setting(
    samples: Path, sample: Reading, chunk: int, overlap: int, parallel: bool
) -> None:
    truth = json.loads((samples / "statement.truth.json").read_text())["rows"]
    found = extract(sample, chunk, overlap, parallel=parallel)
    assert [
        {"page": row.page, "values": {cell.column: cell.value for cell in row.cells}} for row in found.rows
    ] == truth
    assert found.reconciliation.action == "auto_import"


def test_windows_in_parallel_give_the_rows_of_those_in_sequence(small: Reading) -> None:
    one_shot = without_windows(extract(small, 5, 0))
    assert len(one_shot) > 80
    for chunk, overlap in ((1, 0), (2, 1), (3, 0), (3, 2), (4, 1), (5, 0)):
        found = extract(small, chunk, overlap, parallel=True)
        assert without_windows(found) == one_shot, (chunk, overlap)
        assert found.reconciliation.action == "auto_import"


def draw_with_one_header(path: Path) -> Reading:
    """Two rows on each of three pages, the titles on the first page and the total on the last one only."""
    canvas = Canvas(str(path), pagesize=(595, 842))
    titles = ("Invoice no.", "Date", "Description", "Amount EUR")
    lines = [
        ("A-1", "2025-07-01", "Saws", "10.00"),
        ("A-2", "2025-07-02", "Oil", "2.50"),
        ("A-3", "2025-07-03", "Nails", "1.25"),
    ]
    for page in range(3):
        printed = [
            *([titles] if page == 0 else []),
            lines[page],
            *([("", "", "Grand total", "13.75")] if page == 2 else []),
        ]
        for at, texts in enumerate(printed):
            for x, text in zip((40, 120, 190), texts, strict=False):
                canvas.drawString(x, 742 - 16 * at, text)
            canvas.drawRightString(555, 742 - 16 * at, texts[3])
        canvas.showPage()
    canvas.save()
    return worker.read(path, ReadingProfile())


@pytest.mark.parametrize("parallel", [False, True])
def test_pages_without_a_header_are_read_under_that_of_the_first(tmp_path: Path, parallel: bool) -> None:
    found = extract(draw_with_one_header(tmp_path / "once.pdf"), 1, 0, parallel=parallel)
    assert [row.value("amount") for row in found.rows] == ["10.00", "2.50", "1.25"]
    assert [window.state and window.state.columns for window in found.windows] == [
        (),
        ("Invoice no.", "Date", "Description", "Amount EUR"),
        ("Invoice no.", "Date", "Description", "Amount EUR"),
    ]


def test_each_window_says_what_it_was_handed(samples: Path, sample: Reading) -> None:
    totals = json.loads((samples / "statement.truth.json").read_text())["totals"]
    found = extract(sample, 5, 1)
    assert len(found.windows) == 10
    assert found.windows[0].state == State(0, "", None, (), "")
    assert found.windows[1].state == State(
        4,
        "Dunmarrow Logistics Sp. z o.o.",
        Decimal(totals["pages"]["4"]) - Decimal(totals["suppliers"]["Amberlow Office Ltd"]),
        ("Invoice no.", "Date", "Description", "Qty", "Unit price", "Amount EUR"),
        "9005670 · 01.07.2025 · Container drayage zone 4, per pallet · 5 · 296,54 · 1.482,70",
    )
    told = statements.to_json(found)["windows"][1]["state"]
    assert (told["page"], told["subtotal"]) == (4, "3412.42")


def test_what_is_known_ahead_is_supplier_and_columns(sample: Reading) -> None:
    state = extract(sample, 5, 1, parallel=True).windows[1].state
    assert state is not None
    assert (state.page, state.supplier, state.subtotal, state.last_row) == (
        4,
        "Dunmarrow Logistics Sp. z o.o.",
        None,
        "",
    )
    assert state.columns[-1] == "Amount EUR"


def test_parallel_windows_can_be_stopped(small: Reading) -> None:
    asked = iter([False, True])
    profile = Profile(statement=StatementProfile(chunk_pages=1, overlap=0, state="parallel"))
    with pytest.raises(Cancelled, match="pages 2 to 2"):
        statements.extract(small, profile, LocalEngine(), cancelled=lambda: next(asked))


def test_the_profile_has_a_setting_for_it() -> None:
    assert loads('[statement]\nstate = "parallel"').statement.state == "parallel"


@dataclass
class Misreading:
    """The local engine, with another last digit in the first row of page 3 from its second window on."""

    local: LocalEngine
    calls: int = 0
    name: str = "misreading"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        found = self.local.rows(excerpt, columns, summary)
        self.calls += 1
        at = next((at for at, one in enumerate(found.items) if isinstance(one, RawRow) and one.page == 3), None)
        if self.calls < 2 or at is None:
            return found
        row = found.items[at]
        assert isinstance(row, RawRow)
        quotes = tuple(
            replace(quote, text=quote.text[:-1] + "#") if quote.column == "quantity" else quote for quote in row.quotes
        )
        return replace(found, items=(*found.items[:at], replace(row, quotes=quotes), *found.items[at + 1 :]))

    find = None
    answer = None


def test_a_line_that_two_windows_read_differently_is_in_review(small: Reading) -> None:
    profile = Profile(statement=StatementProfile(chunk_pages=3, overlap=1))
    found = statements.extract(small, profile, Misreading(LocalEngine()))
    assert [row.page for row in found.rows if row.status == "review"] == [3]
    row = next(row for row in found.rows if row.status == "review")
    assert row.windows == (1, 2)
    assert [reason.split(" “")[0] for reason in row.reasons] == ["window 1 read quantity"]
    assert found.reconciliation.action == "human_review"
