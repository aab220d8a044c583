"""Folders read in one go: by Claude in Message Batches over real HTTP to a server on loopback, and by rules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pipeline import cli, journal
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write
from tests import claude_server
from tests.claude_server import KEY, Server

CLAUDE = ["--engine", "claude", "--yes", "--json", "--every", "0.01"]
PROFILE = '[statement]\nchunk_pages = 1\noverlap = 0\nstate = "parallel"\n'


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two statements of two pages, one of them in a folder below."""
    made = tmp_path_factory.mktemp("folder")
    for seed, where in ((4, made), (5, made / "below")):
        where.mkdir(exist_ok=True)
        path = write(where, StatementOptions(seed=seed, pages=2, suppliers=2, name=f"s{seed}")).pdf
        for beside in path.parent.glob(f"{path.stem}.*"):
            if beside != path:
                beside.unlink()
    return made


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with claude_server.serving(claude_server.read_rows) as started:
        for name, text in (("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", started.url)):
            monkeypatch.setenv(name, text)
        yield started


@pytest.fixture
def profile(tmp_path: Path) -> list[str]:
    path = tmp_path / "single.toml"
    path.write_text(PROFILE)
    return ["--profile", str(path)]


@pytest.fixture(scope="module")
def local(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The rows of each file by rules."""
    made = tmp_path_factory.mktemp("local")
    out, path = made / "out", made / "single.toml"
    path.write_text(PROFILE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGEWITNESS_HOME", str(made / "home"))
        assert cli.main(["batch", str(folder), "-o", str(out), "--profile", str(path), "--workers", "0"]) == 0
    return rows(out)


def rows(out: Path) -> dict[str, list[Any]]:
    found = sorted(out.rglob("*.json"))
    return {
        path.relative_to(out).as_posix(): [told(row) for row in json.loads(path.read_text())["rows"]] for path in found
    }


def told(row: dict[str, Any]) -> tuple[Any, ...]:
    return row["values"], row["page"], row["status"], row["reasons"]


def result(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


DONE = ["below/s5.pdf", "s4.pdf"]


def test_a_folder_is_read_in_one_batch_at_half_the_price(
    server: Server, folder: Path, local: dict[str, list[Any]], profile: list[str], tmp_path: Path, home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]
    assert cli.main(command) == 0
    assert result(capsys) == {"done": DONE, "failed": [], "waiting": []}
    assert sorted(local) == [f"{name}.json" for name in DONE]
    assert rows(tmp_path / "out") == local and all(local.values())
    assert ([len(batch.requests) for batch in server.batches], server.asked) == ([4], [])
    for entry in journal.entries(Store(home)):
        usage = entry.outcome.usage
        full = usage.input * Decimal("2e-6") + usage.output * Decimal("1e-5")
        assert (entry.state, entry.outcome.dollars) == ("answered", full / 2)
    assert cli.main(command) == 0
    assert (len(server.batches), server.asked) == (1, [])  # the same again is free


def test_what_expired_or_broke_is_sent_again_and_nothing_else(
    server: Server, folder: Path, local: dict[str, list[Any]], profile: list[str], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    first = ["expired", "succeeded", "errored", "no_json"]
    server.endings = lambda batch, number, asked: first[number] if batch.number == 0 else "succeeded"
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 0
    assert result(capsys)["done"] == DONE
    assert rows(tmp_path / "out") == local
    sent = [{request["custom_id"] for request in batch.requests} for batch in server.batches]
    assert ([len(one) for one in sent], sent[1] < sent[0]) == ([4, 3], True)


@pytest.mark.parametrize(
    ("ending", "batches", "line"),
    [
        ("expired", 3, "tried 3 times: expired. Run it again"),
        ("invalid", 1, "errored: invalid_request_error: prompt is too long"),
        ("canceled", 1, "its batch was cancelled. Run it again"),
        ("refusal", 1, "refused by its own rules"),
        ("empty", 3, "tried 3 times: it is empty"),
    ],
)
def test_a_call_that_never_succeeds_costs_its_file_alone(
    ending: str, batches: int, line: str, server: Server, folder: Path, profile: list[str], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    server.endings = lambda batch, number, asked: (
        ending if batch.requests[number]["custom_id"] == server.batches[0].requests[-1]["custom_id"] else "succeeded"
    )
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 4
    found = result(capsys)
    assert (found["done"], [one["file"] for one in found["failed"]]) == (DONE[:1], DONE[1:])
    assert line in found["failed"][0]["reason"] and len(server.batches) == batches
    server.endings = lambda batch, number, asked: "succeeded"
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 0
    assert [len(batch.requests) for batch in server.batches] == [4, *[1] * batches]


def test_a_batch_is_collected_by_a_later_run(
    server: Server, folder: Path, local: dict[str, list[Any]], profile: list[str], tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]
    assert cli.main([*command, "--no-wait"]) == 0
    assert result(capsys) == {"done": [], "failed": [], "waiting": DONE}
    assert cli.main([*command, "--no-wait"]) == 0  # still under way: nothing is sent twice
    assert result(capsys)["waiting"] == DONE
    assert cli.main(command) == 0
    assert (rows(tmp_path / "out"), len(server.batches)) == (local, 1)


def test_a_run_that_was_killed_pays_for_no_batch_twice(
    server: Server, folder: Path, local: dict[str, list[Any]], profile: list[str], tmp_path: Path
) -> None:
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE[:-1], "30", *profile]
    program = "import sys; from pipeline import cli; sys.exit(cli.main(sys.argv[1:]))"
    first = subprocess.Popen([sys.executable, "-c", program, *command], stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while not (server.batches and server.batches[0].looks) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert cli.main([*command, "--every", "0.01"]) == 0
    assert (rows(tmp_path / "out"), len(server.batches)) == (local, 1)


@pytest.mark.parametrize("fault", ["reset", "429", "529"])
def test_a_batch_whose_arrival_nobody_was_told_of_is_found(
    fault: Any, server: Server, folder: Path, profile: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.batches.WAITS", (0.01, 0.01))
    server.batch_faults = [fault]
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 0
    assert len(server.batches) == 1


def test_calls_that_were_begun_and_never_sent_are_sent(
    server: Server, folder: Path, profile: list[str], tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_RETRIES", "0")
    server.batch_faults = ["529"]
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]
    assert cli.main(command) == 4
    assert {entry.state for entry in journal.entries(Store(home))} == {"sent"}
    assert cli.main(command) == 0
    assert len(server.batches) == 1


def test_a_limit_lets_as_many_calls_go_as_fit(
    server: Server, folder: Path, local: dict[str, list[Any]], profile: list[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_RUN_DOLLARS", "0.15")
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 0
    sizes = [len(batch.requests) for batch in server.batches]
    assert len(sizes) > 1 and sum(sizes) == 4 and rows(tmp_path / "out") == local
    capsys.readouterr()
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_RUN_DOLLARS", "0.01")
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_MODEL", "claude-opus-5-5")
    assert cli.main(["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]) == 4
    assert "limit of $0.01 for a run" in capsys.readouterr().err and len(server.batches) == len(sizes)


def test_a_batch_is_cancelled_on_demand(
    server: Server, folder: Path, profile: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), *CLAUDE, *profile]
    assert cli.main([*command, "--no-wait"]) == 0
    assert cli.main([*command, "--cancel"]) == 0
    assert "1 batches were cancelled" in capsys.readouterr().out and server.batches[0].cancelled


def test_costs_are_said_before_anything_is_sent_and_a_folder_without_pdfs_is_refused(
    server: Server, folder: Path, profile: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_UNATTENDED_DOLLARS", "0.001")
    command = ["batch", str(folder), "-o", str(tmp_path / "out"), "--engine", "claude", *profile]
    assert cli.main(command) == 4
    said = capsys.readouterr().err
    assert "by batches at half the price" in said and "confirm it with --yes" in said and not server.batches
    assert "4 calls" in said and not server.counted
    (tmp_path / "nothing").mkdir()
    assert cli.main(["batch", str(tmp_path / "nothing"), "-o", str(tmp_path / "out")]) == 2


def test_the_reply_of_a_mock_is_not_taken_for_that_of_the_model(tmp_path: Path) -> None:
    from pipeline.account import Account

    known = Account(base_url="https://api.anthropic.com")
    assert (known.origin, Account().origin) == ("", "")
    mock = replace(known, base_url="http://someone:secret@Mock.example:8080/v1/")
    assert mock.origin == "http://mock.example:8080"
