"""The anchored page: structure, links, escapes, validity, and that no word is lost."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import html5lib
import pytest
from bs4 import BeautifulSoup, Tag

from pipeline import files, flow, html, outline, profiles
from pipeline.model import Box, Document, Outline, Place, Removed, Section, Table, TableCell, TableRow

DOCUMENT = Document("0" * 64, "deal.pdf", 3, "digital", "en")
HERE = (Place(2, Box(0, 0, 1, 1)),)
SAMPLES = Path(__file__).parent.parent / "sample_docs"


def section(name: str, number: str | None, title: str, content: str = "", **other: object) -> Section:
    anchor = f"section-{number.replace('.', '-')}" if number else None
    made = Section(name, None, 1, number, title, 2, anchor, content)
    return Section(**{**vars(made), **other})


def outlined(*sections: Section, removed: tuple[Removed, ...] = ()) -> Outline:
    return Outline((), sections, removed, (), 10.0, ())


def page(*sections: Section) -> BeautifulSoup:
    text = html.page(DOCUMENT, outlined(*sections))
    assert_sound(text)
    return BeautifulSoup(text, "html.parser")


def assert_sound(text: str) -> None:
    """Valid to a strict parser; ids unique; links lead somewhere; nothing from elsewhere."""
    html5lib.HTMLParser(strict=True).parse(text)
    soup = BeautifulSoup(text, "html.parser")
    ids = Counter(tag["id"] for tag in soup.find_all(id=True))
    assert [name for name, count in ids.items() if count > 1] == []
    assert [link["href"] for link in soup.find_all("a") if str(link["href"])[1:] not in ids] == []
    assert soup.find_all(["script", "img", "link", "iframe", "base"]) == []
    assert not re.search(r"\son\w+=", re.sub(r">[^<]*<", "><", text))


def found(soup: BeautifulSoup, selector: str) -> Tag:
    tag = soup.select_one(selector)
    assert tag is not None, selector
    return tag


def test_sections_are_nested_with_their_ids_and_headings() -> None:
    soup = page(
        section("sec_4", "4", "Term"),
        section("sec_4_2", "4.2", "Termination", "On notice.", parent_id="sec_4", level=2, page=3),
    )
    assert found(soup, "html")["lang"] == "en"
    inner = found(soup, "main > section#section-4 > section#section-4-2")
    assert (inner["data-section-id"], inner["data-page"], inner["data-level"]) == ("sec_4_2", "3", "2")
    assert (found(soup, "#section-4 > h1").text, found(soup, "#section-4-2 > h2").text) == ("4 Term", "4.2 Termination")
    assert found(soup, "#section-4-2 > p").text == "On notice."


def test_a_section_without_a_number_goes_by_its_section_id() -> None:
    soup = page(section("sec_preamble", None, "", "Before it all.", level=0), section("sec_parties", None, "Parties"))
    assert found(soup, "section#sec_preamble > p").text == "Before it all."
    assert found(soup, "section#sec_parties > h1").text == "Parties"


def test_numbered_paragraphs_are_nested_lists_with_anchors() -> None:
    soup = page(section("s", "7.3", "Duties", "It shall:\n(a) pay;\n(b) assign:\n(i) patents.\n(c) go."))
    assert [tag["id"] for tag in soup.find_all("li")] == [
        "section-7-3-a",
        "section-7-3-b",
        "section-7-3-b-i",
        "section-7-3-c",
    ]
    assert found(soup, "#section-7-3-b > ol > li#section-7-3-b-i > p").text == "(i) patents."
    assert found(soup, "#section-7-3-b > p > b").text == "(b)"
    assert len(soup.select("section > ol")) == 1


def test_references_are_links_and_missing_ones_are_listed() -> None:
    soup = page(section("s", "1", "One", "See Section 1(a) and Exhibit Q.\n(a) here."))
    link = found(soup, "p > a")
    assert (link["href"], link.text) == ("#section-1-a", "Section 1(a)")
    assert found(soup, "span.missing").text == "Exhibit Q"
    assert "Exhibit Q is referred to in 1, but this file has no such part (page 2)" in found(soup, "footer ul").text


def test_terms_have_an_index() -> None:
    soup = page(section("s", "1", "Terms", "“Notice” means:\n(a) “Letter” means paper."))
    assert [tag.text for tag in soup.find_all("dfn")] == ["“Notice”", "“Letter”"]
    assert [tag.text for tag in soup.select("footer dt")] == ["Letter", "Notice"]
    assert [tag["href"] for tag in soup.select("footer dd a")] == ["#section-1-a", "#section-1"]


def cell(text: str, column: int, columns: int = 1) -> TableCell:
    return TableCell(text, column, columns, 1, HERE)


def test_tables_have_headers() -> None:
    heads = (TableRow((cell("Size", 0), cell("Price per\npiece", 1, 2)), HERE),)
    rows = (TableRow((cell("M6", 0), cell("1.20", 1), cell("EUR", 2)), HERE), TableRow((cell("M8", 0),), HERE))
    table = Table(("Size", "Price per piece", "Price per piece"), heads, rows, HERE)
    content = "The prices:\nSize | Price per piece\nM6 | 1.20 | EUR\nM8\nThat is all."
    soup = page(section("s", "2", "Prices", content, tables=(table,)))
    assert [(tag.text, tag["scope"], tag.get("colspan")) for tag in soup.select("thead th")] == [
        ("Size", "col", None),
        ("Price per piece", "colgroup", "2"),
    ]
    assert [[tag.text for tag in row.find_all("td")] for row in soup.select("tbody tr")] == [
        ["M6", "1.20", "EUR"],
        ["M8", "", ""],
    ]
    assert [tag.text for tag in soup.select("section > p")] == ["The prices:", "That is all."]


def test_headings_skip_no_level_where_the_tree_does() -> None:
    soup = page(section("a", "1", "One"), section("b", "1.1", "Deep", parent_id="a", level=4))
    assert found(soup, "section[data-level='4'] > h2").text == "1.1 Deep"


def test_a_mark_after_a_number_that_is_none_loses_no_word() -> None:
    soup = page(section("s", "1", "One", "(3) one.\n17. (1) two."))
    assert [tag.text for tag in soup.select("section p")] == ["(3) one.", "17. (1) two."]


def test_a_column_in_which_nothing_begins_is_none() -> None:
    rows = (
        TableRow((cell("M6", 0), cell("all sizes", 1, 3)), HERE),
        TableRow((cell("M8", 0), cell("none", 1, 3)), HERE),
    )
    table = Table(("", "", "", ""), (), rows, HERE)
    soup = page(section("s", "2", "Prices", "M6 | all sizes\nM8 | none", tables=(table,)))
    assert [[(tag.text, tag.get("colspan")) for tag in row.find_all("td")] for row in soup.select("tr")] == [
        [("M6", None), ("all sizes", None)],
        [("M8", None), ("none", None)],
    ]


def test_what_the_cover_says_stands_in_front() -> None:
    removed = (Removed(1, "Draft of 3 May 2026 for discussion", "draft stamp", Box(0, 0, 9, 9), 1),)
    soup = BeautifulSoup(html.page(DOCUMENT, outlined(removed=removed)), "html.parser")
    assert [tag.text for tag in soup.select("header dt, header dd")] == [
        "draft state",
        "Draft of 3 May 2026 for discussion, page 1",
    ]


def test_bullets_are_a_list() -> None:
    soup = page(section("s", "2", "Scope", "Such as:\n• one\n• two\nand so on"))
    assert [tag.text for tag in soup.select("section > ul > li")] == ["one", "two"]


HOSTILE = '</style></title><script>alert(1)</script><img src=x onerror="a()"> &lt; & "quoted" \x00 \u202e \ud800 \ufffe'


def test_what_a_document_says_is_text() -> None:
    one = section("s", "1", HOSTILE, f"{HOSTILE}\n(a) {HOSTILE}\n“{HOSTILE[:20]}” means x, see Exhibit <b>.")
    text = html.page(Document("0" * 64, HOSTILE, 1, "digital", "en"), outlined(one))
    assert_sound(text)
    text.encode("utf-8")
    soup = BeautifulSoup(text, "html.parser")
    assert 'alert(1)</script><img src=x onerror="a()"> &lt; & "quoted" \ufffd' in found(soup, "h1").text
    assert found(soup, "title").text.startswith("</style></title><script>")


def test_a_policy_forbids_all_that_is_not_in_the_file() -> None:
    policy = found(page(section("s", "1", "One")), 'meta[http-equiv="Content-Security-Policy"]')
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_the_same_sections_give_the_same_bytes() -> None:
    parts = outlined(section("s", "1", "One", "“A” means b. See Section 2."), section("t", "2", "Two", "(a) x\n(b) y"))
    assert html.page(DOCUMENT, parts) == html.page(DOCUMENT, parts)


def plain(text: str) -> str:
    """The letters of a text without spaces and the bars between cells."""
    return re.sub(r"[\s|]+", "", text)


def assert_all_there(path: Path) -> None:
    """Each word of each section stands once in the page, in order."""
    profile = profiles.load("default")
    reading = files.read(path, profile)
    built = outline.build(outline.features(reading), profile.outline)
    text = html.page(reading.document, built)
    assert_sound(text)
    printed = (
        f"{one.number or ''}{one.title}\n" + re.sub(rf"(?m)^{flow.BULLET.pattern}", "", one.content)
        for one in built.sections
    )
    main = BeautifulSoup(text, "html.parser").find("main")
    assert main is not None
    assert plain(main.get_text()) == plain(html.allowed("".join(printed)))


@pytest.mark.parametrize("name", ["agreement", "catalogue", "statement"])
def test_every_word_of_a_sample_is_there_once(name: str) -> None:
    assert_all_there(SAMPLES / f"{name}.pdf")


def test_every_word_of_real_contracts_is_there_once(shared: Path) -> None:
    for path in sorted((shared / "contracts").glob("*.pdf"), key=lambda one: one.stat().st_size)[:6]:
        assert_all_there(path)
