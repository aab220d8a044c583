"""Counts of tokens, what sending a document costs, and chunks of complete clauses."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest

from pipeline import chunks, cli, inputs, tokens
from pipeline.model import Document, Outline, Reading, Section, UsageError


def section(name: str, number: str | None, title: str, content: str, parent: str | None = None) -> Section:
    anchor = f"section-{number.replace('.', '-')}" if number else None
    return Section(name, parent, 2 if parent else 1, number, title, 4, anchor, content)


def test_count_is_the_tokenizers_own() -> None:
    assert tokens.count("The Supplier shall deliver.") == 6
    assert tokens.count("") == 0
    assert tokens.counts(["The Supplier", "\ud800"]) == [3, 1]
    long = "The Supplier shall deliver the Goods.\n" * 5000
    assert abs(tokens.count(long) - 5000 * tokens.count(long[:38])) <= 20


def test_cost_is_by_the_dated_price_list() -> None:
    price = tokens.price("claude-opus-5-5")
    assert price.of(250_000) == Decimal("1.0000")
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", price.date)
    assert tokens.price().model == "claude-sonnet-5-5"
    with pytest.raises(UsageError, match=r"gpt has no price; known: claude-opus-5-5"):
        tokens.price("gpt")


def test_an_uploaded_pdf_is_its_text_and_a_picture_of_each_page() -> None:
    assert tokens.upload(36_000, 52) == 36_000 + 52 * 1600


CLAUSE = "The Supplier shall:\n" + "\n".join(f"({letter}) {'deliver the goods, ' * 30}and pay;" for letter in "abcd")


def test_a_clause_within_the_limit_is_one_chunk() -> None:
    found = chunks.of([section("s4", "4", "Term", ""), section("s41", "4.1", "Duties", CLAUSE, "s4")], 5000)
    assert [(one.anchor, one.breadcrumb, one.page, one.parts) for one in found] == [
        ("section-4-1", ("4 Term", "4.1 Duties"), 4, 1)
    ]
    assert found[0].text == f"4.1 Duties\n{CLAUSE}"
    assert found[0].anchors == ("section-4-1-a", "section-4-1-b", "section-4-1-c", "section-4-1-d")
    assert found[0].tokens == tokens.count(found[0].text)


def test_a_long_clause_is_cut_between_its_paragraphs() -> None:
    found = chunks.of([section("s41", "4.1", "Duties", CLAUSE)], 330)
    assert [(one.part, one.parts, one.anchor, one.anchors, one.over_limit) for one in found] == [
        (1, 2, "section-4-1", ("section-4-1-a", "section-4-1-b"), False),
        (2, 2, "section-4-1-c", ("section-4-1-c", "section-4-1-d"), False),
    ]
    assert found[1].text.startswith("4.1 Duties\n(c) deliver")


def test_a_paragraph_over_the_limit_stays_whole_and_says_so() -> None:
    found = chunks.of([section("s41", "4.1", "Duties", CLAUSE)], 60)
    assert [(one.anchors, one.over_limit) for one in found] == [
        ((), False),
        (("section-4-1-a",), True),
        (("section-4-1-b",), True),
        (("section-4-1-c",), True),
        (("section-4-1-d",), True),
    ]


def test_definitions_are_cut_between_terms() -> None:
    content = "\n".join(f"“{term}” means {'any thing that is so, ' * 20}." for term in ("Alpha", "Beta"))
    found = chunks.of([section("s1", "1", "Definitions", content)], 180)
    assert [one.text.split(" means")[0] for one in found] == ["1 Definitions\n“Alpha”", "1 Definitions\n“Beta”"]


def test_a_heading_alone_is_a_chunk_only_where_nothing_stands_under_it() -> None:
    found = chunks.of(
        [section("a", "1", "One", ""), section("b", "1.1", "Two", "x", "a"), section("c", "2", "Three", "")], 99
    )
    assert [one.section_id for one in found] == ["b", "c"]


def test_chunks_are_a_line_each() -> None:
    text = chunks.to_jsonl(chunks.of([section("a", None, "One", "x\u2028y")], 99))
    assert text.count("\n") == 1 and len(text.splitlines()) == 1
    assert json.loads(text)["text"] == "One\nx\u2028y"


def test_forms_are_compared() -> None:
    reading = Reading(Document("0" * 64, "a.pdf", 2, "digital", "en"), ())
    outline = Outline((), (section("a", "1", "One", "Some words."),), (), (), 10.0, ())
    found = inputs.compare(reading, outline, "<p>Some words.</p>", 99)
    assert [one.name for one in found.inputs] == ["raw", "stripped", "markdown", "html", "pdf"]
    told = inputs.to_json(found)
    assert told["html"] == tokens.count("<p>Some words.</p>")
    assert told["chunks"] == [tokens.count("1 One\nSome words.")]
    assert "an estimate" in told["method"] and "an estimate" in told["pdf_method"]
    assert "anchored HTML" in inputs.to_text(found) and told["price"]["date"] in inputs.to_text(found)


def test_the_command_prints_the_forms_of_a_file(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--tokens"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert [line[:20].strip() for line in table[:6]] == [
        "form",
        "raw text",
        "without boilerplate",
        "Markdown",
        "anchored HTML",
        "PDF upload",
    ]
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--tokens", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["tokens"]
    assert told["stripped"] < told["raw"] < told["html"]
    assert told["pdf"] == told["raw"] + 52 * 1600


def test_the_command_writes_html_and_chunks(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, lines = tmp_path / "a.html", tmp_path / "a.jsonl"
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--format", "html", "-o", str(page)]) == 0
    assert '<section id="section-4-2" data-section-id="sec_4_2_' in page.read_text(encoding="utf-8")
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--format", "chunks", "-o", str(lines)]) == 0
    found = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    assert "section-9-1" in [one["anchor"] for one in found]
    assert cli.main(["sections", str(samples / "agreement.pdf"), "--format", "html", "--tokens"]) == 2
    assert "leave --format out" in capsys.readouterr().err
