"""What cover and signature blocks say: values as printed, with their pages, and nothing that no word says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import facts, outline, render
from pipeline.model import Box, Outline, Removed
from pipeline.profiles import OutlineProfile, Profile
from tests.draw import Put, column, pdf, reading

COVER, SIGNATURE = "cover page", "signature block"


def ledger(reason: str, lines: Sequence[str], page: int = 1, heights: Sequence[float] = ()) -> list[Removed]:
    sizes = heights or [10.0] * len(lines)
    return [
        Removed(page, text, reason, Box(72, 100 + 30 * at, 300, 100 + 30 * at + size), 1)
        for at, (text, size) in enumerate(zip(lines, sizes, strict=True))
    ]


def told(removed: Sequence[Removed]) -> list[tuple[str, str, str]]:
    return [(fact.name, fact.value, fact.about) for fact in facts.find(removed)]


def test_a_cover_names_title_date_and_parties() -> None:
    lines = (
        "Master Services",
        "Agreement",
        "between",
        "Norvik Ltd",
        "and",
        "Velmont plc",
        "Dated 14 April 2025",
        "Ref. 7",
    )
    assert told(ledger(COVER, lines, heights=(27, 27, 12, 17, 12, 17, 11, 11))) == [
        ("document title", "Master Services Agreement", ""),
        ("date", "14 April 2025", ""),
        ("party", "Norvik Ltd", ""),
        ("party", "Velmont plc", ""),
    ]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (
            ("Dienstleistungsvertrag", "zwischen", "Norvik GmbH", "und", "Velmont AG", "Wirksam ab 1. Mai 2025"),
            ["Norvik GmbH", "Velmont AG", "1. Mai 2025"],
        ),
        (
            ("Уговор о услугама", "између", "Норвик д.о.о.", "и", "Велмонт а.д.", "Ступа на снагу: 1.5.2025."),
            ["Норвик д.о.о.", "Велмонт а.д.", "1.5.2025."],
        ),
        (
            ("Contrat de services", "entre", "Norvik SARL", "et", "Velmont SA", "Date d'effet : 1 mai 2025"),
            ["Norvik SARL", "Velmont SA", "1 mai 2025"],
        ),
    ],
)
def test_parties_and_effective_dates_in_other_languages(lines: tuple[str, ...], wanted: list[str]) -> None:
    found = facts.find(ledger(COVER, lines))
    assert [fact.value for fact in found if fact.name == "party"] == wanted[:2]
    assert [fact.value for fact in found if fact.name == "effective date"] == wanted[2:]


def test_roles_and_one_line_covers_name_parties() -> None:
    assert told(ledger(COVER, ("Indenture", "NORVIK LTD, as Issuer", "Indenture dated as of 1 May 2025"))) == [
        ("document title", "Indenture", ""),
        ("party", "NORVIK LTD", ""),
    ]
    named = told(ledger(COVER, ("Agreement between Norvik Ltd and Velmont plc",)))
    assert [value for name, value, _ in named if name == "party"] == ["Norvik Ltd", "Velmont plc"]


def test_no_party_is_made_up() -> None:
    assert told(ledger(COVER, ("Lease", "Norvik House", "Harbour Street"))) == [("document title", "Lease", "")]
    open_and = told(ledger(COVER, ("Agreement between Smith and Sons and Velmont plc",)))
    assert [name for name, _, _ in open_and] == ["document title"]


def test_a_signature_block_says_who_signs_as_what_for_whom_and_when() -> None:
    lines = ("NORVIK LTD", "By: /s/ Ana Norvik", "Name: Ana Norvik", "Title: Director", "Date: 12 March 2026")
    assert told(ledger(SIGNATURE, lines)) == [
        ("party", "NORVIK LTD", ""),
        ("signatory", "Ana Norvik", "NORVIK LTD"),
        ("signatory's title", "Director", "Ana Norvik"),
        ("signing date", "12 March 2026", "Ana Norvik"),
    ]


def test_blanks_give_no_fact() -> None:
    assert told(ledger(SIGNATURE, ("By: ________", "Name: ________", "Title:", "Date: __________"))) == []


def test_whose_a_second_signature_is_stays_open() -> None:
    lines = (
        "NORVIK LTD",
        "By: ____",
        "Name: Ana Norvik",
        "By: ____",
        "Name: Petar Velmont",
        "EXECUTIVE",
        "By: Mary Dill",
    )
    assert [item for item in told(ledger(SIGNATURE, lines)) if item[0] != "party"] == [
        ("signatory", "Ana Norvik", "NORVIK LTD"),
        ("signatory", "Petar Velmont", ""),
        ("signatory", "Mary Dill", ""),
    ]


def test_a_company_below_who_signs_is_no_party() -> None:
    lines = ("By:", "______________", "P. Norvik", "Norvik Law LLC")
    close = [replace(line, box=line.box._replace(top=100 + 12 * at, bottom=110 + 12 * at))
             for at, line in enumerate(ledger(SIGNATURE, lines))]  # fmt: skip
    assert told(close) == [("signatory", "P. Norvik", "")]


def test_draft_state_and_bates_range_come_from_stamps() -> None:
    stamped = [
        *ledger("draft stamp", ("Draft 12/3/2026",)),
        *ledger("Bates number", ("NVK0000098",)),
        *ledger("watermark", ("Confidential",)),
        *ledger("Bates number", ("NVK0000099",), page=2),
        *ledger("draft stamp", ("Draft 12/3/2026",), page=2),
    ]
    assert told(stamped) == [
        ("draft state", "Draft 12/3/2026", ""),
        ("first Bates number", "NVK0000098", ""),
        ("last Bates number", "NVK0000099", ""),
    ]
    assert [place.page for place in facts.find(stamped)[0].source.places] == [1, 2]


def test_electronic_signatures_name_the_signer() -> None:
    stamp = ("DocuSign Envelope ID: 3F2A9B1C", "DocuSigned by:", "Ana Norvik", "3F2A9B1C4D5E4F6...")
    assert told(ledger("e-signature stamp", stamp)) == [("signatory", "Ana Norvik", "")]
    dated = ("Digitally signed by Ana Norvik", "Date: 2026.03.12 10:22:11 +01'00'")
    assert told(ledger("e-signature stamp", dated)) == [
        ("signatory", "Ana Norvik", ""),
        ("signing date", "2026.03.12 10:22:11 +01'00'", "Ana Norvik"),
    ]


def test_a_fact_quotes_its_page_and_is_printed_with_it(tmp_path: Path) -> None:
    sign = ("For and on behalf of Norvik Ltd", "By: ____________", "Name: Ana <b>Norvik", "Title: Director")
    page = [*column(72, 90, 20), *(Put(72, 480 + 20 * at, text) for at, text in enumerate(sign))]
    found = reading(pdf(tmp_path / "doc.pdf", [column(72, 90, 30, 60), page]))
    result: Outline = outline.build(outline.features(found), OutlineProfile())
    party, signatory, title = render.sections_json(found, result, Profile())["facts"]
    assert (party["name"], party["value"], party["about"]) == ("party", "Norvik Ltd", None)
    assert (party["quote"], party["places"][0]["page"]) == ("For and on behalf of Norvik Ltd", 2)
    assert (title["value"], title["about"]) == ("Director", "Ana <b>Norvik")
    assert signatory["places"][0]["box"][1] == pytest.approx(512, abs=3)
    front = render.markdown(result).split("\n\n")[0].split("\n")
    assert front == [
        "- party: Norvik Ltd (page 2)",
        "- signatory (Norvik Ltd): Ana &lt;b>Norvik (page 2)",
        "- signatory's title (Ana &lt;b>Norvik): Director (page 2)",
    ]
