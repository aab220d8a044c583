"""A document given to a model whole, in the forms that people give it: as a PDF, as text, Markdown or anchored HTML.

Comes in: a document's file, reading and outline; the question. Goes out: `Prompt`s with the same instructions, question
and schema for each form, so that only the form differs. These are what the pipeline is measured against; it sends none
of them itself. `prompts.VERSION` covers the texts here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from pipeline import prompts, render
from pipeline.engine import Excerpt, Sought, Summary, Wanted
from pipeline.model import Outline, Page, Reading
from pipeline.prompts import Prompt, Upload

Form = Literal["upload", "text", "markdown", "html"]

LOOKUP = """You answer questions from a document. Give the answer in the document's words, as short as it can be, with
the number or title of the section that says it, and the words that say so. An empty list where the document does not
say it. Never answer from what you know."""

CLAUSES = """You find clauses of contracts. Name every clause of the document that is about the query, in its order,
each once: its exact section number as printed (or its id, where the document has ids), and the words of it that say so.
A clause that only uses the word is not about it. An empty list where there is none."""


@dataclass(frozen=True)
class Whole:
    """A document in one form: as text, or as it is."""

    text: str = ""
    upload: Upload | None = None


def whole(form: Form, path: Path, reading: Reading, outline: Outline) -> Whole:
    """The document in that form."""
    match form:
        case "upload":
            return Whole(upload=Upload(path.read_bytes(), len(reading.pages)))
        case "text":
            text = "\n\n".join(page.text.replace("\n", " ") for page in reading.pages)
        case "markdown":
            text = render.markdown(outline)
        case "html":
            from pipeline import html

            text = html.page(reading.document, outline)
    return Whole(prompts.fenced("document", text))


def lookup(given: Whole, question: str) -> Prompt:
    """One question; the document is kept for the next."""
    shape = {"answer": prompts.STRING, "section": prompts.NULLABLE, "quote": prompts.STRING}
    return _prompt("lookup", LOOKUP, given, f"The question: {prompts.fenced('question', question)}", ("answers", shape))


def clauses(given: Whole, query: str) -> Prompt:
    """All clauses about something."""
    shape = {"section": prompts.STRING, "quote": prompts.STRING}
    return _prompt(
        "list", CLAUSES, given, f"The clauses about this query: {prompts.fenced('query', query)}", ("clauses", shape)
    )


def _prompt(purpose: str, told: str, given: Whole, question: str, shape: tuple[str, dict[str, Any]]) -> Prompt:
    schema = prompts.listed(*shape)
    return Prompt(purpose, told, given.text, question, schema, 1_000, keep=True, upload=given.upload)


def rows(given: Whole, excerpt: Excerpt, wanted: Sequence[Wanted]) -> Prompt:
    """All rows, asked as a window's are."""
    return _instead(prompts.rows(excerpt, wanted, Summary(), {}), given)


def fields(given: Whole, pages: Sequence[Page], sought: Sequence[Sought], invoices: int) -> Prompt:
    """All fields of all invoices, asked as one invoice's are."""
    asked = prompts.unboxed(prompts.fields(pages, sought, {}))
    return _instead(replace(asked, output=asked.output * invoices), given)


def _instead(prompt: Prompt, given: Whole) -> Prompt:
    return replace(prompt, document=given.text, upload=given.upload, pictures=())
