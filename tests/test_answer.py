"""Questions to the samples: what is there is found and quoted, what is not there is never answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from pipeline import answer, facts, outline, worker
from pipeline.answer import Answer, Book
from pipeline.engine import Passage, Reply
from pipeline.local import LocalEngine
from pipeline.profiles import Profile


def read(path: Path) -> Book:
    profile = Profile()
    reading = worker.read(path, profile.reading)
    outlined = outline.build(outline.features(reading), profile.outline)
    return Book(outlined.sections, reading, facts.find(outlined.removed))


@pytest.fixture(scope="module")
def catalogue(samples: Path) -> Book:
    return read(samples / "catalogue.pdf")


@pytest.fixture(scope="module")
def agreement(samples: Path) -> Book:
    return read(samples / "agreement.pdf")


def ask(question: str, book: Book) -> Answer:
    return answer.ask(question, book, LocalEngine())


# ---- lookups


def test_all_lookups_of_the_catalogue_are_right_and_cheap(catalogue: Book, samples: Path) -> None:
    truth = json.loads((samples / "catalogue.truth.json").read_text(encoding="utf-8"))["lookups"]
    titles = {one.section_id: (one.number, one.title) for one in catalogue.sections}
    found = [ask(one["question"], catalogue) for one in truth]
    wrong = []
    for one, given in zip(truth, found, strict=True):
        cited = [titles[name] for name in (given.section_id, *given.alternatives) if name]
        if (given.answer, cited) != (one["category"], [(name["number"], name["title"]) for name in one["sections"]]):
            wrong.append((one["question"], given.answer, cited))
    assert len(found) == 100
    assert wrong == []
    assert median(one.tokens for one in found) <= 500
    assert catalogue.tokens > 100 * median(one.tokens for one in found)
    assert sum(one.status == "confirmed" for one in found) >= 90
    assert [one.status for one in found if one.alternatives] == ["review"] * 3


@pytest.mark.parametrize(
    ("question", "said", "section_id", "status"),
    [
        ("Which category is X-204 in?", "Stainless Steel (304/316)", "sec_4_2_stainless_steel_304_316", "confirmed"),
        ("x204 category?", "Stainless Steel (304/316)", "sec_4_2_stainless_steel_304_316", "confirmed"),
        (
            "In welcher Kategorie ist X-204?",
            "Stainless Steel (304/316)",
            "sec_4_2_stainless_steel_304_316",
            "confirmed",
        ),
        ("У којој категорији је X-204?", "Stainless Steel (304/316)", "sec_4_2_stainless_steel_304_316", "confirmed"),
        ("Which section is X-204 in?", "4.2 Stainless Steel (304/316)", "sec_4_2_stainless_steel_304_316", "confirmed"),
        ("Which chapter is X-204 in?", "4 Industrial Fasteners", "sec_4_industrial_fasteners", "confirmed"),
        ("On which page is X-204?", "17", "sec_4_2_stainless_steel_304_316", "review"),
        ("What is the thread of X-204?", "M8x40", "sec_4_2_stainless_steel_304_316", "review"),
        ("What is the thread of the X-204 hex bolt?", "M8x40", "sec_4_2_stainless_steel_304_316", "review"),
        ("What is the material of X-204?", "316 grade", "sec_4_2_stainless_steel_304_316", "review"),
        ("How much does X-204 cost?", "7.00 EUR", "sec_4_2_stainless_steel_304_316", "review"),
        ("What is the price of X-204 in euros?", "7.00 EUR", "sec_4_2_stainless_steel_304_316", "review"),
        ("Was kostet X-204?", "7.00 EUR", "sec_4_2_stainless_steel_304_316", "review"),
        ("Која је цена производа X-204?", "7.00 EUR", "sec_4_2_stainless_steel_304_316", "review"),
        ("How many pieces of X-204 are in a pack?", "100", "sec_4_2_stainless_steel_304_316", "review"),
        ("Which category are silicone sealants in?", "Sealants", "sec_10_2_sealants", "review"),
        ("How long is the replacement promise for steel tools?", "two-year", "sec_1_hand_tools", "review"),
    ],
)
def test_what_the_catalogue_says(question: str, said: str, section_id: str, status: str, catalogue: Book) -> None:
    found = ask(question, catalogue)
    assert (found.answer, found.section_id, found.status) == (said, section_id, status)
    assert found.given[0].verdict.verdict == "verified"


@pytest.mark.parametrize(
    ("question", "said", "section_id", "status"),
    [
        (
            'What does "Affiliate" mean?',
            "“Affiliate” means any entity that controls, is controlled by, or is under common control with a party.",
            "sec_1_1_defined_terms",
            "confirmed",
        ),
        (
            "What is an Affiliate?",
            "“Affiliate” means any entity that controls, is controlled by, or is under common control with a party.",
            "sec_1_1_defined_terms",
            "confirmed",
        ),
        (
            "When does the agreement start?",
            "“Effective Date” means the date stated on the cover of this Agreement.",
            "sec_1_1_defined_terms",
            "review",
        ),
        ("Who is the Supplier?", "Brackwater Cloud Ltd", "sec_parties", "review"),
        ("Wer ist der Client?", "Ostrander Digital plc", "sec_parties", "review"),
        (
            "What is the notice period for termination for convenience?",
            "ninety days",
            "sec_4_2_termination_for_convenience",
            "review",
        ),
        ("What is the notice period in section 4.2?", "ninety days", "sec_4_2_termination_for_convenience", "review"),
        (
            "Section 7.3(b)",
            "(b) make available to the Supplier independently developed information and, if the Supplier so asks, "
            "cooperate with the Supplier in preparing information already in the public domain;",
            "sec_7_3_exceptions",
            "confirmed",
        ),
    ],
)
def test_what_the_agreement_says(question: str, said: str, section_id: str, status: str, agreement: Book) -> None:
    found = ask(question, agreement)
    assert (found.answer, found.section_id, found.status) == (said, section_id, status)
    assert found.given[0].verdict.verdict == "verified"


@pytest.mark.parametrize(
    "question",
    ["What is the governing law?", "Which law applies to this agreement?", "What is the applicable law?"],
)
def test_the_governing_law_in_other_words(question: str, agreement: Book) -> None:
    found = ask(question, agreement)
    assert found.section_id == "sec_11_3_governing_law"
    assert found.answer is not None
    assert found.answer.startswith("This Agreement, and any non-contractual obligation that arises out of")
    place = found.given[0].place
    assert place is not None and place.page == 27


def test_clauses_about_something_are_all_given(agreement: Book) -> None:
    found = ask("Which clauses deal with insurance?", agreement)
    assert (found.section_id, *found.alternatives) == (
        "sec_12_1_required_cover", "sec_12_2_evidence_of_insurance", "sec_12_3_changes_in_cover",
        "sec_12_4_claims_under_policies",
    )  # fmt: skip


def test_the_cover_is_told_beside_a_definition_that_points_to_it(agreement: Book) -> None:
    assert ask("When does the agreement start?", agreement).notes == ("the cover says: Dated 14 April 2025, page 1",)


def test_what_the_quoted_words_refer_to_is_told(agreement: Book) -> None:
    found = ask("What does section 4.2 say?", agreement)
    assert found.notes[0] == "it refers to Section 7.3(b): 7.3 Exceptions, page 19"
    assert len(found.notes) == 2


def test_what_is_sent_holds_the_titles_above_and_what_they_say(catalogue: Book) -> None:
    (step,) = ask("Which category is X-204 in?", catalogue).steps
    (passage,) = step.passages
    assert passage.text.split("\n")[:1] == ["4 Industrial Fasteners"]
    assert "All-purpose fasteners for structural applications, machinery and plant." in passage.text
    assert "[sec_4_2_stainless_steel_304_316] 4.2 Stainless Steel (304/316)" in passage.text
    assert passage.text.endswith("Code | Product | Pack | EUR\nX-204 | M8x40 hex bolt, 316 grade | 100 | 7.00")


# ---- what is not there


def absent_products() -> Iterator[str]:
    for code in (
        "X-999",
        "X-20",
        "X-2041",
        "AX-204",
        "Q-100",
        "X-204B",
        "H-1",
        "Z-001",
        "M9x41",
        "K7-204",
        "W-77",
        "B-5001",
    ):
        yield f"Which category is {code} in?"
        yield f"What is the price of {code}?"
        yield f"Under which heading is {code} listed?"
        yield f"What is {code}?"
    for code in ("X-204", "H-300", "A-334", "C-113"):
        for what in (
            "weight",
            "colour",
            "voltage",
            "warranty",
            "delivery time",
            "manufacturer",
            "thread pitch",
            "length",
        ):
            yield f"What is the {what} of {code}?"
        yield f"What is the price of {code} in USD?"
        yield f"How many {code} are in stock?"
        yield f"When was {code} introduced?"
    for what in ("washer", "socket screw", "nut", "garden hose"):
        yield f"What is the thread of the X-204 {what}?"
    yield "Wie schwer ist X-204?"
    yield "Koja je boja proizvoda X-204?"
    yield "Који је напон производа X-204?"


def absent_from_the_catalogue() -> Iterator[str]:
    topics = """
    governing law|notice period|return policy
    warranty period|delivery time|minimum order quantity
    phone number|payment term|interest rate|liability cap
    registered office|VAT number|opening date|shipping cost|discount rate"""
    for topic in topics.strip().replace("\n", "|").split("|"):
        yield f"What is the {topic.strip()}?"
    for things in ("wine glasses", "office chairs", "steel-toe sandals", "solar panels", "bicycles"):
        yield f"Which category are {things} in?"
    yield from ("Who is the supplier?", "Who is the managing director?", "When does the catalogue expire?")
    yield from ('What does "Affiliate" mean?', "Section 12.7", "What does section 4.9 say?")


def absent_from_the_agreement() -> Iterator[str]:
    terms = """
    Subsidiary|Escrow Agent|Purchase Price|Guarantor|Change of Law|Permitted Holder|Base Salary
    Net Asset Value|Landlord|Qualified Investor"""
    for term in terms.strip().replace("\n", "|").split("|"):
        yield f'What does "{term.strip()}" mean?'
        yield f"Who is the {term.strip().lower()}?"
    for number in ("17.1", "99", "4.9", "7.3(z)", "0.1", "11.33"):
        yield f"Section {number}"
        yield f"What does clause {number} say?"
    yield from ("Schedule 9", "Appendix Z", "Schedule 2, paragraph 19", "Article XX")
    facts_absent = """
    purchase price|monthly rent|annual salary|interest rate for late payments
    insurance deductible|liability cap in euros|penalty for late delivery|arbitration seat|number of employees
    stock option vesting period
    non-compete period|governing law of the lease|commitment fee|signing bonus|share capital|probation period
    exclusive territory|minimum purchase quantity|royalty rate|bank account number|phone number of the Client
    confidentiality period|response time|licence term|warranty period|initial term|renewal term
    uptime target|availability target|mediator|sanctions list|payment period|insurance cover
    e-mail address of the Supplier|place of arbitration|maximum number of vehicles|warranty period for tyres
    notice period for redundancy|closing date of the acquisition|currency of the loan|dividend per share|flood level"""
    for fact in facts_absent.strip().replace("\n", "|").split("|"):
        yield f"What is the {fact.strip()}?"
    yield from ("Which clauses deal with parking permits?", "Which section covers animal welfare?")
    yield from ("Which clauses deal with drone insurance?", "Who is the chief executive of the Client?")
    yield from ("Wie hoch ist die Kaution?", "Wer ist der Vermieter?", "Kolika je zakupnina?", "Ко је јемац?")
    yield from ("How many shares were issued?", "How many parking spaces are there?", "Where is the swimming pool?")
    yield from ("Which category is X-204 in?", "What is the price of X-204?", "What is the thread of X-204?")


def assert_unanswered(questions: Sequence[str], book: Book) -> None:
    answered = {question: found.answer for question in questions if (found := ask(question, book)).answer is not None}
    assert answered == {}


def test_two_hundred_questions_that_the_samples_do_not_answer(catalogue: Book, agreement: Book) -> None:
    of_catalogue = [*absent_products(), *absent_from_the_catalogue()]
    of_agreement = list(absent_from_the_agreement())
    assert len({*of_catalogue, *of_agreement}) >= 200
    assert_unanswered(of_catalogue, catalogue)
    assert_unanswered(of_agreement, agreement)


def test_what_is_not_there_is_said_with_what_was_tried(agreement: Book) -> None:
    found = ask("What is the purchase price?", agreement)
    assert (found.answer, found.section_id, found.given, found.status) == (None, None, (), "review")
    assert [step.what for step in found.steps] == [
        "its words", "what these refer to, stand under and beside", "other words for the same",
        "more sections with its words",
    ]  # fmt: skip
    assert len(found.tried) == len(set(found.tried)) == sum(len(step.passages) for step in found.steps) > 10
    assert found.reasons == ("not in this document, as far as the sections tried tell",)


# ---- what another engine may do


class _Liar(LocalEngine):
    """An engine that quotes what is not there, names a section that is not there, or gives another answer."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("liar")
        self.reply = reply

    def answer(self, question: str, passages: Sequence[Passage]) -> tuple[Reply, ...]:
        return (self.reply,)


ROW = "X-204 | M8x40 hex bolt, 316 grade | 100 | 7.00"
HOME = "sec_4_2_stainless_steel_304_316"


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        (Reply("Stainless Steel (304/316)", HOME, ROW.replace("M8x40", "M8x45")), "invented"),
        (Reply("Stainless Steel (304/316)", "sec_99", ROW), "not_found"),
        (Reply("Hex Bolts", "sec_4_1_1_hex_bolts", ROW), "wrong_section"),
        (Reply("Garden Tools", HOME, ROW), "verified"),
        (Reply("Stainless Steel (304/316)", HOME, "X-203 | M8x40 threaded rod, 316 grade | 50 | 105.01"), "verified"),
    ],
)
def test_what_an_engine_gets_wrong_is_never_confirmed(reply: Reply, verdict: str, catalogue: Book) -> None:
    found = answer.ask("Which category is X-204 in?", catalogue, _Liar(reply))
    assert (found.status, found.given[0].verdict.verdict) == ("review", verdict)
    assert found.reasons


def test_a_row_that_only_ocr_read_is_in_review(catalogue: Book) -> None:
    pages = tuple(replace(page, origin="ocr") for page in catalogue.reading.pages)
    book = Book(catalogue.sections, replace(catalogue.reading, pages=pages))
    found = ask("Which category is X-204 in?", book)
    assert (found.answer, found.status) == ("Stainless Steel (304/316)", "review")
    assert found.reasons[0].startswith("page 17 was read by one reader only")


# ---- as JSON and as text


def test_an_answer_by_contract(catalogue: Book) -> None:
    told = answer.answer_json(ask("Which category is X-204 in?", catalogue), "local")
    assert {name: told[name] for name in ("answer", "section_id", "alternatives", "quote", "page", "status")} == {
        "answer": "Stainless Steel (304/316)",
        "section_id": HOME,
        "alternatives": [],
        "quote": ROW,
        "page": 17,
        "status": "confirmed",
    }
    assert [crumb["number"] for crumb in told["context"]] == ["4", "4.2"]
    assert (told["tried"], told["verdict"], len(told["box"])) == ([HOME], "verified", 4)
    assert 100 < told["tokens"] < 300


def test_an_answer_in_two_places_by_contract(catalogue: Book) -> None:
    told = answer.answer_json(ask("Under which heading is C-300 listed?", catalogue), "local")
    assert (told["answer"], told["status"]) == ("Cutting Discs / Lubricants", "review")
    assert (told["section_id"], told["alternatives"]) == ("sec_3_1_1_cutting_discs", ["sec_10_3_lubricants"])
    assert [(other["answer"], other["page"], other["verdict"]) for other in told["others"]] == [
        ("Lubricants", 38, "verified")
    ]
