"""The tour: each fault that the simulation makes is caught, nothing that is right is held back, and both are shown."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from pipeline import files, outline, run, tour, worker
from pipeline.model import Outline, Reading
from pipeline.profiles import Profile
from pipeline.store import Store
from pipeline.tour import Stop
from tests.test_invoices_page import begun
from tests.test_statements import ITEMS, _draw


def read(path: Path) -> tuple[Reading, Outline]:
    reading = files.read(path, Profile())
    return reading, outline.build(outline.features(reading), Profile().outline)


def counts(stop: Stop) -> tuple[int, int, int, int]:
    return len(stop.claims), stop.faults, stop.caught, stop.alarms


def test_products_in_the_section_of_others_are_caught(samples: Path) -> None:
    stop = tour.catalogue(*read(samples / "catalogue.pdf"))
    assert counts(stop) == (6, 2, 2, 0)
    wrong = stop.claims[1]
    assert wrong.said == "H-126 is in 1.2.1 Combination Pliers"
    assert wrong.why == "not in section-1-2-1; it stands in section-1-1-2"
    assert wrong.right == "Hand Tools › Screwdrivers"
    assert wrong.place and wrong.place.page == 3


def test_clauses_reworded_misnumbered_and_forgotten_are_caught(samples: Path) -> None:
    stop = tour.agreement(*read(samples / "agreement.pdf"))
    assert counts(stop) == (6, 3, 3, 0)
    assert [claim.right.split()[0] for claim in stop.claims] == ["4.2", "4.5", "9.1", "9.2", "9.4", "B-3"]
    assert stop.claims[3].why == "not in section-4-2; it stands in section-9-2"
    assert stop.claims[5].place and stop.claims[5].place.page == 51


def test_misread_figures_of_a_scan_are_caught(samples: Path, tmp_path: Path) -> None:
    with pikepdf.open(samples / "invoices_scanned.pdf") as whole:
        del whole.pages[1:]
        whole.save(tmp_path / "first.pdf")
    reading = files.read(tmp_path / "first.pdf", Profile())
    stop = tour.invoice(reading, worker.leaves(tmp_path / "first.pdf"))
    wrong = {claim.said: claim.right for claim in stop.claims if claim.doubted}
    assert wrong == {"tax total 29925.88": "29.925,80", "due date 2025-09-08": "03.09.2025."}
    assert counts(stop)[1:] == (2, 2, 0)


def test_rows_left_out_are_missed_on_their_page(samples: Path) -> None:
    stop = tour.statement(files.read(samples / "statement.pdf", Profile()))
    assert counts(stop) == (5, 4, 4, 0)
    assert {claim.place.page for claim in stop.claims if claim.place} == {21}
    assert stop.claims[0].why.startswith("page 21, supplier Ferrengate Metals B.V.: 4 rows are missing")
    assert stop.result == "Read with care: 1132 rows, 5,366,159.82 EUR printed and computed, auto_import."


def test_a_fault_that_nothing_doubts_is_called_silent() -> None:
    claim = tour.Claim("amount 1", "a figure is misread", False, "", "7", None)
    assert claim.silent
    assert Stop((claim,), "").caught == 0


def test_the_page_says_that_the_reader_is_a_simulation_and_draws_a_stop(home: Path) -> None:
    store = Store(home)
    run.reading(store, run.add_sample(store, "agreement.pdf").sha256, Profile())
    app = begun("tour", "")
    assert "simulation" in app.markdown[0].value
    app.button_group[0].set_value("Agreement").run()
    assert not app.exception
    assert [(one.label, one.value) for one in app.metric] == [
        ("Made on purpose (simulation)", "3 mistakes"),
        ("Caught by the checks", "3"),
        ("Wrong and nobody told", "0"),
        ("Right, yet held back", "0"),
    ]
    assert "6 clauses about termination" in app.success[0].value


@pytest.mark.parametrize(("stop", "name"), [("Catalogue", "catalogue.pdf"), ("Agreement", "agreement.pdf")])
def test_another_document_of_a_samples_name_is_told_apart(home: Path, tmp_path: Path, stop: str, name: str) -> None:
    store = Store(home)
    sha256 = store.add_file(_draw(tmp_path / name, [[(100.0, ITEMS)]]), name).sha256
    run.reading(store, sha256, Profile())
    app = begun("tour", sha256)
    app.session_state["tour_stop"] = stop
    app.run()
    assert not app.exception
    assert "it is not the sample" in app.info[0].value
