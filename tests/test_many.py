"""Many documents at once: real workers of Dask in processes of their own, killed and replaced; places; the data set."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import fsspec
import polars as pl
import pytest
from reportlab.pdfgen.canvas import Canvas

from pipeline import batch, cli, partitions, places, run
from pipeline.many import Progress
from pipeline.model import UsageError
from pipeline.profiles import Profile
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = "import sys; from pipeline import cli; sys.exit(cli.main(sys.argv[1:]))"
LONG = 45  # pages: several tasks read them


def text_pdf(pages: int, seed: int) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=True)
    for number in range(1, pages + 1):
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(60, 800, f"{number} Part {seed} of number {number}")
        canvas.setFont("Helvetica", 10)
        for line in range(40):
            canvas.drawString(60, 760 - 14 * line, f"Page {number} of document {seed} has its line {line} here.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long document, eight short ones, one of them twice, and one that is none."""
    made = tmp_path_factory.mktemp("many")
    (made / "below").mkdir()
    (made / "long.pdf").write_bytes(text_pdf(LONG, 0))
    for seed in range(1, 8):
        (made / f"{seed}.pdf").write_bytes(text_pdf(3, seed))
    (made / "below" / "again.pdf").write_bytes(text_pdf(3, 1))
    (made / "none.pdf").write_bytes(b"%PDF-1.7 and then nothing that is one")
    return made


NAMES = sorted(["long.pdf", *(f"{seed}.pdf" for seed in range(1, 8)), "below/again.pdf"])


@pytest.fixture(scope="module")
def alone(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What this process makes of the folder by itself, without workers."""
    made = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGEWITNESS_HOME", str(made / "home"))
        assert cli.main(command(folder, made / "out", "--workers", "0")) == 3
    return results(made / "out")


def command(folder: Path, out: Path, *more: str) -> list[str]:
    return ["batch", str(folder), "-o", str(out), "--do", "sections", "--json", *more]


def results(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


def started(folder: Path, out: Path, home: Path, *more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *command(folder, out, *more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PAGEWITNESS_HOME": str(home), "PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )


def wait_for(come: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not come():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.01)


def held(home: Path) -> None:
    """The store has each document once, whole, and nothing else."""
    store = Store(home)
    assert store.check() == []
    read = [entry for entry in store.documents() if entry.state == "read"]
    assert sorted(entry.pages or 0 for entry in read) == [3] * 7 + [LONG]
    for entry in read:
        reading = store.reading(entry.sha256, run.reading_key(Profile()))
        assert reading and [page.number for page in reading.pages] == list(range(1, (entry.pages or 0) + 1))
        assert len(store.parses(entry.sha256)) == 1


def test_killed_at_any_moment_the_same_command_comes_to_the_same_end(
    folder: Path, alone: dict[str, bytes], tmp_path: Path
) -> None:
    out, home = tmp_path / "out", tmp_path / "home"
    first = started(folder, out, home)
    wait_for(lambda: list(out.glob("*.json")))
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    second = started(folder, out, home)
    said, told = second.communicate(timeout=60)
    assert second.returncode == 3
    found = json.loads(said)
    assert found["done"] == NAMES
    assert [one["file"] for one in found["failed"]] == ["none.pdf"] and "Traceback" not in told
    assert results(out) == alone
    held(home)
    stamps = {path: path.stat().st_mtime_ns for path in out.rglob("*.json")}
    third = started(folder, out, home)
    assert json.loads(third.communicate(timeout=60)[0])["done"] == NAMES
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.json")} == stamps  # what is done is left alone


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers, started by hand on loopback."""
    file = tmp_path / "scheduler.json"
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    quiet["env"] = {**os.environ, "PYTHONPATH": str(ROOT)}
    dask = [sys.executable, "-P", "-m"]
    server = subprocess.Popen(
        [
            *(*dask, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"),
            *("--no-dashboard", "--scheduler-file", str(file)),
        ],
        **quiet,
    )
    wait_for(lambda: file.exists() and file.read_text().endswith("}"))
    address = str(json.loads(file.read_text())["address"])
    options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "10"]
    workers = [subprocess.Popen([*dask, "distributed.cli.dask_worker", address, *options], **quiet) for _ in range(2)]
    yield address, workers
    for process in (*workers, server):
        process.kill()
        process.wait()


def test_one_of_two_workers_is_killed_and_nothing_is_lost(
    folder: Path, alone: dict[str, bytes], scheduler: tuple[str, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    address, workers = scheduler
    out, home = tmp_path / "out", tmp_path / "home"
    process = started(folder, out, home, "--scheduler", address)
    wait_for(lambda: list(out.glob("*.json")))
    workers[0].kill()
    said, told = process.communicate(timeout=60)
    assert "Traceback" not in told
    assert json.loads(said)["done"] == NAMES
    assert results(out) == alone
    held(home)


def test_an_address_without_a_scheduler_is_told_in_a_line(
    folder: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pipeline.cluster.REACH_SECONDS", 0.3)
    assert cli.main(command(folder, tmp_path / "out", "--scheduler", "tcp://127.0.0.1:9")) == 2
    said = capsys.readouterr().err
    assert "No Dask scheduler answers at tcp://127.0.0.1:9" in said and said.count("\n") == 1


def test_rows_are_what_the_command_for_one_file_says_and_lie_in_a_data_set(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [write(tmp_path, StatementOptions(seed=seed, pages=2, suppliers=2, name=f"s{seed}")).pdf for seed in (4, 5)]
    fsspec.filesystem("memory").pipe({f"/given/in/{path.name}": path.read_bytes() for path in made})
    assert cli.main(["batch", "memory://given/in", "-o", "memory://given/out", "--workers", "0"]) == 0
    assert "2 done, 0 failed" in capsys.readouterr().out
    told = {}
    for path in made:
        assert cli.main(["rows", str(path), "--json"]) == 0
        told[path.name] = json.loads(capsys.readouterr().out)
    files = fsspec.filesystem("memory")
    for name, result in told.items():
        found = json.loads(files.cat_file(f"/given/out/{name}.json"))
        assert found | {"decisions": []} == result
    assert cli.main(["batch", str(tmp_path / "*.pdf"), "-o", f"file://{tmp_path}/out", "--workers", "0"]) == 0
    rows = pl.scan_parquet(tmp_path / "out" / "rows.parquet", hive_partitioning=True).collect()
    assert rows["document"].n_unique() == 2 and len(rows) == sum(len(one["rows"]) for one in told.values())
    first = told["s4.pdf"]["rows"][0]["values"]
    amounts = set(rows.filter(pl.col("invoice_number") == first["invoice_number"])["amount"])
    assert Decimal(first["amount"]) in amounts


def test_a_value_that_its_column_does_not_hold_exactly_stands_in_values_alone() -> None:
    row = {"page": 1, "box": [1, 2, 3, 4], "currency": "EUR", "status": "review", "reasons": ["a", "b"]}
    values = {"date": "2026-02-03", "amount": "-1234.5", "quantity": "0.12345678901", "balance": "n/a", "note": "x"}
    [found] = pl.read_parquet(partitions.table("rows", {"rows": [row | {"values": values}]})).to_dicts()
    assert (found["date"], found["amount"]) == (date(2026, 2, 3), Decimal("-1234.5"))
    assert (found["quantity"], found["balance"], json.loads(found["values"])) == (None, None, values)
    empty = pl.read_parquet(partitions.table("fields", {"fields": []}))
    assert len(empty) == 0 and empty.schema["invoice"] == pl.Int32()


def test_documents_are_named_by_folder_pattern_and_list(tmp_path: Path) -> None:
    for name in ("a.pdf", "in/b.PDF", "in/deep/c.pdf", "in/d.txt", "other/a.pdf"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x")

    def names(place: str) -> list[str]:
        return [item.name for item in places.items(f"{tmp_path}/{place}")]

    assert names("in") == ["b.PDF", "deep/c.pdf"]
    assert names("a.pdf") == ["a.pdf"]
    assert names("*/a.pdf") == ["other/a.pdf"]
    assert names("**/*.pdf") == ["a.pdf", "in/deep/c.pdf", "other/a.pdf"]
    (tmp_path / "list.txt").write_text("# ours\n\na.pdf\nin/deep\nother/../other/a.pdf\n")
    assert names("list.txt") == ["a.pdf", "in/deep/c.pdf", "other/other/a.pdf"]
    (tmp_path / "list.txt").write_text("a.pdf\nlost.pdf\n")
    with pytest.raises(UsageError, match=r"line 2: there is no PDF at lost\.pdf"):
        names("list.txt")
    (tmp_path / "list.txt").write_text("a.pdf\n../../etc/../" + str(tmp_path).lstrip("/") + "/a.pdf\n")
    assert all(".." not in item and not item.startswith("/") for item in _list_or_refusal(tmp_path))
    with pytest.raises(UsageError, match="There is no PDF in"):
        names("nowhere")


def _list_or_refusal(folder: Path) -> list[str]:
    try:
        return [item.name for item in places.items(f"{folder}/list.txt")]
    except UsageError:
        return []


def test_a_bar_tells_rate_and_time_left() -> None:
    bar = batch.bar(Progress(done=40, failed=2, total=100, before=12, pages=300, seconds=10.0))
    assert bar == "[##########..............] 42 of 100, 2 failed, 3.0 documents/s, 19 s left"
    assert "12.0 documents/min, 9 min left" in batch.bar(Progress(2, 0, 110, 0, 9, 10.0))
    assert batch.bar(Progress(5, 0, 5, 5, 0, 0.1)).endswith("] 5 of 5")
