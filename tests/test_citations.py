from __future__ import annotations

import time
from pathlib import Path

import pytest

from pipeline import citations, outline, worker
from pipeline.citations import Checker, Cited, Verdict
from pipeline.model import Section, UsageError
from pipeline.profiles import OutlineProfile, ReadingProfile
from tests import forged

CONVENIENCE = "by giving the Supplier not less than ninety days’ written notice"


@pytest.fixture(scope="module")
def agreement(samples: Path) -> Checker:
    reading = worker.read(samples / "agreement.pdf", ReadingProfile())
    return Checker(outline.build(outline.features(reading), OutlineProfile()).sections, reading)


def _verdict(agreement: Checker, anchor: str, quote: str) -> Verdict:
    return agreement.verdict(Cited(anchor, quote))


def test_a_quote_in_its_clause_is_verified_with_its_place(agreement: Checker) -> None:
    found = _verdict(agreement, "section-4-2", CONVENIENCE)
    assert (found.verdict, found.clause, found.found_in) == ("verified", "section-4-2", "section-4-2")
    assert [place.page for place in found.source.places] == [12]
    assert "".join(_words(agreement, found)) == "bygivingtheSuppliernotlessthanninetydays’writtennotice."


def _words(agreement: Checker, verdict: Verdict) -> list[str]:
    """The words in the boxes of a verdict, read from the page itself."""
    return [
        word.text
        for place in verdict.source.places
        for word in agreement.reading.pages[place.page - 1].words
        if place.box.holds(*word.box.middle)
    ]


def test_a_quote_below_the_clause_is_verified_and_the_smallest_clause_named(agreement: Checker) -> None:
    found = _verdict(agreement, "Section 4", CONVENIENCE)
    assert (found.verdict, found.clause, found.found_in) == ("verified", "section-4", "section-4-2")


def test_the_invented_clause_of_the_article_is_a_wrong_section(agreement: Checker) -> None:
    found = _verdict(agreement, "Section 11.3", CONVENIENCE)
    assert (found.verdict, found.clause, found.found_in) == ("wrong_section", "section-11-3", "section-4-2")
    assert found.reason == "not in section-11-3; it stands in section-4-2"


def test_one_word_altered_is_invented_and_the_nearest_text_shows_it(agreement: Checker) -> None:
    found = _verdict(agreement, "section-4-2", CONVENIENCE.replace("ninety", "thirty"))
    assert found.verdict == "invented"
    assert found.nearest
    assert found.nearest.text == "by giving the Supplier not less than ninety days’ written notice"
    assert found.reason == "stands nowhere in the document. Nearest: “thirty” is printed “ninety” (words)"
    assert [place.page for place in found.source.places] == [12]


def test_a_quote_unlike_anything_has_no_nearest_text(agreement: Checker) -> None:
    found = _verdict(agreement, "section-4-2", "Lorem ipsum dolor sit amet consectetur")
    assert (found.verdict, found.nearest, found.source.places) == ("invented", None, ())


def test_a_clause_that_does_not_exist_is_not_found_but_the_quote_is(agreement: Checker) -> None:
    found = _verdict(agreement, "Section 44.2", CONVENIENCE)
    assert (found.verdict, found.clause, found.found_in) == ("not_found", None, "section-4-2")
    assert found.reason == "there is no clause 'Section 44.2'; the quote stands in section-4-2"
    assert found.source.places


def test_a_quote_without_a_clause_is_not_found_but_told_where(agreement: Checker) -> None:
    found = _verdict(agreement, "", CONVENIENCE)
    assert (found.verdict, found.found_in) == ("not_found", "section-4-2")


@pytest.mark.parametrize("quote", ["", "  ", "…", "“”", "."])
def test_nothing_quoted_is_no_evidence(agreement: Checker, quote: str) -> None:
    found = _verdict(agreement, "section-4-2", quote)
    assert (found.verdict, found.reason) == ("not_found", "nothing is quoted that could be checked")


def test_a_word_that_stands_everywhere_is_no_evidence(agreement: Checker) -> None:
    found = _verdict(agreement, "section-4-2", "shall")
    assert found.verdict == "not_found"
    assert found.reason.startswith("too short to tell: it stands ")


def test_a_short_quote_that_stands_once_is_evidence(agreement: Checker) -> None:
    assert _verdict(agreement, "4.2", "loss of profit").verdict == "verified"


def test_a_title_is_evidence_for_its_own_clause(agreement: Checker) -> None:
    assert _verdict(agreement, "11.3", "Governing Law").verdict == "verified"


def test_parts_around_an_ellipsis_stand_in_order_in_one_clause(agreement: Checker) -> None:
    right = "The Client may terminate this Agreement … at any time after the first Contract Year"
    assert _verdict(agreement, "4.2", right).verdict == "verified"
    swapped = "at any time after the first Contract Year [...] The Client may terminate this Agreement"
    assert _verdict(agreement, "4.2", swapped).verdict == "invented"
    apart = "The Client may terminate this Agreement ... without regard to its rules on the conflict of laws"
    assert _verdict(agreement, "4.2", apart).verdict == "invented"
    assert _verdict(agreement, "11.3", right).found_in == "section-4-2"


def test_what_is_printed_outside_of_the_clauses_is_told(agreement: Checker) -> None:
    found = _verdict(agreement, "section-4-2", "for application development, hosting and support services")
    assert (found.verdict, found.found_in) == ("wrong_section", None)
    assert found.reason == "not in section-4-2; it is printed on page 1, outside of all clauses"


def test_a_quote_over_the_end_of_a_page_has_places_on_both(agreement: Checker) -> None:
    pages = {}
    for section in agreement.sections:
        for paragraph in section.content.split("\n"):
            source = agreement.pages.place(paragraph, section)
            pages[paragraph] = {place.page for place in source.places}
    broken = [paragraph for paragraph, on in pages.items() if len(on) == 2 and len(paragraph) > 60]
    assert broken
    for paragraph in broken:
        home = next(section for section in agreement.sections if paragraph in section.content)
        found = agreement.verdict(Cited(home.section_id, paragraph))
        assert found.verdict == "verified"
        assert "".join(_words(agreement, found)).replace("-", "") == "".join(paragraph.split()).replace("-", "")


def test_a_thousand_true_citations_set_otherwise_are_verified(agreement: Checker) -> None:
    started = time.monotonic()
    wrong = []
    for made in forged.true_ones(agreement.sections, 7, 1000):
        found = agreement.verdict(made.cited)
        if found.verdict != "verified" or not found.source.places:
            wrong.append((made.cited, found.verdict))
    assert wrong == []
    assert time.monotonic() - started < 15


def test_a_thousand_forged_citations_get_the_verdict_they_deserve(agreement: Checker) -> None:
    started = time.monotonic()
    wrong = []
    for made in forged.forged_ones(agreement.sections, 8, 1000):
        found = agreement.verdict(made.cited)
        if found.verdict != made.expected or not _at_home(agreement, found, made.home):
            wrong.append((made.cited, made.expected, found.verdict, found.found_in))
    assert wrong == []
    assert time.monotonic() - started < 15


def _at_home(agreement: Checker, verdict: Verdict, home: Section | None) -> bool:
    """Whether the clause that a quote was taken from is named, or the nearest text shown for an altered one."""
    if home is None or home.anchor is None:
        return True
    if verdict.verdict == "invented":
        return verdict.nearest is not None
    return any(name and name.startswith(home.anchor) for name in (verdict.found_in, *verdict.also_in))


def test_citations_come_as_a_list_or_as_what_our_commands_print() -> None:
    wanted = (Cited("section-4-2", "x"), Cited("4.5", ""))
    listed = '[{"anchor": "section-4-2", "quote": "x"}, {"anchor": null, "number": "4.5", "quote": null}]'
    assert citations.loads(listed) == wanted
    assert citations.loads('{"clauses": ' + listed + "}") == wanted


@pytest.mark.parametrize("text", ["", "{}", "3", "[3]", '[{"quote": 4}]', '[{"anchor": [], "quote": ""}]'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="citation"):
        citations.loads(text)


def test_verdicts_are_told_by_contract(agreement: Checker) -> None:
    told = citations.to_json([_verdict(agreement, "11.3", CONVENIENCE), _verdict(agreement, "4.2", "ninety-one days")])
    first, second = told["citations"]
    assert (first["anchor"], first["verdict"], first["found_in"]) == ("11.3", "wrong_section", "section-4-2")
    assert (first["page"], first["nearest"], len(first["box"])) == (12, None, 4)
    assert (second["verdict"], second["page"], second["box"]) == ("invented", None, None)
    assert told["summary"] == {"verified": 0, "wrong_section": 1, "invented": 1, "not_found": 0}
