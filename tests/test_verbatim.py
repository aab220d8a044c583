from __future__ import annotations

import pytest

from pipeline import verbatim


def _found(quote: str, text: str) -> list[str]:
    within = verbatim.bare(text)
    sought = verbatim.needle(quote)
    starts = verbatim.occurrences(within, sought)
    return [text[slice(*within.slice(start, start + len(sought)))] for start in starts]


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("thirty  days'\nnotice", "thirty days’ notice"),
        ("agree-\nment in writing", "agreement in writing"),
        ("agree\u00adment", "agreement"),
        ("the “Term”", 'the "Term"'),
        ("»Vertrag« „neu“", '"Vertrag" “neu”'),
        ("non exclusive licence", "non-exclusive licence"),
        ("2024–2025", "2024-\n2025"),
        ("1\u00a0000 EUR", "1000 EUR"),
        ("ﬁnal offer", "final offer"),
        ("Kündigung", "Ku\u0308ndigung"),
        ("in writing.", "in writing;"),
        ("paragraph 1.", "paragraph 1.\n6.3 Licence"),
        ("H-100 driver 20", "H-100 | driver | 20"),
    ],
)
def test_what_is_set_otherwise_is_the_same(quote: str, text: str) -> None:
    assert len(_found(quote, text)) == 1


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("thirty days", "thirsty days"),
        ("the client", "the Client"),
        ("5 days", "15 days"),
        ("5 days", "1.5 days"),
        ("five days", "twenty-five days"),
        ("15 days", "10-15 days"),
        ("1015 days", "10-15 days"),
        ("3060", "30 60"),
        ("30", "30.5 per cent"),
        ("5 °C", "at −5 °C"),
        ("5 EUR", "a change of -5 EUR"),
        ("exclusive licence", "non-exclusive licence"),
        ("may assign, sell", "may assign sell"),
        ("otkaze", "otkaže"),
        ("", "anything"),
    ],
)
def test_another_letter_figure_sign_or_a_part_of_a_word_is_not(quote: str, text: str) -> None:
    assert _found(quote, text) == []


def test_a_place_leads_back_to_the_text_as_it_is() -> None:
    text = "The “Eﬀective  Date” is Ku\u0308n-\ndigung"
    within = verbatim.bare(text)
    assert within.bare == "TheEffectiveDateisKündigung"
    assert text[slice(*within.slice(3, 12))] == "Eﬀective"
    assert text[slice(*within.slice(18, 27))] == "Ku\u0308n-\ndigung"
    assert within.index(text.index("Date")) == 12


@pytest.mark.parametrize(
    ("quoted", "printed", "told"),
    [
        ("within thirty days", "within sixty days", "“thirty” is printed “sixty” (words)"),
        ("within 30 days", "within 31 days", "“30” is printed “31” (figures)"),
        ("the client", "the Client", "“client” is printed “Client” (case)"),
        ("rаce", "race", "“rаce” is printed “race” (look-alike letters)"),
        ("otkaze", "otkaže", "“otkaze” is printed “otkaže” (diacritics)"),
        ("otkaz ugovora", "отказ уговора", "“otkaz ugovora” is printed “отказ уговора” (script)"),
        ("may not end", "may end", "“not” is not printed"),
        ("may end", "may not end", "“not” is left out"),
        ("a, b", "a b", "“a, b” is printed “a b” (punctuation)"),
    ],
)
def test_differences_are_named(quoted: str, printed: str, told: str) -> None:
    assert [one.told() for one in verbatim.differences(quoted, printed)] == [told]


def test_words_that_are_only_set_otherwise_do_not_differ() -> None:
    assert verbatim.differences("agree-\nment of “twenty-five” days", "agreement of 'twenty‑five'  days") == ()
