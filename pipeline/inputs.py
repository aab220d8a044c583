"""What a document weighs in each form that a model can be given it: tokens and dollars.

Comes in: a `Reading`, its `Outline`, and its anchored page. Goes out: `Input`s (raw text, text without boilerplate,
Markdown, anchored HTML, the PDF itself), as JSON or as a table. All are estimates by the ways that `tokens` names.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pipeline import chunks, render, tokens
from pipeline.model import Outline, Reading
from pipeline.tokens import Price


@dataclass(frozen=True)
class Input:
    """A form of a document. name: its key in JSON; label: in words; dollars: of sending it once."""

    name: str
    label: str
    tokens: int
    dollars: Decimal


@dataclass(frozen=True)
class Comparison:
    """The forms side by side, the tokens of each chunk, and the price that all is reckoned at."""

    inputs: tuple[Input, ...]
    chunks: tuple[int, ...]
    price: Price


def compare(reading: Reading, outline: Outline, html: str, chunk_tokens: int) -> Comparison:
    """Each form of a document. html: its anchored page; chunk_tokens: what a chunk should not go beyond."""
    price = tokens.price()
    raw = tokens.count("\n".join(page.text.replace("\n", " ") for page in reading.pages))
    forms = (
        ("raw", "raw text", raw),
        ("stripped", "without boilerplate", tokens.count(_stripped(outline))),
        ("markdown", "Markdown", tokens.count(render.markdown(outline))),
        ("html", "anchored HTML", tokens.count(html)),
        ("pdf", "PDF upload", tokens.upload(raw, len(reading.pages))),
    )
    weighed = tuple(Input(name, label, count, price.of(count)) for name, label, count in forms)
    return Comparison(weighed, tuple(one.tokens for one in chunks.of(outline.sections, chunk_tokens)), price)


def _stripped(outline: Outline) -> str:
    """What is left of the text: headings and content."""
    parts = (part for one in outline.sections for part in (one.number, one.title, one.content))
    return "\n".join(filter(None, parts))


def to_json(comparison: Comparison) -> dict[str, Any]:
    """The value of `tokens` in the `sections` contract."""
    price = comparison.price
    return {
        **{one.name: one.tokens for one in comparison.inputs},
        "chunks": list(comparison.chunks),
        "method": tokens.METHOD,
        "pdf_method": tokens.UPLOAD_METHOD,
        "cost": {one.name: str(one.dollars) for one in comparison.inputs},
        "price": {"model": price.model, "dollars_per_million": str(price.dollars), "date": price.date},
    }


def to_text(comparison: Comparison) -> str:
    """A table for a person, with how it was reckoned."""
    price = comparison.price
    lines = [f"{'form':<20}{'tokens':>10}{'US dollars':>13}"]
    lines += [f"{one.label:<20}{one.tokens:>10,}{one.dollars:>13}" for one in comparison.inputs]
    lines += [
        *_chunked(comparison.chunks),
        f"tokens: {tokens.METHOD}",
        f"PDF upload: {tokens.UPLOAD_METHOD}",
        f"dollars: {price.dollars} for a million tokens of input to {price.model}, by the price list of {price.date}",
    ]
    return "\n".join(lines)


def _chunked(sizes: tuple[int, ...]) -> list[str]:
    """How much a model needs to be given, where it is given single clauses."""
    if not sizes:
        return []
    usual = sorted(sizes)[len(sizes) // 2]
    return [
        f"as {len(sizes)} chunks of complete clauses: {usual:,} tokens in the middle, {max(sizes):,} in the largest"
    ]
