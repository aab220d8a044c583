"""Fields of invoices in the store: exact, by their key, gone with their document."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from pipeline import fieldstore, jobs, run
from pipeline.fieldstore import Kept
from pipeline.model import Box, Cancelled, Check, Field, Finding, Invoices, Place, StoreError
from pipeline.profiles import Profile
from pipeline.store import JobOptions, Key, Store
from tests import scans
from tests.draw import Put
from tests.test_invoices_page import drawn

ENGLISH = Profile(reading=scans.ENGLISH)
KEY = Key("profile", "reader/1", "local")
PLACE = Place(2, Box(10.25, 20.5, 80.0, 31.0))
FIELD = Field(
    1, "gross_total", "1.847,00", "1847.00", (PLACE,), "1.847,00", None, "review",
    (Check("sum", "open", "no net"),), ("nothing else witnesses it",),
)  # fmt: skip
INVOICES = Invoices((FIELD,), ((1, 2), (3,)), (Finding("no_fields", "warning", "page 3: none", 3),))


def test_a_result_is_kept_exactly_and_served_by_its_key_alone(tmp_path: Path) -> None:
    store = Store(tmp_path)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    fieldstore.save(store, sha256, KEY, Kept(INVOICES, 'name = "x"', 1.5))
    assert fieldstore.of(store, sha256, KEY) == Kept(INVOICES, 'name = "x"', 1.5)
    assert fieldstore.of(store, sha256, KEY._replace(reader="reader/2")) is None
    assert fieldstore.keys(store, sha256) == fieldstore.keys(store) == [(sha256, KEY)]
    assert store.documents()[0].done == ("fields",)
    fieldstore.save(store, sha256, KEY._replace(reader="reader/2"), Kept(Invoices((), ()), "", 0.1))
    assert fieldstore.of(store, sha256, KEY) is None  # an older reader's result makes place
    store.delete(sha256)
    assert fieldstore.keys(store) == []


def test_what_cannot_be_understood_is_not_there_and_no_result_stands_without_its_document(tmp_path: Path) -> None:
    store = Store(tmp_path)
    sha256 = store.add_file(io.BytesIO(b"hello"), "a.pdf").sha256
    fieldstore.save(store, sha256, KEY, Kept(INVOICES, "", 0.0))
    with store.transaction() as db:
        db.execute("UPDATE invoices SET body = '{}'")
    assert fieldstore.of(store, sha256, KEY) is None
    with pytest.raises(StoreError, match="not in the store"):
        fieldstore.save(store, "f" * 64, KEY, Kept(INVOICES, "", 0.0))


def test_a_job_reads_the_fields_and_a_second_one_has_nothing_to_do(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    sha256 = store.add_file(drawn(tmp_path / "a.pdf"), "a.pdf").sha256
    for _ in range(2):
        job = jobs.submit(store, "fields", sha256, JobOptions())
        jobs.serve(store, idle=0)
        done = jobs.get(store, job.id)
        assert done is not None and (done.state, done.message) == ("done", "")
    [(_, key)] = run.current_fields(store, sha256)
    kept = fieldstore.of(store, sha256, key)
    assert kept is not None and key == run.fields_key(Profile(), "local")
    assert kept.invoices.pages == ((1,),)
    assert run.fields(store, sha256, Profile()) == kept.invoices


def test_a_run_that_is_stopped_keeps_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    sha256 = store.add_file(drawn(tmp_path / "a.pdf"), "a.pdf").sha256
    with pytest.raises(Cancelled):
        run.fields(store, sha256, Profile(), cancelled=lambda: True)
    assert fieldstore.keys(store) == []


def test_a_locked_scan_is_read_a_second_time_in_the_pictures_of_its_opening(tmp_path: Path) -> None:
    scans.needs("eng")
    texts = ["Invoice no. 2025-0418", "Date: 2025-03-14", "Net total 100.00", "Total due 120.00"]
    image = scans.drawn(tmp_path, [Put(72, 120 + 30 * at, text, 14) for at, text in enumerate(texts)])
    canvas = Canvas(str(tmp_path / "locked.pdf"), pagesize=A4, encrypt=StandardEncryption("pa55-w0rd", canPrint=0))
    canvas.drawImage(ImageReader(image), 0, 0, *A4)
    canvas.save()
    store = Store(tmp_path / "home")
    sha256 = store.add_file(tmp_path / "locked.pdf", "locked.pdf").sha256
    run.unlock(store, sha256, ENGLISH, run.Unlock("pa55-w0rd", 72))
    read = run.fields(store, sha256, ENGLISH)
    assert "embedded_xml_closed" in {finding.kind for finding in read.findings}
    found = {one.name: one for one in read.fields}
    assert found["gross_total"].second_read == "120.00"
    assert found["invoice_number"].second_read == "2025-0418"
