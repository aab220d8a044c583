"""Ways to put a document to Claude, measured over real HTTP to a server on loopback that answers as told."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from jsonschema import Draft202012Validator

from pipeline import arms, cli, measures, worker
from pipeline.arms import Case
from pipeline.measures import Measure
from pipeline.profiles import ReadingProfile
from pipeline.store import Store
from sample_docs.statement import StatementOptions, write
from tests import claude_server
from tests.claude_server import KEY, Asked, Server
from tests.draw import Put, pdf


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with claude_server.serving(claude_server.read_rows) as started:
        for name, text in (("ANTHROPIC_API_KEY", KEY), ("ANTHROPIC_BASE_URL", started.url)):
            monkeypatch.setenv(name, text)
        monkeypatch.setenv("PAGEWITNESS_CLAUDE_RETRIES", "0")
        yield started


def case(path: Path, truth: dict[str, Any] | None = None) -> Case:
    if truth is not None:
        path.with_suffix(".truth.json").write_text(json.dumps(truth))
    return Case(path, worker.read(path, ReadingProfile()))


def measured(suite: str, on: Case) -> dict[str, Measure]:
    return {one.arm: one for one in arms.run(suite, on, "claude")}


def figures(one: Measure) -> tuple[int, int, int, int]:
    return one.expected, one.given, one.right, one.silent


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    lines = [("4 Term", 14), ("4.1 Duration", 12), ("It lasts for two years from the day of its signature.", 10)]
    lines += [("4.2 Termination", 12), ("Either party may terminate this agreement on ten days' notice.", 10)]
    lines += [("5 Law", 14), ("The law of Novaria governs it, and its courts alone are competent.", 10)]
    return pdf(tmp_path / "c.pdf", [[Put(72, 72 + 30 * at, text, size) for at, (text, size) in enumerate(lines)]])


def form(asked: Asked) -> str:
    """In which form the document came."""
    if any(part["type"] == "document" for part in asked.content):
        return "upload"
    text = dict(asked.fences).get("document", "")
    return "html" if "<html" in text else "markdown" if "# " in text else "text" if text else "sections"


def test_each_form_is_asked_the_same_and_what_is_wrong_in_a_whole_document_is_silent(
    server: Server, contract: Path
) -> None:
    def clauses(asked: Asked) -> dict[str, Any]:
        given = {"upload": ["4.2", "5"], "text": ["Section 4.2"], "markdown": ["4.1"], "html": ["section-4-2"]}
        if (came := form(asked)) != "sections":
            return {"clauses": [{"section": one, "quote": "x"} for one in given[came]]}
        quote = "Either party may terminate this agreement"
        found = [text for name, text in asked.fences if "4.2" in text]
        section = found[0].split("\n")[0].removeprefix("id: ")
        return {"clauses": [{"section_id": section, "quote": quote}, {"section_id": "sec_9", "quote": "made up"}]}

    server.answer = clauses
    found = measured("contracts", case(contract, {"termination_clauses": [{"anchor": "section-4-2"}]}))
    assert {arm: figures(one) for arm, one in found.items()} == {
        "upload": (1, 2, 1, 1),
        "text": (1, 1, 1, 0),
        "markdown": (1, 1, 0, 1),
        "html": (1, 1, 1, 0),
        "sections": (1, 2, 1, 0),  # the other one is told as not found
    }
    [sent] = [part for part in server.asked[0].content if part["type"] == "document"]
    assert base64.b64decode(sent["source"]["data"]) == contract.read_bytes()
    for asked in server.asked:
        Draft202012Validator.check_schema(asked.body["output_config"]["format"]["schema"])
    questions = {asked.content[-1]["text"] for asked in server.asked[:4]}
    assert len(questions) == 1 and all(asked.body["model"] == "claude-sonnet-5-5" for asked in server.asked)
    assert [one.calls for one in found.values()] == [1] * 5 and all(one.dollars > 0 for one in found.values())


def test_lookups_are_right_where_the_answer_names_the_section(server: Server, contract: Path) -> None:
    def answers(asked: Asked) -> dict[str, Any]:
        if form(asked) == "sections":
            return {"answers": []}
        said = {"upload": "5 Law", "text": "", "markdown": "Termination", "html": "4.2 Termination"}[form(asked)]
        return {"answers": [{"answer": said, "section": None, "quote": "x"}]}

    server.answer = answers
    sections = [{"number": "4.2", "title": "Termination"}]
    truth = {"lookups": [{"question": "Where is notice dealt with?", "sections": sections}] * 2}
    found = measured("catalogue", case(contract, truth))
    assert {arm: figures(one) for arm, one in found.items()} == {
        "upload": (2, 2, 0, 2),
        "text": (2, 0, 0, 0),
        "markdown": (2, 2, 2, 0),
        "html": (2, 2, 2, 0),
        "sections": (2, 0, 0, 0),
    }
    assert found["upload"].calls == 1  # the journal answers the same question


def test_statements_are_asked_whole_and_in_windows(server: Server, tmp_path: Path) -> None:
    def rows(asked: Asked) -> dict[str, Any]:
        if asked.pages:
            return claude_server.read_rows(asked)
        cells = {"invoice_number": "ZZ-9", "date": "09.09.2025", "description": "No such thing", "amount": "1,00"}
        row = {"kind": "row", "cells": [{"column": name, "text": text} for name, text in cells.items()]}
        return {"pages": [{"page": 1, "columns": [], "items": [row]}]}

    server.answer = rows
    server.faults = lambda number, asked: "refusal" if form(asked) == "html" else None
    made = write(tmp_path, StatementOptions(seed=4, pages=6, suppliers=2, name="s"))
    found = measured("statements", case(made.pdf))
    count = found["summary"].expected
    assert count > 50
    assert all(figures(found[arm]) == (count, count, count, 0) for arm in ("overlap", "summary"))
    assert figures(found["upload"]) == (count, 1, 0, 1)
    assert "refused by its own rules" in found["html"].fault and found["html"].accuracy is None
    assert found["apart"].calls == found["summary"].calls == 2
    states = [dict(asked.fences).get("state") for asked in server.asked if asked.pages]
    assert [state is not None for state in states] == [False, False, False, True]  # in one arm alone


def test_fields_are_asked_with_and_without_boxes_and_crops_are_read_again(server: Server, tmp_path: Path) -> None:
    lines = [(72, 100, "Invoice"), (72, 130, "Invoice no:"), (160, 130, "2025-17"), (72, 160, "Due date:")]
    path = pdf(tmp_path / "i.pdf", [[Put(x, top, text, 10) for x, top, text in [*lines, (160, 160, "2025-02-01")]]])

    def fields(asked: Asked) -> dict[str, Any]:
        shape = asked.body["output_config"]["format"]["schema"]["properties"]
        if "crops" in shape:
            return {
                "crops": [{"crop": 1, "text": "2025-17", "sure": True}, {"crop": 2, "text": "2025-02-01", "sure": True}]
            }
        common: dict[str, Any] = {"number": 0, "label": None, "page": 1, "rivals": []}
        boxed = "box" in shape["fields"]["items"]["properties"]
        box = {"box": [300, 350, 500, 380]} if boxed else {}
        wrong = {**common, "name": "due_date", "value": "2025-03-01", **box}
        return {"fields": [{**common, "name": "invoice_number", "value": "2025-17", **box}, wrong]}

    server.answer = fields
    truth = [{"invoice": 1, "name": "invoice_number", "value": "2025-17", "page": 1}]
    truth += [{"invoice": 1, "name": "due_date", "value": "2025-02-01", "normalised": "2025-02-01", "page": 1}]
    found = measured("invoices", case(path, {"fields": truth}))
    assert not any(one.fault for one in found.values())
    assert {arm: figures(one)[:3] for arm, one in found.items()} == dict.fromkeys(found, (2, 2, 1))
    silent = {arm: one.silent for arm, one in found.items()}
    assert silent == {
        **dict.fromkeys(("upload", "text", "markdown", "html", "pictures", "boxes"), 1),
        "crops": 0,
        "pipeline": 0,
    }
    with_pictures = [any(part["type"] == "image" for part in asked.content) for asked in server.asked]
    assert with_pictures == [False] * 4 + [True] * 3  # the pipeline's call is that of the arm with boxes
    assert [asked.body["model"] for asked in server.asked][-1] == "claude-haiku-5-5"


def test_the_command_keeps_measures_and_sets_what_was_published_beside(
    server: Server, contract: Path, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    case(contract, {"termination_clauses": [{"anchor": "section-4-2"}]})
    server.answer = lambda asked: {"clauses": []}
    command = ["evaluate", "contracts", "--document", str(contract)]
    monkeypatch.setenv("PAGEWITNESS_CLAUDE_UNATTENDED_DOLLARS", "0.001")
    assert cli.main([*command, "--engine", "claude"]) == 4  # what it may cost was not confirmed
    *each, total, refusal = capsys.readouterr().err.splitlines()
    assert [line.split(": claude-sonnet-5-5: 1 call, ")[0].split("contracts, ")[1] for line in each] == [
        *arms.names("contracts")
    ]
    assert "claude-sonnet-5-5: 5 calls" in total and "confirm it with --yes" in refusal
    assert not server.asked and not server.counted
    assert cli.main([*command, "--engine", "claude", "--yes"]) == 0
    assert cli.main(command) == 0
    capsys.readouterr()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert cli.main(["evaluate", "contracts", "--kept"]) == 0
    table = capsys.readouterr().out
    line = next(line for line in table.splitlines() if line.startswith("| PDF upload"))
    assert "| 0 of 1 (0.0%) |" in line and "| 71.0% | 12.4% | $0.42 per contract |" in line
    assert "claude-sonnet-5-5, 1, 20" in line and "*published* accuracy" in table
    assert "| 1 of 1 (100.0%) | 0.0% | 0 |" in next(line for line in table.splitlines() if "by rules" in line)
    assert [one.arm for one in measures.kept(Store(home), "contracts")] == [*arms.names("contracts"), "local"]
    out = tmp_path / "table.parquet"
    assert cli.main(["evaluate", "contracts", "--kept", "-o", str(out)]) == 0
    frame = pl.read_parquet(out)
    assert frame.filter(pl.col("arm") == "html")["published_accuracy"].to_list() == [0.97]
    assert frame["accuracy"].to_list()[-1] == 1.0 and set(frame["prompt"]) == {"1", ""}


def test_a_wrong_key_ends_the_evaluation_at_its_first_arm(
    server: Server, contract: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    case(contract, {"termination_clauses": [{"anchor": "section-4-2"}]})
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-wrong-0000000000")
    assert cli.main(["evaluate", "contracts", "--document", str(contract), "--engine", "claude", "--yes"]) == 4
    assert "refused the key (401)" in capsys.readouterr().err


@pytest.mark.parametrize("arm", sorted(f"{suite}.{arm}" for suite, arm in measures.published()))
def test_what_was_published_is_of_an_arm_that_there_is(arm: str) -> None:
    suite, name = arm.split(".")
    assert name in arms.names(suite)
    share = measures.published()[suite, name].accuracy
    assert share is not None and 0 < share < 1
