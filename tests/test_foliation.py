"""The numbers that pages print of themselves: pages that are missing, or there twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline import worker
from pipeline.foliation import findings
from pipeline.local import LocalEngine
from pipeline.model import Finding
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from tests.drawn import HEADER, Line, item, pdf, total

SAW, GLUE = item("R-1", "Saw", "1", "20.00", "20.00"), item("R-2", "Glue", "1", "10.00", "10.00")


def _found(path: Path, feet: Sequence[str]) -> tuple[Finding, ...]:
    pages: list[list[Line]] = [[(100, [(40, "Text")]), (800, [(250, foot)])] for foot in feet]
    return findings(worker.read(pdf(path, pages), ReadingProfile()).pages)


@pytest.mark.parametrize(
    ("feet", "told"),
    [
        (("Page 1 of 3", "Page 2 of 3", "Page 3 of 3"), []),
        (("Page 1 of 3", "Page 3 of 3"), ["pages 1 and 2 count themselves 1 and 3: 1 page is missing between them"]),
        (
            ("Seite 1", "Seite 2", "Seite 5"),
            ["pages 2 and 3 count themselves 2 and 5: 2 pages are missing between them"],
        ),
        (("1 / 3", "2 / 3", "2 / 3", "3 / 3"), ["pages 2 and 3 count themselves 2 and 2: one page may be there twice"]),
        (("Strana 1 od 3", "Strana 2 od 3"), ["page 2 counts itself 2 of 3: 1 more should follow"]),
        (("Page 1 of 2", "", "Page 2 of 2"), []),
        (("Page 1 of 2", "Page 2 of 2", "Page 1 of 2", "Page 2 of 2"), []),
        (("Page 1 of 1", "Page 1 of 4", "Page 4 of 4"), []),
        (("Page 3", "Page 7"), []),
        (("112 / 2026", "721 / 2026"), []),
        (("", "3 / 40", "", "", "17 / 40"), []),
        (("1 / 3", "", "3 / 3", "3 / 3"), ["pages 3 and 4 count themselves 3 and 3: one page may be there twice"]),
        (("carried to page 2", "carried to page 5", "carried to page 9"), []),
        (("12", "14", "19"), []),
    ],
)
def test_pages_that_their_own_numbers_leave_out(tmp_path: Path, feet: tuple[str, ...], told: list[str]) -> None:
    assert [finding.message for finding in _found(tmp_path / "feet.pdf", feet)] == told


def test_a_statement_that_lacks_a_page_goes_to_a_person_though_its_sums_agree(tmp_path: Path) -> None:
    first: list[Line] = [(100, HEADER), (120, SAW), (800, [(250, "Page 1 of 3")])]
    last: list[Line] = [(100, HEADER), (120, GLUE), (140, total("Grand total", "30.00")), (800, [(250, "Page 3 of 3")])]
    reading = worker.read(pdf(tmp_path / "lacking.pdf", [first, last]), ReadingProfile())
    statement = extract(reading, Profile(), LocalEngine())
    assert statement.reconciliation.action == "human_review"
    assert [(finding.kind, finding.pages) for finding in statement.findings] == [("pages_missing", (2, 1))]


def test_a_sum_that_is_brought_forward_otherwise_than_it_was_carried_names_both_pages(tmp_path: Path) -> None:
    first: list[Line] = [(100, HEADER), (120, SAW), (140, total("Carried forward", "20.00"))]
    last: list[Line] = [
        (100, HEADER), (120, total("Brought forward", "25.00")), (140, GLUE), (160, total("Grand total", "35.00")),
    ]  # fmt: skip
    reading = worker.read(pdf(tmp_path / "broken.pdf", [first, last]), ReadingProfile())
    statement = extract(reading, Profile(), LocalEngine())
    [told] = [finding for finding in statement.findings if finding.kind == "carry_breaks"]
    assert told.pages == (2, 1)
    assert told.message.startswith("page 1 carries 20.00 forward, page 2 brings 25.00: rows between them may be")
