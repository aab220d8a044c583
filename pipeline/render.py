"""An outline and its words as plain values: the `sections` and `words` contracts.

Comes in: `Reading`, `Outline`, `Profile`. Goes out: JSON, in reading order, boxes in points to two decimals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pipeline import facts, roles, tables
from pipeline.facts import Fact
from pipeline.model import Document, Outline, Page, Place, Reading, Removed, Section, Table, TableRow
from pipeline.profiles import Profile

ENTITY = re.compile(r"&(?=#?\w+;)")
MARKS = re.compile(r"^(\s*)(#{1,6}(?=\s|$)|>|`{3}|~{3}|=+\s*$|-+\s*$)")


def sections_json(reading: Reading, outline: Outline, profile: Profile) -> dict[str, Any]:
    """The `sections` contract."""
    context = _context(outline.removed)
    return {
        "document": _document(reading.document),
        "profile": profile.id(),
        "sections": [_section(section) for section in outline.sections],
        "removed": [_removed(line) for line in outline.removed],
        "facts": [_fact(fact) for fact in facts.find(outline.removed)],
        "pages": [{**_health(page), "context": context.get(page.number, [])} for page in reading.pages],
        "body_size": outline.body_size,
        "tiers": [{"size": tier.size, "level": tier.level} for tier in outline.tiers],
    }


def words_json(document: Document, pages: Iterable[Page]) -> Iterator[str]:
    """The `words` contract as JSON text, a part a page: the words of 1 000 pages are never held at once."""
    yield '{"pages":['
    for count, page in enumerate(pages):
        yield ("," if count else "") + _text(_page(replace(page)))  # a copy takes its words with it
    yield f'],"document":{_text(_document(document))}}}'


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _document(document: Document) -> dict[str, Any]:
    return {
        "sha256": document.sha256,
        "name": document.name,
        "pages": document.pages,
        "language": document.language,
        "kind": document.kind,
        "repaired": document.repaired or None,
    }


def _section(section: Section) -> dict[str, Any]:
    return {
        "section_id": section.section_id,
        "parent_id": section.parent_id,
        "level": section.level,
        "number": section.number,
        "title": section.title,
        "page": section.page,
        "anchor": section.anchor,
        "content": section.content,
        "places": [_place(place) for place in section.places],
        "tables": [_table(table) for table in section.tables],
        "context": list(section.context),
    }


def _table(table: Table) -> dict[str, Any]:
    return {
        "header": list(table.header),
        "heads": [list(row.texts(len(table.header))) for row in table.heads],
        "rows": [_row(row, table.header) for row in table.rows],
        "places": [_place(place) for place in table.places],
        "ruled": table.ruled,
    }


def _row(row: TableRow, header: tuple[str, ...]) -> dict[str, Any]:
    """A row with the header of each of its cells; a merged cell has those of all its columns."""
    cells = [
        {
            "text": cell.text,
            "header": list(header[cell.column : cell.column + cell.columns]),
            "column": cell.column,
            "columns": cell.columns,
            "rows": cell.rows,
            "places": [_place(place) for place in cell.places],
        }
        for cell in row.cells
    ]
    return {"page": row.places[0].page, "box": row.places[0].box.rounded(), "cells": cells}


def _removed(line: Removed) -> dict[str, Any]:
    return {
        "page": line.page,
        "text": line.text,
        "reason": line.reason,
        "box": line.box.rounded(),
        "repeats": line.repeats,
        "context": list(line.context),
    }


def _context(removed: Iterable[Removed]) -> dict[int, list[str]]:
    """By page, what its headers and footers say that the text does not."""
    pages: dict[int, list[str]] = {}
    for line in removed:
        pages.setdefault(line.page, []).extend(line.context)
    return pages


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "name": fact.name,
        "value": fact.value,
        "about": fact.about or None,
        "quote": fact.source.quote,
        "places": [_place(place) for place in fact.source.places],
    }


def _place(place: Place) -> dict[str, Any]:
    return {"page": place.page, "box": place.box.rounded()}


def _health(page: Page) -> dict[str, Any]:
    return {
        "page": page.number,
        "origin": page.origin,
        "health": round(page.health, 3),
        "reasons": list(page.reasons),
    }


def _page(page: Page) -> dict[str, Any]:
    laid = tables.laid(page)
    words = [
        {
            "text": word.text,
            "box": word.box.rounded(),
            "size": round(word.size, 2),
            "font": word.font,
            "bold": word.bold,
            "italic": word.italic,
            "rotation": word.rotation,
            "vertical": word.vertical,
            "confidence": round(word.confidence, 3),
            "colour": f"#{word.colour:06x}",
            "line": number,
            "block": line.block,
            "role": role,
        }
        for number, (line, role) in enumerate(zip(laid.lines, roles.of(page, laid), strict=True))
        for word in line.words
    ]
    return {**_health(page), "width": round(page.width, 2), "height": round(page.height, 2), "words": words}


def markdown(outline: Outline) -> str:
    """What cover and signature blocks say, then headings by level with their ids, and the content under each. Text of
    the document stays text: it makes no heading, no fence, no link and no HTML.
    """
    said = [_said(fact) for fact in facts.find(outline.removed)]
    parts = ["\n".join(said)] if said else []
    for section in outline.sections:
        if section.level:
            title = _plain(" ".join(filter(None, (section.number, *section.title.split()))))
            title = title.replace("{#", "\\{#")
            parts.append(f"{'#' * min(section.level, 6)} {title} {{#{section.section_id}}}")
        parts += (_plain(line) for line in section.content.split("\n"))
    return "\n\n".join(filter(None, parts))


def _said(fact: Fact) -> str:
    about = f" ({_plain(fact.about)})" if fact.about else ""
    return f"- {fact.name}{about}: {_plain(fact.value)} (page {fact.source.places[0].page})"


def _plain(line: str) -> str:
    """A line whose marks Markdown shows instead of obeying them."""
    text = ENTITY.sub("&amp;", line).replace("<", "&lt;").replace("](", "]\\(").replace("]:", "]\\:")
    return MARKS.sub(r"\1\\\2", text)
