"""Faults of a simulated reader, each stopped on its page; the second try; what the pages' own words say."""

from __future__ import annotations

import pytest

from benchmarks.faults import Drawn, outcome, values
from pipeline import worker
from pipeline.faulty import KINDS, FaultKind, FaultyReader, Simulation
from pipeline.local import LocalEngine
from pipeline.model import Reading, Statement, UsageError
from pipeline.profiles import Profile, ReadingProfile
from pipeline.statements import extract, to_json
from sample_docs.statement import StatementOptions, write


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    files = write(tmp_path_factory.mktemp("drawn"), StatementOptions(seed=11, pages=6, suppliers=3, name="six"))
    reading = worker.read(files.pdf, ReadingProfile())
    return Drawn("six", reading, extract(reading, Profile(), LocalEngine()), right=True)


def _read(reading: Reading, simulation: Simulation) -> tuple[Statement, FaultyReader]:
    reader = FaultyReader(LocalEngine(), simulation)
    return extract(reading, Profile(), reader), reader


def test_without_faults_it_reads_as_the_engine_does(drawn: Drawn) -> None:
    statement, reader = _read(drawn.reading, Simulation(curve=(0.0,)))
    assert reader.injected == []
    assert statement == drawn.clean
    assert statement.reconciliation.action == "auto_import"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_fault_ends_in_review_and_names_its_page(drawn: Drawn, kind: FaultKind) -> None:
    assert [outcome(drawn, kind, seed)[0] for seed in (1, 2)] == ["alone"] * 2


def test_the_verdict_says_how_many_rows_are_missing_where_and_what_they_sum_to(drawn: Drawn) -> None:
    statement, reader = _read(drawn.reading, Simulation(("drop",), 5, pages=frozenset({4}), most=4))
    assert [fault.page for fault in reader.injected] == [4, 4, 4, 4]
    supplier = {row.value("supplier") for row in drawn.clean.rows if row.page == 4}
    lost = sum_of(drawn.clean, 4) - sum_of(statement, 4)
    assert len(supplier) == 1
    assert statement.findings[0].message.startswith(
        f"page 4, supplier {supplier.pop()}: 4 rows are missing, {lost / 100:.2f} EUR short; printed "
    )
    assert statement.findings[0].message.endswith("read in window 1")


def sum_of(statement: Statement, page: int) -> int:
    """The sum of a page's amounts, in cents."""
    return sum(int((row.value("amount") or "0").replace(".", "")) for row in statement.rows if row.page == page)


def test_a_supplier_of_another_heading_is_said_on_its_row(drawn: Drawn) -> None:
    statement, _ = _read(drawn.reading, Simulation(("supplier",), 5, pages=frozenset({4}), most=1))
    told = next(finding for finding in statement.findings if finding.kind == "row")
    assert told.message.startswith("page 4: the row was given the supplier “")
    assert "but it stands under the heading “" in told.message


def test_a_changed_word_is_held_against_the_page(drawn: Drawn) -> None:
    statement, reader = _read(drawn.reading, Simulation(("alter",), 3, pages=frozenset({2}), most=1))
    told = [reason for row in statement.rows for reason in row.reasons if "but the page has" in reason]
    assert len(told) == len(reader.injected) == 1
    assert statement.reconciliation.action == "human_review"


# ---- the second try


@pytest.mark.parametrize("kind", ["drop", "alter", "supplier", "shift"])
def test_a_second_try_that_closes_all_sums_is_kept_and_told(drawn: Drawn, kind: FaultKind) -> None:
    once = Simulation((kind,), 5, pages=frozenset({3}), most=1, stubborn=False)
    statement, reader = _read(drawn.reading, once)
    assert len(reader.injected) == 1
    assert values(statement) == values(drawn.clean)
    assert statement.reconciliation.action == "auto_import"
    assert [(one.window, one.first, one.last, one.kept) for one in statement.second_tries] == [(1, 3, 3, True)]
    assert statement.findings[-1].message.startswith(
        "page 3: read a second time (window 1), kept, since all sums agree"
    )


def test_what_came_and_went_by_a_second_try_is_in_the_json(drawn: Drawn) -> None:
    statement, _ = _read(drawn.reading, Simulation(("drop",), 5, pages=frozenset({3}), most=1, stubborn=False))
    [told] = to_json(statement)["second_tries"]
    assert (told["window"], told["first"], told["last"], told["kept"], told["removed"]) == (1, 3, 3, True, [])
    assert len(told["added"]) == 1
    assert "1 row came, 0 went" in statement.findings[-1].message


def test_a_second_try_that_errs_again_is_not_kept(drawn: Drawn) -> None:
    statement, _ = _read(drawn.reading, Simulation(("drop",), 5, pages=frozenset({3}), most=1))
    assert statement.reconciliation.action == "human_review"
    assert [one.kept for one in statement.second_tries] == [False]
    assert len(statement.rows) == len(drawn.clean.rows) - 1


# ---- the simulation itself


def test_it_says_that_it_is_a_simulation() -> None:
    assert FaultyReader(LocalEngine(), Simulation()).name == "simulation of faults over local"


def test_equal_seeds_give_equal_faults_and_other_seeds_others(drawn: Drawn) -> None:
    first, second, other = (_read(drawn.reading, Simulation(seed=seed))[1].injected for seed in (1, 1, 2))
    assert first == second != other
    assert first


def test_faults_follow_the_curve_over_the_position_in_the_call(drawn: Drawn) -> None:
    curve = (0.0, 0.0, 1.0, 0.0, 0.0)
    assert [Simulation(curve=curve).rate(at) for at in (0.0, 0.25, 0.375, 0.5, 1.0)] == [0.0, 0.0, 0.5, 1.0, 0.0]
    pages = {fault.page for fault in _read(drawn.reading, Simulation(("drop",), curve=curve))[1].injected}
    assert 3 in pages and 1 not in pages


@pytest.mark.parametrize("curve", [(), (0.1, 1.5), (-0.1,)])
def test_a_curve_that_is_none_is_refused(curve: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="rates from 0 to 1"):
        Simulation(curve=curve)
