"""The commands `clauses` and `citations` as a person calls them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.cli import main
from sample_docs import agreement
from sample_docs.agreement import AgreementOptions

SIX = ["section-4-2", "section-4-5", "section-9-1", "section-9-2", "section-9-4", "appendix-b-3"]
ANSWER = """# Termination
- **Section 4.2**: "The Supplier may not terminate for convenience"
- **Section 11.3**: "Either party may terminate this Agreement at the request of a regulator."
- “No compensation is payable by reason only of termination under this clause.” (§ 4.4)

See also Section 99.
"""


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> Any:
    assert main([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_termination_clauses_of_the_sample_are_those_of_its_truth(
    samples: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = json.loads((samples / "agreement.truth.json").read_text(encoding="utf-8"))["termination_clauses"]
    told = _printed(capsys, "clauses", samples / "agreement.pdf", "termination")["clauses"]
    assert [(clause["anchor"], clause["number"], clause["page"]) for clause in told] == [
        (clause["anchor"], clause["number"], clause["page"]) for clause in truth
    ]
    assert {clause["verdict"] for clause in told} == {"verified"}
    assert set(told[0]) >= {"section_id", "anchor", "number", "title", "quote", "page", "box", "verdict"}


def test_a_list_may_be_checked_as_citations(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cited.json"
    file.write_text(json.dumps(_printed(capsys, "clauses", samples / "agreement.pdf", "termination")), encoding="utf-8")
    told = _printed(capsys, "citations", samples / "agreement.pdf", file)
    assert [(one["anchor"], one["verdict"], one["found_in"]) for one in told["citations"]] == [
        (anchor, "verified", anchor) for anchor in SIX
    ]


def test_a_pasted_answer_is_judged(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "answer.md"
    file.write_text(ANSWER, encoding="utf-8")
    told = _printed(capsys, "citations", samples / "agreement.pdf", file)
    assert [(one["anchor"], one["verdict"], one["found_in"]) for one in told["citations"]] == [
        ("Section 4.2", "verified", "section-4-2"),
        ("Section 11.3", "invented", None),
        ("§ 4.4", "wrong_section", "section-4-5"),
    ]
    assert told["unquoted"] == [{"anchor": "Section 99", "clause": None, "title": None}]
    assert main(["citations", str(samples / "agreement.pdf"), str(file), "--strict"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "verified       Section 4.2      page 12   The Supplier may not terminate for convenience"
    assert lines[-2:] == [
        "nothing quoted Section 99       there is no such clause",
        "1 of 3 citations are verified",
    ]


def test_citations_come_through_a_pipe(
    samples: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('```json\n[{"anchor": "4.2", "quote": "loss of profit"}]\n```'))
    (told,) = _printed(capsys, "citations", samples / "agreement.pdf", "-")["citations"]
    assert told["verdict"] == "verified"


def test_a_person_gets_the_clauses_with_their_quotes(samples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["clauses", str(samples / "agreement.pdf"), "governing law", "--strict"]) == 0
    first, quote, count = capsys.readouterr().out.splitlines()
    assert first == "11.3             Governing Law · page 27 · verified"
    assert quote.strip().startswith("“This Agreement, and any non-contractual obligation")
    assert count == "1 clause about 'governing law'"
    assert main(["clauses", str(samples / "agreement.pdf"), "escrow"]) == 0
    assert capsys.readouterr().out == "no clause is about 'escrow'\n"


def test_a_profile_adds_synonyms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = agreement.write(tmp_path, AgreementOptions(seed=5, pages=25, language="sr-Latn"))
    profile = tmp_path / "own.toml"
    profile.write_text('name = "own"\n[clauses]\nsynonyms = { docnja = ["rok plac*"] }\n', encoding="utf-8")
    assert _printed(capsys, "clauses", files.pdf, "docnja")["clauses"] == []
    (told,) = _printed(capsys, "clauses", files.pdf, "docnja", "--profile", profile)["clauses"]
    assert told["title"] == "Rok plaćanja"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            ("clauses", "agreement.pdf", "termination", "--engine", "claude"),
            4,
            "the local engine (--engine local) needs none",
        ),
        (("citations", "agreement.pdf", "absent.json"), 2, "absent.json cannot be read"),
        (("citations", "agreement.pdf", "agreement.pdf"), 2, "is no text in UTF-8"),
        (("citations", "agreement.pdf", "catalogue.truth.json"), 2, "the citations must be a list"),
    ],
)
def test_refusals_are_one_line(
    samples: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    says: str,
) -> None:
    monkeypatch.chdir(samples)
    assert main(arguments) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert says in printed.err
