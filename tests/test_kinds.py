"""Templates that ship: what each is for, that it is suggested for that, and what it does other than the default."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline import files, kinds, likeness, outline, profiles, run, score, statements
from pipeline.local import LocalEngine
from pipeline.model import Reading
from pipeline.profiles import Kind, Profile
from tests.draw import Put, column, pdf, reading

TEMPLATES = ("catalogue", "contract", "manual", "statement-us")


@pytest.fixture(scope="module")
def samples() -> dict[str, Reading]:
    return {name: files.read(run.sample_path(f"{name}.pdf"), Profile()) for name in ("agreement", "catalogue")}


def suggested(read: Reading) -> str | None:
    known = [(name, profiles.load(name).kind) for name in profiles.shipped()]
    return likeness.suggested(kinds.ranked(kinds.counts(read), known))


def titles(read: Reading, profile: str) -> list[str]:
    found = outline.build(outline.features(read), profiles.load(profile).outline)
    return [heading.title for heading in found.headings]


def drawn(folder: Path, line: Put) -> Reading:
    """Four chapters of a page each, the second one with the line by itself between two paragraphs."""
    pages = []
    for at, title in enumerate(("Scope", "Supply", "Storage", "Support")):
        page = [Put(72, 80, f"{at + 1} {title}", 16, "Helvetica-Bold"), *column(72, 110, 14, at * 40)]
        page += [*column(72, 330, 14, at * 40 + 20)]
        page += [line] if at == 1 else []
        pages.append(page)
    return reading(pdf(folder / "drawn.pdf", pages))


def test_these_templates_ship_each_with_what_it_is_for() -> None:
    assert profiles.shipped() == sorted(("default", *TEMPLATES))
    for name in TEMPLATES:
        profile = profiles.load(name)
        assert profile.name == name
        assert profile.note.startswith("For ")
        assert profile.kind.documents
        assert profiles.differences(Profile(), profile)


def test_what_a_template_is_for_is_no_part_of_its_id() -> None:
    kind = Kind("letters", ("dear", "sincerely"), 0.01, 2)
    assert Profile(kind=kind).id() == Profile().id()
    assert profiles.differences(Profile(), Profile(kind=kind)) == ()
    assert profiles.loads(profiles.dumps(Profile(kind=kind))).kind == kind


@pytest.mark.parametrize(("name", "template"), [("agreement", "contract"), ("catalogue", "catalogue")])
def test_a_sample_gets_the_template_of_its_kind_and_is_read_as_well_with_it(
    name: str, template: str, samples: dict[str, Reading]
) -> None:
    assert suggested(samples[name]) == template
    truth = score.loads(run.sample_path(f"{name}.pdf").with_suffix(".truth.json").read_text(encoding="utf-8"))
    features = outline.features(samples[name])
    by_default, by_template = (
        score.score(score.of_sections(outline.build(features, profiles.load(one).outline).sections), truth)
        for one in ("default", template)
    )
    assert by_template.f1 >= by_default.f1
    assert by_template.recall == 1
    assert by_template.parents >= by_default.parents


def test_a_document_of_no_kind_gets_no_template(tmp_path: Path) -> None:
    assert suggested(drawn(tmp_path, Put(72, 310, "Supply of goods"))) is None


@pytest.mark.parametrize("template", ["contract", "manual"])
def test_capitals_alone_are_text_where_the_template_says_so(template: str, tmp_path: Path) -> None:
    read = drawn(tmp_path, Put(72, 310, "GOODS AND THEIR STORES"))
    assert "GOODS AND THEIR STORES" in titles(read, "default")
    assert titles(read, template) == ["Scope", "Supply", "Storage", "Support"]


def test_large_type_alone_is_text_in_a_catalogue(tmp_path: Path) -> None:
    read = drawn(tmp_path, Put(72, 312, "Only now: three for two", 18))
    assert "Only now: three for two" in titles(read, "default")
    assert titles(read, "catalogue") == ["Scope", "Supply", "Storage", "Support"]


def test_days_and_months_of_a_statement_from_the_united_states(tmp_path: Path) -> None:
    heads = [Put(72, 100, "Date"), Put(160, 100, "Description"), Put(380, 100, "Amount"), Put(480, 100, "Balance")]
    rows = [("03/04/2025", "Rent", "-20.00", "80.00"), ("05/06/2025", "Fee", "-30.00", "50.00")]
    puts = [*heads]
    for at, row in enumerate(rows):
        puts += [Put(x, 120 + 16 * at, text) for x, text in zip((72, 160, 380, 480), row, strict=True)]
    read = reading(pdf(tmp_path / "drawn.pdf", [puts]))
    default, american = (
        statements.extract(read, profiles.load(name), LocalEngine()).rows for name in ("default", "statement-us")
    )
    assert [row.value("date") for row in american] == ["2025-03-04", "2025-05-06"]
    assert all("whether day or month comes first" in " ".join(row.reasons) for row in default)
    assert not any("whether day or month" in " ".join(row.reasons) for row in american)


def test_the_ranking_says_why_and_why_not(tmp_path: Path) -> None:
    document = kinds.counts(drawn(tmp_path, Put(72, 310, "Dear reader")))
    [one] = kinds.ranked(document, [("letters", Kind("letters", ("dear", "sincerely"), 0.5, 2))])
    assert one.speaks_for == ("words of letters: dear",)
    assert one.against == ("they are 0.1% of the words, not 50.0%", "1 of them occur, not 2")
    assert (one.close, one.likeness < 0.1) == (False, True)
    assert kinds.ranked(document, [("bills", Kind("bills", ("invoice",), 0.1, 1))]) == ()
