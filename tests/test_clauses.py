from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline import answer, clauses, outline, sentences, topics, worker
from pipeline.answer import Clause
from pipeline.engine import Hit, Query
from pipeline.local import LocalEngine
from pipeline.model import Outline, Reading, Section
from pipeline.profiles import OutlineProfile, ReadingProfile
from pipeline.stems import stem
from sample_docs import agreement
from sample_docs.agreement import AgreementOptions

SIX = ["section-4-2", "section-4-5", "section-9-1", "section-9-2", "section-9-4", "appendix-b-3"]


def _read(path: Path) -> tuple[Reading, Outline]:
    reading = worker.read(path, ReadingProfile())
    return reading, outline.build(outline.features(reading), OutlineProfile())


@pytest.fixture(scope="module")
def sample(samples: Path) -> tuple[Reading, Outline]:
    return _read(samples / "agreement.pdf")


def _anchors(sample: tuple[Reading, Outline], query: str) -> list[str | None]:
    anchors = {section.section_id: section.anchor for section in sample[1].sections}
    return [anchors[hit.section_id] for hit in clauses.find(query, sample[1].sections, {})]


@pytest.mark.parametrize(
    "query",
    [
        "termination",
        "Terminate",
        "List every termination clause with the exact section number.",
        "clauses about cancellation",
        "rescission",
        "Kündigung",
        "раскид",
        "otkaz ugovora",
    ],
)
def test_the_six_termination_clauses_and_no_other(sample: tuple[Reading, Outline], query: str) -> None:
    assert _anchors(sample, query) == SIX


@pytest.mark.parametrize(
    ("query", "anchors"),
    [
        ("governing law", ["section-11-3"]),
        ("termination for convenience", ["section-4-2"]),
        ("termination or governing law", [*SIX[:5], "section-11-3", SIX[5]]),
        ("service credits", ["section-3-8", "schedule-2-4"]),
        ("insurance", ["section-12-1", "section-12-2", "section-12-3", "section-12-4"]),
        ("force majeure", ["section-9-4"]),
        ("indemnity", ["section-10-6"]),
        ("escrow", []),
        ("carbon emissions and key persons", []),
        ("ending the contract early", SIX),
        ("which country's law applies", ["section-11-3"]),
        ("list all clauses", []),
    ],
)
def test_other_queries(sample: tuple[Reading, Outline], query: str, anchors: list[str]) -> None:
    assert _anchors(sample, query) == anchors


def test_each_clause_carries_a_checked_quote_and_its_place(sample: tuple[Reading, Outline]) -> None:
    reading, outlined = sample
    found = answer.clauses(Query("termination"), outlined.sections, reading, LocalEngine())
    assert [(clause.page, clause.verdict.verdict) for clause in found] == [
        (12, "verified"), (13, "verified"), (23, "verified"), (23, "verified"), (24, "verified"), (51, "verified"),
    ]  # fmt: skip
    for clause in found:
        assert clause.section
        assert clause.quote in clause.section.content
        assert clause.verdict.source.places


def test_the_list_by_contract(sample: tuple[Reading, Outline]) -> None:
    reading, outlined = sample
    query = Query("governing law")
    told = answer.to_json(query, answer.clauses(query, outlined.sections, reading, LocalEngine()), "local")
    (clause,) = told["clauses"]
    assert (clause["anchor"], clause["number"], clause["title"]) == ("section-11-3", "11.3", "Governing Law")
    assert (clause["page"], clause["verdict"], len(clause["box"])) == (27, "verified", 4)
    assert clause["quote"].startswith("This Agreement, and any non-contractual obligation")


class _Liar:
    """An engine that names a clause that is not there, and one that says something else."""

    name = "liar"
    rows = LocalEngine.rows

    def find(self, query: Query, sections: object) -> tuple[Hit, ...]:
        return (
            Hit("sec_11_3_governing_law", "Either party may terminate this Agreement at will on ten days’ notice."),
            Hit("sec_99_termination", "The Client may terminate this Agreement"),
        )


def test_what_an_engine_invents_is_told(sample: tuple[Reading, Outline]) -> None:
    reading, outlined = sample
    one, other = answer.clauses(Query("termination"), outlined.sections, reading, _Liar())
    assert (one.verdict.verdict, one.verdict.clause) == ("invented", "section-11-3")
    assert (other.verdict.verdict, other.section, other.verdict.found_in) == ("not_found", None, "section-4-2")


@pytest.mark.parametrize(
    ("options", "query"),
    [
        (AgreementOptions(seed=21, pages=47, numbering="article", faces="roboto", vary=True), "termination"),
        (AgreementOptions(seed=22, pages=28, language="de", numbering="paragraph", vary=True), "termination"),
        (
            AgreementOptions(seed=23, pages=27, language="de", numbering="article", faces="serif", vary=True),
            "Kündigung",
        ),
        (AgreementOptions(seed=24, pages=27, language="sr-Latn", faces="dejavu", vary=True), "раскид"),
        (AgreementOptions(seed=25, pages=29, language="sr-Cyrl", numbering="article", vary=True), "termination"),
    ],
)
def test_other_numbering_languages_and_scripts(tmp_path: Path, options: AgreementOptions, query: str) -> None:
    files = agreement.write(tmp_path, options)
    truth = json.loads(files.truth.read_text(encoding="utf-8"))
    reading, outlined = _read(files.pdf)
    found = answer.clauses(Query(query), outlined.sections, reading, LocalEngine())
    assert [_known(clause) for clause in found] == [
        (clause["anchor"], clause["number"], clause["page"], "verified") for clause in truth["termination_clauses"]
    ]


def _known(clause: Clause) -> tuple[str | None, str | None, int | None, str]:
    assert clause.section
    return clause.section.anchor, clause.section.number, clause.page, clause.verdict.verdict


def _sections(*titled: tuple[str, str]) -> list[Section]:
    return [
        Section(f"s{n}", None, 1, str(n), title, 1, f"section-{n}", content)
        for n, (title, content) in enumerate(titled, start=1)
    ]


def _found(query: str, *titled: tuple[str, str], **synonyms: tuple[str, ...]) -> list[str]:
    return [hit.section_id for hit in clauses.find(query, _sections(*titled), synonyms)]


FILLER = "The Supplier shall keep records of the time spent. Each record is signed. It is kept for six years."


def test_a_word_in_passing_makes_no_clause_about_it() -> None:
    assert _found("termination", ("Records", f"{FILLER} Records are handed over on termination.")) == []
    assert (
        _found("termination", ("Records", f"{FILLER} This does not limit the right to terminate under Section 9.1."))
        == []
    )
    assert _found("termination", ("Survival", "This clause shall survive termination of this Agreement.")) == []


def test_one_sentence_that_gives_the_right_makes_its_clause_one_about_it() -> None:
    content = f"{FILLER} {FILLER} The Client may at any time terminate this Agreement in writing. {FILLER}"
    (hit,) = clauses.find("termination", _sections(("Records", content)), {})
    assert hit.quote == "The Client may at any time terminate this Agreement in writing."


def test_weak_words_need_their_object() -> None:
    assert _found("termination", ("Orders", "Either party may cancel this contract by notice.")) == ["s1"]
    assert _found("termination", ("Cover", "The insurer may cancel the policy. The card expires in May.")) == []


def test_false_friends_are_none() -> None:
    assert (
        _found("Kündigung", ("Mitteilung", "Die Ankündigung ist verbindlich. Sachkundige Personen prüfen sie.")) == []
    )
    assert _found("liability", ("Quality", "Reliability is measured. The service is reliable.")) == []


def test_definitions_are_about_none_of_their_terms() -> None:
    assert (
        _found("termination", ("Definitions", "“Termination Event” means a right to terminate this Agreement.")) == []
    )


def test_a_term_defined_by_the_topic_stands_for_it() -> None:
    sections = (
        ("Definitions", "“Exit Event” means the termination of this Agreement for any reason."),
        ("Handover", "An Exit Event requires ten days’ notice. The Exit Event is recorded."),
    )
    assert _found("termination", *sections) == ["s2"]
    assert _found("termination", sections[1]) == []


def test_a_profile_adds_words_and_topics() -> None:
    clause = ("Sunset", "The sunset of this arrangement takes effect in June.")
    assert _found("termination", clause) == []
    assert _found("termination", clause, termination=("sunset*",)) == ["s1"]
    assert _found("wind-down", clause, **{"wind-down": ("sunset",)}) == ["s1"]


def test_words_of_one_family_are_found_in_three_languages() -> None:
    assert _found("subcontract audits", ("A", "Auditing of subcontracted work is free.")) == ["s1"]
    assert (stem("assigned", "en"), stem("assignment", "en")) == ("assign", "assign")
    assert stem("Kündigungen", "de") == stem("Kündigung", "de")
    assert stem("уговора", "sr") == stem("ugovor", "sr") == "ugovor"


def test_a_long_text_without_numbers_is_listed_passage_by_passage() -> None:
    content = " ".join([FILLER] * 20) + " Either party may terminate this contract. " + " ".join([FILLER] * 5)
    content += " The Client may terminate this Agreement for cause."
    section = Section("s1", None, 1, None, "AGREEMENT", 1, None, content)
    assert [hit.quote for hit in clauses.find("termination", [section], {})] == [
        "Either party may terminate this contract.",
        "The Client may terminate this Agreement for cause.",
    ]


def test_untitled_paragraphs_belong_to_the_titled_clause_above() -> None:
    sections = [
        Section("s1", None, 1, "9", "Termination", 1, "section-9", ""),
        Section("s2", "s1", 2, "9.1", "", 1, "section-9-1", "Either party may terminate this Agreement."),
    ]
    (hit,) = clauses.find("termination", sections, {})
    assert hit == Hit("s1", "Either party may terminate this Agreement.")


def test_sentences_end_where_they_end() -> None:
    text = (
        "See Section No. 4. The fee is e.g. 1.5 per cent. “It ends.” Next one; and so on\n(a) new line. Art. 5 applies."
    )
    assert [text[start:end] for start, end in sentences.spans(text)] == [
        "See Section No. 4.", "The fee is e.g. 1.5 per cent.", "“It ends.”", "Next one; and so on",
        "(a) new line.", "Art. 5 applies.",
    ]  # fmt: skip


def test_the_shipped_topics_are_well_formed() -> None:
    assert len(topics.shipped()) > 15
    for name, words in topics.shipped().items():
        assert words.words, name
        for pattern in (*words.words, *words.weak, *words.acts, *words.titles, *words.beside, *words.apart):
            assert all(topics.spaced(word).strip() == word.strip("*") for word in pattern.split() if word != "~"), (
                pattern
            )
