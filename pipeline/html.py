"""Sections as one HTML file in which each has an address: what a model, or a person, can quote by.

Comes in: a `Document` and its `Outline`. Goes out: an HTML page. A section is a <section> whose id is its
anchor, or its section_id where it has no number; numbered paragraphs are list items with ids of their own. References
are links to those ids, terms that are defined have an index, what is referred to but is not there is listed, and what
only the cover and the signature blocks say stands in front.
Nothing is loaded from elsewhere and nothing runs: all that a document says is text. No word of a section is left out,
and none stands twice in <main>; characters that HTML does not allow become �.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bs4 import BeautifulSoup
from bs4.dammit import EntitySubstitution
from bs4.element import Stylesheet, Tag
from bs4.formatter import HTMLFormatter

from pipeline import facts, flow, links
from pipeline.definitions import Definition
from pipeline.facts import Fact
from pipeline.flow import Block, Bullets, Cell, Grid, Item, Paragraph, Span
from pipeline.links import Links
from pipeline.model import Document, Outline, Section
from pipeline.references import Reference
from pipeline.targets import handle

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
STYLE = """
body { font: 1rem/1.5 Georgia, "Times New Roman", serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1, h2, h3, h4, h5, h6 { font-family: system-ui, sans-serif; line-height: 1.25; margin: 1.6em 0 .4em }
h1 { font-size: 1.5rem } h2 { font-size: 1.25rem } h3 { font-size: 1.1rem } h4, h5, h6 { font-size: 1rem }
header, footer { font-family: system-ui, sans-serif; color: #555 }
ol.clauses { list-style: none; padding-left: 1.6rem }
ol.clauses > li { margin: .4em 0 }
.missing { border-bottom: 2px dotted #b3261e }
table { border-collapse: collapse; margin: 1em 0; font-size: .9rem }
th, td { border: 1px solid #bbb; padding: .25rem .5rem; text-align: left; vertical-align: top }
th { background: #f2f2f2 }
dt { font-weight: 600 }
dd { margin: 0 0 .4em 1.6rem }
:target { background: #fff3c4 }
@media print {
  body { max-width: none; margin: 0; font-size: 10.5pt }
  a { color: inherit; text-decoration: none }
  h1, h2, h3, h4, h5, h6 { break-after: avoid }
  tr, dt { break-inside: avoid }
  thead { display: table-header-group }
}
"""
BAD = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd\U00010000-\U0010ffff]|[\U0001fffe\U0001ffff]")


class _Plain(HTMLFormatter):
    """Escapes what must be, and leaves attributes in the order that they were given: the id comes first."""

    def attributes(self, tag: Tag) -> Iterable[tuple[str, str | None]]:
        return [(name, value if isinstance(value, str) else " ".join(value)) for name, value in tag.attrs.items()]


PLAIN = _Plain(EntitySubstitution.substitute_xml, void_element_close_prefix="")


class _Mark(NamedTuple):
    """A stretch of content that is a link, a missing part or a term."""

    start: int
    end: int
    reference: Reference | None


def page(document: Document, outline: Outline, found: Links | None = None) -> str:
    """The HTML page. found: the links of the outline's sections, where they are at hand."""
    maker = _Maker(outline.sections, found or links.find(outline.sections))
    html = maker.tag("html", lang=document.language or "und")
    html.append(maker.head(document))
    body = maker.tag("body")
    maker.put(html, body)
    header = maker.tag("header")
    maker.put(header, maker.tag("p", f"{document.name}, {document.pages} page{'s' * (document.pages != 1)}"))
    if said := facts.find(outline.removed):
        maker.put(header, maker.facts(said))
    for part in (header, maker.main(), maker.footer()):
        if part is not None:
            maker.put(body, part)
    return f"<!DOCTYPE html>\n{html.decode(formatter=PLAIN)}\n"


class _Maker:
    """Makes the elements of one page."""

    def __init__(self, sections: Sequence[Section], found: Links) -> None:
        self.soup = BeautifulSoup("", "html.parser")
        self.sections = sections
        self.links = found
        self.by_id = {section.section_id: section for section in sections}
        self.ids = {handle(section) for section in sections}
        self.marks: Mapping[str, list[_Mark]] = self._marks()

    def _marks(self) -> dict[str, list[_Mark]]:
        """What is marked in each section, in order, each stretch once."""
        marks: dict[str, list[_Mark]] = defaultdict(list)
        for one in self.links.references:
            if one.outcome != "external":
                marks[one.section_id].append(_Mark(one.start, one.end, one))
        for term in self.links.definitions:
            marks[term.section_id].append(_Mark(term.start, term.end, None))
        for name, found in marks.items():
            found.sort(key=lambda mark: (mark.start, -mark.end))
            marks[name] = [mark for at, mark in enumerate(found) if at == 0 or mark.start >= found[at - 1].end]
        return marks

    def tag(self, name: str, text: str = "", **attributes: str) -> Tag:
        """An element; a trailing underscore of an attribute is dropped, others become hyphens."""
        named = {key.rstrip("_").replace("_", "-"): allowed(value) for key, value in attributes.items()}
        made = self.soup.new_tag(name, attrs=named)
        if text:
            made.string = allowed(text)
        return made

    def put(self, into: Tag, *parts: Tag) -> None:
        """Append on lines of their own."""
        for part in parts:
            into.append("\n")
            into.append(part)

    def head(self, document: Document) -> Tag:
        head = self.tag("head")
        self.put(head, self.tag("meta", charset="utf-8"))
        policy = self.tag("meta", content=POLICY)
        policy["http-equiv"] = "Content-Security-Policy"
        view = self.tag("meta", content="width=device-width, initial-scale=1")
        view["name"] = "viewport"
        style = self.tag("style")
        style.append(Stylesheet(STYLE))
        self.put(head, policy, view, self.tag("title", document.name or "document"), style)
        return head

    def facts(self, found: Sequence[Fact]) -> Tag:
        """What only the cover and the signature blocks say, each with its page."""
        listed = self.tag("dl")
        for fact in found:
            number = fact.source.places[0].page
            about = f" ({fact.about})" if fact.about else ""
            said = self.tag("dd", f"{fact.value}, page {number}", data_page=str(number))
            self.put(listed, self.tag("dt", f"{fact.name}{about}"), said)
        return listed

    def main(self) -> Tag:
        main = self.tag("main")
        places: dict[str, Tag] = {}
        for section in self.sections:
            made = self._section(section)
            self.put(places.get(section.parent_id or "", main), made)
            places[section.section_id] = made
        return main

    def _section(self, section: Section) -> Tag:
        made = self.tag("section", id=handle(section), data_section_id=section.section_id, data_page=str(section.page),
                        data_level=str(section.level))  # fmt: skip
        if section.number or section.title:
            depth = sum(1 for _ in self.links.targets.above(section.section_id))  # levels may be skipped, headings not
            heading = self.tag(f"h{min(depth, 6)}")
            heading.append(allowed(_called(section)))
            self.put(made, heading)
        found = self.links.targets.subclauses[section.section_id] if section.anchor else None
        self._blocks(made, section, flow.blocks(section, found))
        return made

    def _blocks(self, into: Tag, section: Section, found: Sequence[Block]) -> None:
        """The blocks; numbered paragraphs that follow each other are one list."""
        items: Tag | None = None
        for block in found:
            if not isinstance(block, Item):
                items = None
            match block:
                case Paragraph(span):
                    self.put(into, self._text(self.tag("p"), section, span))
                case Bullets(spans):
                    bullets = self.tag("ul")
                    self.put(bullets, *(self._text(self.tag("li"), section, span) for span in spans))
                    self.put(into, bullets)
                case Grid():
                    self.put(into, self._table(section, block))
                case Item():
                    if items is None:
                        items = self.tag("ol", class_="clauses")
                        self.put(into, items)
                    self.put(items, self._item(section, block))

    def _item(self, section: Section, item: Item) -> Tag:
        made = self.tag("li", id=item.anchor) if item.anchor else self.tag("li")
        text = self.tag("p")
        text.append(self.tag("b", section.content[slice(*item.number)]))
        if item.text.end > item.text.start:
            text.append(" ")
            self._text(text, section, item.text)
        self.put(made, text)
        self._blocks(made, section, item.blocks)
        return made

    def _table(self, section: Section, grid: Grid) -> Tag:
        table = self.tag("table", data_page=str(grid.page))
        for name, rows in (("thead", grid.heads), ("tbody", grid.rows)):
            if rows:
                group = self.tag(name)
                self.put(group, *(self._row(section, row, name == "thead") for row in rows))
                self.put(table, group)
        return table

    def _row(self, section: Section, cells: Sequence[Cell], head: bool) -> Tag:
        row = self.tag("tr")
        for cell in cells:
            made = (
                self.tag("th", scope="colgroup" if cell.columns > 1 else "col")
                if head and cell.span
                else self.tag("td")
            )
            if cell.columns > 1:
                made["colspan"] = str(cell.columns)
            if cell.span:
                self._text(made, section, cell.span)
            row.append(made)
        return row

    def _text(self, into: Tag, section: Section, span: Span) -> Tag:
        """The words of a span, with its links and terms."""
        text, at = section.content, span.start
        for mark in self.marks.get(section.section_id, ()):
            if mark.start < at or mark.end > span.end:
                continue
            into.append(allowed(text[at : mark.start]))
            into.append(self._marked(text[mark.start : mark.end], mark.reference))
            at = mark.end
        into.append(allowed(text[at : span.end]))
        return into

    def _marked(self, text: str, reference: Reference | None) -> Tag:
        if reference is None:
            return self.tag("dfn", text)
        if reference.anchor is None:
            return self.tag("span", text, class_="missing", title="this file has no such part")
        return self.tag("a", text, href=f"#{reference.anchor}")

    def footer(self) -> Tag | None:
        """The index of terms and the parts that are missing; None where there are neither."""
        footer = self.tag("footer")
        if self.links.definitions:
            self.put(footer, self.tag("h2", "Defined terms"), self._index())
        if self.links.findings:
            missing = self.tag("ul")
            self.put(missing, *(self.tag("li", f"{one.message} (page {one.page})") for one in self.links.findings))
            self.put(footer, self.tag("h2", "References to parts that are not in this file"), missing)
        return footer if footer.contents else None

    def _index(self) -> Tag:
        """Terms in alphabetical order, each with where it is defined."""
        index = self.tag("dl")
        terms: dict[str, dict[str, Definition]] = defaultdict(dict)
        for one in self.links.definitions:
            terms[one.term].setdefault(one.anchor or handle(self.by_id[one.section_id]), one)
        for term in sorted(terms, key=lambda term: (term.casefold(), term)):
            self.put(index, self.tag("dt", term))
            for anchor, one in terms[term].items():
                section = self.by_id[one.section_id]
                entry = self.tag("dd")
                entry.append(self.tag("a", _called(section) or "the text before the first heading", href=f"#{anchor}"))
                entry.append(f", page {section.page}")
                self.put(index, entry)
        return index


def _called(section: Section) -> str:
    """Number and title."""
    return " ".join([*(section.number or "").split(), *section.title.split()])


def allowed(text: str) -> str:
    """The text with the characters that HTML does not allow replaced."""
    return BAD.sub("\ufffd", text)
