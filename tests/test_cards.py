"""Statements without column titles: cards, and lines below the date of their day."""

from __future__ import annotations

from pathlib import Path

from pipeline import worker
from pipeline.local import LocalEngine
from pipeline.model import Statement
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract
from tests.drawn import Line, pdf


def _extract(path: Path, *pages: list[Line]) -> Statement:
    return extract(worker.read(pdf(path, pages), ReadingProfile()), Profile(), LocalEngine())


def _read(statement: Statement) -> list[tuple[str | None, ...]]:
    return [tuple(row.value(column) for column in ("date", "description", "amount")) for row in statement.rows]


def _card(top: float, day: str, words: str, amount: str) -> list[Line]:
    lines = [day, words, amount, f"Transaction ID: {int(top)}"]
    return [(top + 12 * at, [(57, text)]) for at, text in enumerate(lines) if text]


def test_each_card_is_a_row_also_the_one_that_a_pages_end_breaks(tmp_path: Path) -> None:
    first: list[Line] = [
        (40, [(57, "Transaction history for 1 Jan 2026 to 31 Jan 2026")]),
        *_card(100, "5 Jan 2026, 3:22 PM", "Paid to Norvik Shop", "€305.49"),
        *_card(180, "7 Jan 2026, 6:34 PM", "Received from Orbelli", "€1,207.84"),
        (780, [(57, "8 Jan 2026, 8:13 AM")]),
    ]
    second: list[Line] = [(60, [(57, "Paid to Havelmark")]), (72, [(57, "€3.10")])]
    assert _read(_extract(tmp_path / "cards.pdf", first[:-1])) == []  # of two dates nothing shows a habit
    more = [*first[:-1], *_card(260, "7 Jan 2026, 7:00 PM", "Paid to Brezovik", "€1.00"), first[-1]]
    assert _read(_extract(tmp_path / "more.pdf", more, second)) == [
        ("2026-01-05", "Paid to Norvik Shop Transaction ID: 100", "305.49"),
        ("2026-01-07", "Received from Orbelli Transaction ID: 180", "1207.84"),
        ("2026-01-07", "Paid to Brezovik Transaction ID: 260", "1.00"),
        ("2026-01-08", "Paid to Havelmark", "3.10"),
    ]


def test_lines_below_the_date_of_their_day_are_rows_that_their_total_proves(tmp_path: Path) -> None:
    lines: list[Line] = []
    for at, day in enumerate(("Monday, 5 January 2026", "Tuesday, 6 January 2026", "Friday, 9 January 2026")):
        top = 100 + 80 * at
        lines += [
            (top, [(40, day)]),
            (top + 15, ((40, "Bakery"), (-555, "-4.20"))),
            (top + 27, [(40, "card 118")]),
            (top + 42, ((40, "Salary"), (-555, "10.00"))),
        ]
    statement = _extract(tmp_path / "days.pdf", [*lines, (360, ((40, "Total"), (-555, "17.40")))])
    assert _read(statement)[:3] == [
        ("2026-01-05", "Bakery card 118", "-4.20"),
        ("2026-01-05", "Salary", "10.00"),
        ("2026-01-06", "Bakery card 118", "-4.20"),
    ]
    assert len(statement.rows) == 6
    assert statement.reconciliation.action == "auto_import"


def test_a_day_goes_on_at_the_next_pages_top_below_its_head(tmp_path: Path) -> None:
    first: list[Line] = []
    for at, day in enumerate(("5 January 2026", "6 January 2026", "9 January 2026")):
        first += [(100 + 60 * at, [(40, day)]), (115 + 60 * at, ((40, "Bakery"), (-555, "4.20")))]
    second: list[Line] = [(40, [(40, "Payments of Norvik Ltd")]), (80, ((40, "Rent"), (-555, "1.05")))]
    total: Line = (110, ((40, "Total"), (-555, "13.65")))
    statement = _extract(tmp_path / "on.pdf", first, [*second, total])
    assert _read(statement)[-1] == ("2026-01-09", "Rent", "1.05")
    assert statement.reconciliation.action == "auto_import"
    close = _extract(tmp_path / "close.pdf", first, [second[1], (68, [(40, "of the flat")]), total])
    assert close.rows[-1].reasons == ("“of the flat” stands above it and was not taken for a part of it",)


def test_a_total_below_the_last_card_leaves_it_whole(tmp_path: Path) -> None:
    lines: list[Line] = []
    for at in range(3):
        lines += _card(100 + 80 * at, f"{at + 1} Jan 2026", "Paid to Norvik Shop", "€8.05")
    statement = _extract(tmp_path / "whole.pdf", [*lines, (316, ((57, "Total"), (300, "€24.15")))])
    assert _read(statement)[-1] == ("2026-01-03", "Paid to Norvik Shop Transaction ID: 260", "8.05")
    assert statement.reconciliation.action == "auto_import"
