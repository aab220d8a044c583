from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

import pytest

from pipeline import export, render
from pipeline.model import (
    Outline,
    Section,
    UsageError,
)


def test_letters_of_all_scripts_survive() -> None:
    text = 'Набавка „Чачак", 3 kom.\nкраj'
    written = export.table_csv(("text", "broken"), [(text, "\ud800")]).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(written, newline=""))) == [["text", "broken"], [text, "?"]]


@pytest.mark.parametrize(
    "text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "-2+3", "--1", "-1_000", "-٣", "＝1"]
)
def test_formulas_are_neutralised(text: str) -> None:
    assert export.guarded(text) == "'" + text


SECTIONS = (
    Section("sec_preamble", None, 0, None, "", 1, None, "Before all."),
    Section("sec_4_tools", None, 1, "4", "Tools", 7, "section-4", ""),
    Section("sec_4_1_saws", "sec_4_tools", 2, "4.1", "Saws\u2028<b>& more", 8, "section-4-1", "X-1 | saw\n'); DROP"),
)


def test_sections_are_the_articles_list() -> None:
    assert export.sections_list(SECTIONS)[2] == {
        "section_id": "sec_4_1_saws",
        "parent_id": "sec_4_tools",
        "page": 8,
        "title": "Saws\u2028<b>& more",
        "content": "X-1 | saw\n'); DROP",
        "level": 2,
        "number": "4.1",
        "anchor": "section-4-1",
    }


def test_a_section_is_a_line_for_every_reader_of_lines() -> None:
    text = export.sections_jsonl(SECTIONS)
    assert [json.loads(line) for line in text.splitlines()] == export.sections_list(SECTIONS)
    assert export.sections_jsonl(()) == ""


def test_sections_as_a_database_answer_the_articles_questions(tmp_path: Path) -> None:
    path = tmp_path / "sections.db"
    path.write_text("an older file")
    export.sections_sqlite(SECTIONS, path)
    db = sqlite3.connect(path)
    columns = [row[1] for row in db.execute("PRAGMA table_info(sections)")]
    assert columns[:5] == ["section_id", "parent_id", "page", "title", "content"]
    assert [row[1] for row in db.execute("PRAGMA index_list(sections)") if row[1] == "idx_parent"] == ["idx_parent"]
    below = "WITH RECURSIVE b(id) AS (VALUES ('sec_4_tools') UNION ALL SELECT section_id FROM sections, b WHERE"
    assert db.execute(f"{below} parent_id = id) SELECT id FROM b").fetchall() == [("sec_4_tools",), ("sec_4_1_saws",)]
    assert db.execute("SELECT content FROM sections ORDER BY position").fetchall()[2] == ("X-1 | saw\n'); DROP",)
    assert db.execute("PRAGMA foreign_key_check").fetchall() == []
    db.close()
    assert [one.name for one in tmp_path.iterdir()] == ["sections.db"]


def test_a_database_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        export.sections_sqlite(SECTIONS, tmp_path / "absent" / "sections.db")
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        export.sections_sqlite(SECTIONS, tmp_path / "folder")
    assert [one.name for one in tmp_path.iterdir()] == ["folder"]


def markdown(title: str, content: str) -> str:
    section = Section("sec_a", None, 2, None, title, 1, None, content)
    return render.markdown(Outline((), (section,), (), (), 10.0, ()))


def test_headings_have_their_ids() -> None:
    assert markdown("Saws", "One.\nTwo.") == "## Saws {#sec_a}\n\nOne.\n\nTwo."


@pytest.mark.parametrize(
    ("printed", "written"),
    [
        ("# No heading", "\\# No heading"),
        ("#5 bolts", "#5 bolts"),
        ("<script>alert(1)</script>", "&lt;script>alert(1)&lt;/script>"),
        ("[pay](javascript:x)", "[pay]\\(javascript:x)"),
        ("[1]: http://x", "[1]\\: http://x"),
        ("```", "\\```"),
        ("====", "\\===="),
        ("---", "\\---"),
        ("> said", "\\> said"),
        ("AT&T &lt; R&D", "AT&T &amp;lt; R&D"),
        ("- a | b_c", "- a | b_c"),
    ],
)
def test_text_of_the_document_stays_text(printed: str, written: str) -> None:
    assert markdown("Saws", printed) == f"## Saws {{#sec_a}}\n\n{written}"


def test_a_title_gives_itself_no_id() -> None:
    assert markdown("Saws {#sec_b}\n# More", "") == "## Saws \\{#sec_b} # More {#sec_a}"


@pytest.mark.parametrize("text", ["-12.50", "+3", "-0.00", "INV-1", "12=3", "", "1.234,56"])
def test_numbers_and_harmless_text_stay(text: str) -> None:
    assert export.guarded(text) == text


def test_no_cell_of_any_table_starts_a_formula() -> None:
    text = export.table_csv(("quote", "page"), [("=1+1", "12"), ("plain, text", "-3")]).decode("utf-8-sig")
    assert text == 'quote,page\r\n\'=1+1,12\r\n"plain, text",-3\r\n'
