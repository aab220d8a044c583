"""The command as a process: contracts, exit codes, one line of error, any working folder."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from pipeline.model import Section
from pipeline.store import Key, Store, Tree
from tests.draw import Put, column, pdf

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str | Path, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pipeline.cli", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=120, check=False)


def printed(*arguments: str | Path, cwd: Path = ROOT) -> Any:
    done = run(*arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


def refused(done: subprocess.CompletedProcess[str], code: int) -> str:
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


def test_sections_from_another_working_folder(samples: Path, tmp_path: Path) -> None:
    found = printed("sections", samples / "agreement.pdf", cwd=tmp_path)
    assert found["document"]["pages"] == 52
    assert found["document"]["language"] == "en"
    assert set(found) >= {"document", "profile", "sections", "removed", "pages"}
    first = found["sections"][-1]
    keys = {"section_id", "parent_id", "level", "number", "title", "page", "anchor", "content"}
    assert set(first) >= keys
    assert set(found["removed"][0]) >= {"page", "text", "reason"}
    assert set(found["pages"][0]) >= {"page", "origin", "health", "reasons"}


def test_two_runs_print_the_same_bytes(samples: Path) -> None:
    one = run("sections", samples / "agreement.pdf", "--json").stdout
    assert one
    assert one == run("sections", samples / "agreement.pdf", "--json").stdout


def test_words_of_one_page(samples: Path) -> None:
    found = printed("words", samples / "statement.pdf", "--page", "2")
    assert [page["page"] for page in found["pages"]] == [2]
    word = found["pages"][0]["words"][0]
    assert set(word) >= {"text", "box", "size", "font", "bold", "italic", "line", "block"}
    assert len(word["box"]) == 4


def test_rows_of_the_statement_are_those_of_its_truth(samples: Path) -> None:
    found = printed("rows", samples / "statement.pdf")
    truth = json.loads((samples / "statement.truth.json").read_text(encoding="utf-8"))
    assert [(row["page"], row["values"]) for row in found["rows"]] == [(r["page"], r["values"]) for r in truth["rows"]]
    assert found["reconciliation"]["action"] == "auto_import"
    assert found["reconciliation"]["scopes"][0]["delta"] == "0.00"


def test_sections_as_markdown_into_a_file(samples: Path, tmp_path: Path) -> None:
    done = run("sections", samples / "agreement.pdf", "--format", "md", "-o", tmp_path / "out.md")
    assert (done.returncode, done.stdout) == (0, "")
    assert "## 4.2 Termination for Convenience {#sec_4_2_" in (tmp_path / "out.md").read_text(encoding="utf-8")


def test_sections_as_lines_and_as_a_database_are_those_of_the_contract(samples: Path, tmp_path: Path) -> None:
    whole = printed("sections", samples / "agreement.pdf")["sections"]
    lines = run("sections", samples / "agreement.pdf", "--format", "jsonl").stdout.splitlines()
    kept = [{name: section[name] for name in json.loads(lines[0])} for section in whole]
    assert [json.loads(line) for line in lines] == kept
    done = run("sections", samples / "agreement.pdf", "--format", "sqlite", "-o", tmp_path / "out.db")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    with closing(sqlite3.connect(tmp_path / "out.db")) as db:
        rows = db.execute("SELECT section_id, parent_id, page, title, content FROM sections ORDER BY position")
        names = ("section_id", "parent_id", "page", "title", "content")
        assert [dict(zip(names, row, strict=True)) for row in rows] == [{n: one[n] for n in names} for one in whole]


def test_a_person_gets_a_table(samples: Path) -> None:
    done = run("rows", samples / "statement.pdf")
    assert done.stdout.splitlines()[-1] == "verdict: auto import"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "required"),
        (("sections",), "required"),
        (("frobnicate",), "invalid choice"),
        (("words", "{statement}", "--page", "99"), "there is no page 99"),
        (("rows", "{statement}", "--chunk-pages", "3", "--overlap", "3"), "--overlap"),
        (("sections", "{statement}", "--profile", "nope"), "no profile named 'nope'"),
        (("sections", "{statement}", "-o", "/dev/null/x"), "cannot be written"),
        (("sections", "{statement}", "--format", "sqlite"), "name it with -o"),
        (("sections", "{statement}", "--format", "sqlite", "-o", "/dev/null/x"), "cannot be written"),
        (("profile", "check", "{statement}", "--remember"), "default is not a profile that you saved"),
        (("profile", "check", "default", "--remember"), "--remember needs a PDF"),
        (("profile", "diff", "default", "nope"), "no profile named 'nope'"),
        (("changes", "{statement}", "{statement}", "--section", "sec_x"), "has no section 'sec_x'"),
    ],
)
def test_wrong_usage_is_exit_2(samples: Path, arguments: tuple[str, ...], says: str) -> None:
    filled = [argument.replace("{statement}", str(samples / "statement.pdf")) for argument in arguments]
    assert says in refused(run(*filled), 2)


@pytest.mark.parametrize("command", ["words", "sections", "rows"])
@pytest.mark.parametrize("content", [b"", b"hello", b"%PDF-1.4\n%%EOF"])
def test_what_cannot_be_read_is_exit_3(tmp_path: Path, command: str, content: bytes) -> None:
    (tmp_path / "file.pdf").write_bytes(content)
    assert "file.pdf: The " in refused(run(command, tmp_path / "file.pdf", "--json"), 3)


def test_an_absent_file_is_exit_3(tmp_path: Path) -> None:
    assert "No such file" in refused(run("sections", tmp_path / "absent.pdf"), 3)


def test_a_locked_file_is_exit_3(samples: Path, tmp_path: Path) -> None:
    with pikepdf.open(samples / "statement.pdf") as document:
        document.save(tmp_path / "locked.pdf", encryption=pikepdf.Encryption(owner="o", user="u"))
    assert "locked with a password" in refused(run("rows", tmp_path / "locked.pdf"), 3)


def test_claude_without_a_key_is_exit_4(samples: Path) -> None:
    assert "claude" in refused(run("rows", samples / "statement.pdf", "--engine", "claude"), 4).lower()


def test_a_store_that_cannot_be_opened_is_exit_5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("PAGEWITNESS_HOME", str(tmp_path / "file"))
    refused(run("store", "check"), 5)


def test_the_store_is_listed_checked_copied_and_indexed_anew(samples: Path, home: Path, tmp_path: Path) -> None:
    store = Store(home)
    sha256 = store.add_file(samples / "statement.pdf", "statement.pdf").sha256
    section = Section("sec_1", None, 1, "1", "Fees", 1, "section-1", "The part X-204 costs 8 euros.")
    store.save_parse(sha256, Key("p", "1"), Tree((section,), "", "{}"))
    assert run("store", "list").stdout == f"{sha256[:12]}      -       1  statement.pdf\n"
    assert json.loads(run("store", "list", "--json").stdout) == {
        "documents": [{"sha256": sha256, "name": "statement.pdf", "pages": None, "sections": 1, "state": "new"}]
    }
    assert run("store", "check").stdout == f"{home}: whole, 1 document\n"
    assert run("store", "reindex").stdout == f"{home}: 1 of 1 documents are searched, 1 sections\n"
    assert run("store", "backup", tmp_path / "copy.db").stdout == f"{tmp_path / 'copy.db'}\n"
    assert (tmp_path / "copy.db").stat().st_size > 50_000
    assert "copy.db was not written" in refused(run("store", "backup", tmp_path / "absent" / "copy.db"), 5)
    store.path(sha256).write_bytes(b"another")
    assert refused(run("store", "check"), 5) == (
        f"pagewitness: The store in {home} is not whole: statement.pdf: its file was changed; add it again\n"
    )


def test_strict_turns_review_into_exit_1(samples: Path, tmp_path: Path) -> None:
    with pikepdf.open(samples / "statement.pdf") as document:
        del document.pages[-1]
        document.save(tmp_path / "cut.pdf")
    assert run("rows", tmp_path / "cut.pdf", "--json").returncode == 0
    done = run("rows", tmp_path / "cut.pdf", "--json", "--strict")
    assert done.returncode == 1
    assert json.loads(done.stdout)["reconciliation"]["action"] == "human_review"


def test_a_closed_pipe_is_no_error(samples: Path) -> None:
    command = f"{sys.executable} -m pipeline.cli words {samples / 'statement.pdf'} --json | head -c 10"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ('{"pages":[', "")


def test_the_doctor_prints_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    done = run("doctor", "--json")
    assert "sk-secret" not in done.stdout + done.stderr
    assert {item["name"] for item in json.loads(done.stdout)["items"]} >= {"pdftoppm", "Tesseract language eng"}


def test_profiles_are_listed_shown_and_checked(home: Path) -> None:
    assert "default" in run("profile", "list").stdout.split()
    assert 'name = "default"' in run("profile", "show", "default").stdout
    assert "good (id 44136fa355b3)" in run("profile", "check", "default").stdout
    assert printed("profile", "check", "default") == {"profile": "default", "id": "44136fa355b3"}


def test_a_profile_is_checked_on_a_file(home: Path, samples: Path) -> None:
    save(home, "Alder", "[outline]\ntier_ratios = [3.0, 2.0]\n")
    found = printed("profile", "check", samples / "statement.pdf", "--profile", "Alder")
    assert (found["profile"], found["sections"] > 0, found["own_outline"]) == ("Alder", True, None)
    assert [tier["level"] for tier in found["tiers"]] == [1, 2]
    assert found["warnings"][0].startswith("tier 1 (25.5 pt): no line has this size")
    text = run("profile", "check", samples / "statement.pdf", "--profile", "Alder").stdout
    assert "warning: tier 1 (25.5 pt)" in text
    assert run("profile", "check", samples / "statement.pdf").stdout.endswith("no warnings\n")


def test_a_template_that_was_remembered_is_suggested_for_its_like_alone(home: Path, samples: Path) -> None:
    before = printed("profile", "suggest", samples / "statement.pdf")
    assert (before["suggested"], any(one["close"] for one in before["ranking"])) == (None, False)
    assert run("profile", "suggest", samples / "statement.pdf").stdout.startswith("None is close.")
    save(home, "Alder list", "[outline]\nmax_tiers = 2\n")
    assert run("profile", "check", samples / "statement.pdf", "--profile", "Alder list", "--remember").returncode == 0
    found = printed("profile", "suggest", samples / "statement.pdf")
    assert found["suggested"] == "Alder list"
    assert set(found["ranking"][0]) == {"profile", "likeness", "close", "basis", "for", "against"}
    assert run("profile", "suggest", samples / "statement.pdf").stdout.startswith("Use: --profile 'Alder list'\n")
    other = printed("profile", "suggest", samples / "agreement.pdf")
    assert {one["profile"]: one["close"] for one in other["ranking"]}["Alder list"] is False
    assert other["suggested"] == "contract"
    assert not (home / "store.db").exists()


def test_two_profiles_are_compared_and_what_that_does_on_a_file(home: Path, samples: Path) -> None:
    save(home, "Flat", "[outline]\nby_numbering = false\nby_bookmarks = false\n")
    values = [
        {"name": "outline.by_numbering", "one": True, "other": False},
        {"name": "outline.by_bookmarks", "one": True, "other": False},
    ]
    assert printed("profile", "diff", "default", "Flat") == {"values": values, "sections": None}
    found = printed("profile", "diff", "default", "Flat", samples / "agreement.pdf")
    assert found["values"] == values
    assert sum(found["sections"]["counts"].values()) == len(found["sections"]["changes"])
    text = run("profile", "diff", "default", "Flat", samples / "agreement.pdf").stdout
    assert text.startswith("outline.by_numbering: true → false\n")
    assert "the same values" in run("profile", "diff", "default", "default").stdout


def save(home: Path, name: str, text: str) -> None:
    """A profile of the user's own."""
    (home / "profiles").mkdir(parents=True, exist_ok=True)
    (home / "profiles" / f"{name}.toml").write_text(f'name = "{name}"\n{text}')


def test_changes_between_versions_of_a_file(tmp_path: Path) -> None:
    older, newer = tmp_path / "older.pdf", tmp_path / "newer.pdf"
    for path, titles in ((older, ("Term", "Fees", "Law")), (newer, ("Term", "Law"))):
        puts = []
        for at, title in enumerate(titles):
            top = 90 + 200 * at
            puts += [Put(72, top, f"{at + 1} {title}", 16), *column(72, top + 30, 9, 9 * ord(title[0]))]
        pdf(path, [puts])
    found = printed("changes", older, newer)
    assert {kind: count for kind, count in found["counts"].items() if count} == {"kept": 2, "removed": 1}
    assert printed("changes", older, newer, "--section", "section-3") == {
        "section_id": "sec_3_law",
        "successors": ["sec_2_law"],
    }
    assert run("changes", older, newer, "--section", "sec_2_fees").stdout == "sec_2_fees was removed\n"
    assert run("changes", older, newer).stdout.splitlines()[-1] == "2 kept, 1 removed"


@pytest.mark.parametrize("form", [["--json"], []])
def test_a_full_disk_behind_the_output_is_one_line(samples: Path, form: list[str]) -> None:
    command = [sys.executable, "-m", "pipeline", "sections", str(samples / "statement.pdf"), *form]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    said = "pagewitness: not all can be written: No space left on device. Make room, and run it again.\n"
    assert (done.returncode, done.stderr) == (2, said)
