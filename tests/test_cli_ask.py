"""The command `ask`."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pipeline", "ask", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def test_an_answer_for_a_person(samples: Path) -> None:
    result = run(samples / "catalogue.pdf", "Which category is X-204 in?")
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "Stainless Steel (304/316)",
        "  4 Industrial Fasteners › 4.2 Stainless Steel (304/316), page 17 (verified)",
        "  “X-204 | M8x40 hex bolt, 316 grade | 100 | 7.00”",
    ]
    assert lines[3].startswith("confirmed: its row stands in the table of 4.2 Stainless Steel (304/316)")
    assert lines[4].endswith("tokens were sent; the whole document has 60,885")


def test_an_answer_as_json(samples: Path) -> None:
    told = json.loads(run(samples / "agreement.pdf", "What is the governing law?", "--json").stdout)
    assert (told["section_id"], told["page"], told["status"]) == ("sec_11_3_governing_law", 27, "review")
    assert told["alternatives"] == []
    assert told["document_tokens"] > 20 * told["tokens"]


def test_what_is_not_there(samples: Path) -> None:
    result = run(samples / "catalogue.pdf", "Which category is X-999 in?", "--strict")
    assert (result.returncode, result.stderr) == (1, "")
    assert result.stdout.splitlines()[0] == "not in this document"
    told = json.loads(run(samples / "catalogue.pdf", "Which category is X-999 in?", "--json").stdout)
    assert [told[name] for name in ("answer", "section_id", "quote", "page", "alternatives")] == [None] * 4 + [[]]
    assert len(told["tried"]) == 3


def test_a_file_of_questions(samples: Path, tmp_path: Path) -> None:
    asked, out = tmp_path / "asked.csv", tmp_path / "answers.csv"
    asked.write_text(
        "question,expected,sections\nWhich category is X-204 in?,Stainless Steel (304/316),4.2\n"
        "Which category is X-999 in?,,\n=1+1,,\n"
    )
    result = run(samples / "catalogue.pdf", "--questions", asked, "-o", out)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.splitlines()[-2].split() == ["all", "3", "1", "1", "3", "of", "3", "0"]
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8-sig"))))
    assert [row["right"] for row in rows] == ["yes", "yes", "yes"]
    assert [row["section_id"] for row in rows] == ["sec_4_2_stainless_steel_304_316", "", ""]
    assert rows[2]["question"] == "'=1+1"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "name a question, or a file of them with --questions"),
        (("Who?", "--questions", "x.csv"), 2, "name a question, or a file of them with --questions"),
        (("--questions", "nowhere.csv"), 2, "nowhere.csv cannot be read: No such file or directory"),
        (("Who?", "--engine", "claude"), 4, "Claude needs a key."),
    ],
)
def test_refusals_are_one_line(arguments: tuple[str, ...], code: int, message: str, samples: Path) -> None:
    result = run(samples / "catalogue.pdf", *arguments)
    assert (result.returncode, result.stdout) == (code, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
