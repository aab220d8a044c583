"""The doctor and /health: what is wrong is told with what to do next, and no key is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from pipeline import cli, vitals
from pipeline.store import JobOptions, Store
from pipeline.vitals import Sign
from tests import claude_server
from tests.claude_server import KEY
from tests.draw import Put, pdf
from tests.test_store import UNSHARE, run_script


def signs(home: Path, environment: Mapping[str, str] | None = None, online: bool = False) -> dict[str, Sign]:
    return {sign.name: sign for sign in vitals.examine(home, environment or {}, online)}


def test_a_folder_that_is_not_there_is_sound_and_stays_so(tmp_path: Path) -> None:
    home = tmp_path / "none"
    assert {sign.state for sign in signs(home).values()} == {"good"}
    working, told = vitals.health(home)
    assert (working, told["status"]) == (True, "ok")
    assert not home.exists()


def test_a_damaged_store_is_named_with_what_to_do(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = Store(home)
    store.add_file(pdf(tmp_path / "a.pdf", [[Put(60, 80, "Sheet")]]), "a.pdf")
    store.settle()
    assert cli.main(["doctor", "--strict"]) == 0
    assert "store: 1 document, " in capsys.readouterr().out
    with store.file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * 8192)
    assert cli.main(["doctor", "--strict", "--json"]) == 1
    told = {one["name"]: one for one in json.loads(capsys.readouterr().out)["signs"]}
    assert told["store"]["state"] == "bad"
    assert "backup" in told["store"]["detail"]


def test_a_store_that_is_no_store_fails_the_health(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"no database at all" * 100)
    working, told = vitals.health(tmp_path)
    assert not working
    assert told["signs"]["disk"] == "ok"
    assert "store" in told["signs"]["store"]


def test_an_older_store_is_no_fault(home: Path) -> None:
    store = Store(home)
    db = sqlite3.connect(store.file)
    db.execute("PRAGMA user_version = 20")
    db.close()
    assert signs(home)["store"].state == "note"
    assert vitals.health(home)[0]


def test_jobs_that_nobody_does_are_noted(home: Path, tmp_path: Path) -> None:
    store = Store(home)
    sha256 = store.add_file(pdf(tmp_path / "a.pdf", [[Put(60, 80, "Sheet")]]), "a.pdf").sha256
    assert signs(home)["jobs"].state == "good"
    store.add_job("ingest", sha256, JobOptions())
    assert signs(home)["jobs"] == Sign(
        "jobs", "note", "1 wait, and no process does them; start the app: pagewitness app"
    )


def test_a_full_disk_fails_the_health(tmp_path: Path) -> None:
    script = """
from pipeline import vitals
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=9m", "tmpfs", str(home)], check=True)
Store(home)
working, told = vitals.health(home)
print(working, told["signs"]["disk"])
"""
    [line] = run_script(script, tmp_path, UNSHARE)
    assert line.startswith("False ")
    assert line.endswith(f" MB are free in {tmp_path}; make room, or set PAGEWITNESS_HOME")


def test_settings_that_are_wrong_are_told_by_name(home: Path) -> None:
    home.mkdir()
    found = signs(home, {"PAGEWITNESS_MAX_MEMORY_MB": "much", "PAGEWITNESS_TELEGRAM_TOKEN": "1:abc"})
    assert found["limits"].state == "bad"
    assert "MEMORY_MB" in found["limits"].detail
    assert found["Telegram"].state == "bad"
    assert "1:abc" not in found["Telegram"].detail


def test_the_server_is_asked_only_where_that_is_wanted_and_the_key_is_never_told(tmp_path: Path) -> None:
    with claude_server.serving(claude_server.read_rows) as server:
        here = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": server.url}
        quiet = signs(tmp_path, here)["Claude"]
        assert (quiet.state, server.counted, server.asked) == ("good", [], [])
        reached = signs(tmp_path, here, online=True)["Claude"]
        assert (reached.state, len(server.counted), server.asked) == ("good", 1, [])
        assert "was reached, it counts tokens" in reached.detail
        wrong = signs(tmp_path, {**here, "ANTHROPIC_API_KEY": "sk-ant-wrong-key"}, online=True)["Claude"]
    gone = signs(tmp_path, here, online=True)["Claude"]
    assert (wrong.state, gone.state) == ("bad", "bad")
    assert "ANTHROPIC_API_KEY" in wrong.detail
    for sign in (quiet, reached, wrong, gone):
        assert KEY not in sign.detail
        assert "sk-ant-wrong" not in sign.detail
