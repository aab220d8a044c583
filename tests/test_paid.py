"""What a run of Claude is likely to cost: reckoned here, said before anything is sent, confirmed where somebody is."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from pipeline import answer, cli, invoices, outline, paid, statements, worker
from pipeline.account import Account, Key
from pipeline.caller import Caller
from pipeline.claude import Claude
from pipeline.engine import Query
from pipeline.model import Reading
from pipeline.profiles import Profile, ReadingProfile
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write
from tests import test_claude
from tests.claude_server import KEY, Asked, Server
from tests.draw import Put, pdf, reading
from tests.test_claude import WINDOWS

server = test_claude.server


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A statement of three pages."""
    options = StatementOptions(seed=4, pages=3, suppliers=3, name="three")
    return write(tmp_path_factory.mktemp("three"), options).pdf


@pytest.fixture(scope="module")
def read(three: Path) -> Reading:
    return worker.read(three, ReadingProfile())


@pytest.fixture(scope="module")
def agreement(samples: Path) -> answer.Book:
    read = worker.read(samples / "agreement.pdf", ReadingProfile())
    return answer.Book(outline.build(outline.features(read), Profile().outline).sections, read)


def claude(server: Server, home: Path) -> Claude:
    return Claude(Caller(Account(base_url=server.url, seconds=10.0), Key(KEY), Store(home), "d" * 64))


def nothing(asked: Asked) -> dict[str, Any]:
    """That there is nothing, whatever is asked."""
    return {name: [] for name in asked.body["output_config"]["format"]["schema"]["properties"]}


# ---------------------------------------------------------------- what is reckoned


def test_an_estimate_sends_nothing_and_leaves_out_what_is_known(server: Server, read: Reading, tmp_path: Path) -> None:
    engine = claude(server, tmp_path)
    before = paid.rows(engine, read, WINDOWS)
    assert before is not None and (before.calls, before.kept, before.counted) == (3, 0, False)
    assert "(estimated)" in before.to_text()
    assert not server.counted and not server.asked
    statements.extract(read, Profile(statement=WINDOWS), engine)
    after = paid.rows(claude(server, tmp_path), read, WINDOWS)
    assert after is not None and (after.calls, after.kept, after.dollars) == (0, 3, Decimal(0))


def test_an_estimate_comes_near_what_the_server_counts(server: Server, read: Reading, tmp_path: Path) -> None:
    mine, counted = (paid.rows(claude(server, tmp_path), read, WINDOWS, own) for own in (False, True))
    assert mine and counted and counted.counted and len(server.counted) == 3
    assert "(counted by the server)" in counted.to_text()
    assert 0.5 < mine.input / counted.input < 2


@pytest.mark.parametrize("work", ["fields", "clauses", "ask"])
def test_an_estimate_has_the_calls_that_the_run_makes(
    work: str, server: Server, agreement: answer.Book, tmp_path: Path
) -> None:
    page = reading(pdf(tmp_path / "a.pdf", [[Put(72, 100, "Invoice 2025-17", 11)]]))
    runs: dict[str, Callable[[Claude], object]] = {
        "fields": lambda engine: invoices.extract(page, Profile(), engine),
        "clauses": lambda engine: answer.clauses(Query("fees"), agreement.sections, agreement.reading, engine),
        "ask": lambda engine: answer.ask("What is the notice period?", agreement, engine),
    }
    server.answer = nothing
    engine = claude(server, tmp_path)
    first = paid.estimate(engine, runs[work])
    assert first and first.calls > 0 and not server.asked
    runs[work](engine)
    assert len(server.asked) == first.calls
    again = paid.estimate(engine, runs[work])
    assert again and (again.calls, again.kept) == (0, first.calls)


# ---------------------------------------------------------------- who is asked

COMMAND = "import sys; from pipeline import cli; sys.exit(cli.main(sys.argv[1:]))"


@pytest.mark.parametrize(("reply", "code", "calls"), [("n", 4, 0), ("y", 0, 3)])
def test_a_person_at_a_terminal_is_asked_before_anything_is_sent(
    reply: str, code: int, calls: int, server: Server, three: Path, home: Path
) -> None:
    environment = {**os.environ, "ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
    command = [sys.executable, "-c", COMMAND, "rows", str(three), "--engine", "claude"]
    here, there = pty.openpty()
    with subprocess.Popen(
        [*command, "--chunk-pages", "1", "--overlap", "0"], stdin=there, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, env=environment, text=True,
    ) as run:  # fmt: skip
        os.close(there)
        assert run.stderr
        said = run.stderr.readline()
        while not said.endswith("Go on? [y/N] ") and run.poll() is None:
            said += run.stderr.read(1)
        assert "3 calls" in said and "(estimated)" in said
        assert not server.asked and not server.counted
        os.write(here, f"{reply}\n".encode())
        rest = run.stderr.read()
    os.close(here)
    assert run.returncode == code, rest
    assert len(server.asked) == calls
    assert ("nothing was asked, and nothing is to be paid" in rest) is (code == 4)


def test_nobody_is_waited_for_without_a_terminal(
    server: Server, three: Path, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("API_KEY", KEY), ("BASE_URL", server.url)):
        monkeypatch.setenv(f"ANTHROPIC_{name}", text)
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_UNATTENDED_DOLLARS", "0.0001")
    monkeypatch.setattr(sys, "stdin", None)  # as of a process that was started without one
    server.answer = nothing
    for command in (["rows", str(three)], ["fields", str(three)], ["clauses", str(three), "fees"]):
        assert cli.main([*command, "--engine", "claude"]) == 4
        told, refusal = capsys.readouterr().err.splitlines()[:2]
        assert "(estimated)" in told and "confirm it with --yes" in refusal
    assert not server.asked and not server.counted
    assert cli.main(["fields", str(three), "--engine", "claude", "--yes"]) == 0
    assert "(counted by the server)" in capsys.readouterr().err and len(server.counted) == len(server.asked)
