"""An answer of any tool, as text, to the citations in it: each quote with the clause that it is said to stand in.

Comes in: plain text or Markdown with quotes in any quote marks or as block quotes, and clauses named before or behind
them, in brackets, headings, table rows or footnotes. Goes out: `Pasted`: citations in the order of their quotes, and
the clauses that are named where nothing is quoted. Words in quote marks that are no citation (a defined term) are
left out. JSON is taken as `citations` takes it. Refuses only a file named .json that is none; text without a quote
gives no citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pipeline import citations
from pipeline.citations import Cited
from pipeline.model import UsageError

NUMBER = r"(?:\d{1,3}[A-Za-z]?(?:\.\d{1,3}[A-Za-z]?)*|[A-ZА-Я][.-]\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,7}|[A-H])\b"
POINTS = r"(?:\s?\([A-Za-zа-я]{1,4}\)|\s?\(\d{1,3}\))*"
WORD = (
    r"(?:(?:sub-?)?sections?|sec|(?:sub-?)?clauses?|cl|articles?|art|schedules?|sched|appendix|app|annex(?:es)?|exhibits?|"
    r"paragraphs?|paras?|parts?|chapters?|items?|ziffer|abschnitt|artikel|klausel|anlage|anhang|absatz|abs|nummer|nr|"
    r"odeljak|odeljk\w+|članu?a?|čl|tačk\w|stav\w?|prilog\w?|dodat\w+|одељак|одељк\w+|члану?а?|чл|тачк\w|став\w?|прилог\w?)"
)
NAMED = rf"(?:{WORD}\.?\s*|§§?\s*)(?-i:{NUMBER}){POINTS}"
REFERENCE = re.compile(
    r"#?\b(?:section|article|chapter|part|item|schedule|appendix)-[a-z0-9]+(?:-[a-z0-9]+)*\b|\bsec_[a-z0-9_]+\b"
    rf"|(?<!\w){NAMED}(?:,?\s+(?:(?:of|in|to|der|des|zu|von)\s+)?{NAMED})*"
    rf"|(?<![\w.,€$£-])\d{{1,3}}(?:\.\d{{1,3}})+{POINTS}(?![\w.]*\d|\s?(?:%|per cent|EUR|USD|€|million))"
    r"|(?<![\w-])[A-Z]-\d{1,3}\b",
    re.IGNORECASE,
)
QUOTING = re.compile(r"quote|quotation|wording|text|excerpt|zitat|wortlaut|citat|navod|цитат|навод", re.IGNORECASE)
MARKS = (("“", "”"), ("„", "“”"), ("«", "»"), ("»", "«"), ('"', '"'), ("‘", "’"))
RULE = re.compile(r"\s*\|?\s*:?-{2,}[-|:\s]*")
MARKUP = re.compile(r"\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`+|</?\w+[^<>]*>")
LINK = re.compile(r"\[([^\]\n]+)\]\((#?)([^)\s]+)\)")
BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*•–+]\s|\d{1,3}[.)]\s|#{1,6}\s|\||\[\^?\w+\]:?\s))")
LEADING = re.compile(
    r"[\s,.;:]*(?:[(\[{—–-]|\b(?:see|in|under|from|at|per|of|as|stated|set|out|says|pursuant|according|to|accordance|with|"
    r"laut|nach|gemäß|aus|siehe|u|prema|iz|vidi|у|према|из|види|the)\b|\s)+"
)
AMOUNT = re.compile(r"(?:EUR|USD|GBP|CHF|RSD|€|\$|£)\s*\Z", re.IGNORECASE)
FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n\s*```", re.DOTALL)
APOSTROPHE = re.compile(r"’(?!\w)")
NOTED = re.compile(r"[\s.,;”\"]*\[\^?(\w{1,4})\]")
NOTE = re.compile(r"^\s*\[\^?(\w{1,4})\]:?\s+(.*)$", re.MULTILINE)
FEWEST = 4  # words in quote marks that are taken for a citation without a clause beside them
ADJACENT = 4  # characters between a clause's name and its quote at most, where a few words may be quoted


@dataclass(frozen=True)
class Pasted:
    """Citations, and the clauses that are named in a paragraph in which nothing is quoted."""

    citations: tuple[Cited, ...]
    unquoted: tuple[str, ...]


class _Span(NamedTuple):
    """A reference or a quote: where it stands with its marks, and its words."""

    start: int
    end: int
    text: str


def parse(text: str) -> Pasted:
    """The citations in an answer."""
    plain = _plain(text)
    quotes = list(_quotes(plain))
    references = [one for one in _references(plain) if not any(q.start < one.end and one.start < q.end for q in quotes)]
    notes = {match[1]: match[2] for match in NOTE.finditer(plain)}
    blocks = _blocks(plain)
    cited, used = [], set()
    for index, quote in enumerate(quotes):
        block = next(number for number, (start, end) in enumerate(blocks) if start <= quote.start < end)
        found = _Place(plain, quotes, references, blocks, notes).named(index, block)
        if len(quote.text.split()) >= FEWEST or (found and found.near):
            cited.append(Cited(found.text if found else "", quote.text))
            used.add(block)
    return Pasted(tuple(cited), tuple(_unquoted(references, blocks, used, {one.anchor for one in cited})))


def loads(text: str, name: str) -> Pasted:
    """Citations from JSON by contract, alone or fenced in an answer, else from the text. name: the file's."""
    stripped = text.strip()
    if name.lower().endswith(".json"):
        return Pasted(citations.loads(stripped), ())
    fenced = FENCED.search(stripped)
    for candidate in (fenced[1] if fenced else "", stripped):
        if candidate[:1] in ("[", "{"):
            try:
                return Pasted(citations.loads(candidate), ())
            except UsageError:
                continue  # a text that begins with a bracket
    return parse(text)


def _plain(text: str) -> str:
    """The text without Markdown's signs; a link to an anchor leaves the anchor."""
    linked = LINK.sub(lambda match: f"{match[1]} ({match[3]})" if match[2] else match[1], text.replace("\r", ""))
    return "\n".join(_tabled(MARKUP.sub("", linked).split("\n")))


def _tabled(lines: Sequence[str]) -> Iterator[str]:
    """The lines, with marks around the cells of a table's column that is headed as one of quotes."""
    column: int | None = None
    for index, line in enumerate(lines):
        cells = line.split("|")
        if len(cells) < 3:
            column = None
        elif index + 1 < len(lines) and RULE.fullmatch(lines[index + 1]):
            column = next((at for at, cell in enumerate(cells) if QUOTING.search(cell)), None)
        elif column is not None and not RULE.fullmatch(line) and column < len(cells):
            cell = cells[column].strip()
            if cell and not any(mark in cell for marks in MARKS for mark in marks[0]):
                cells[column] = f" “{cell}” "
        yield "|".join(cells)


def _references(text: str) -> Iterator[_Span]:
    for match in REFERENCE.finditer(text):
        if not AMOUNT.search(text[max(0, match.start() - 6) : match.start()]):
            yield _Span(match.start(), match.end(), " ".join(match[0].split()))


def _quotes(text: str) -> Iterator[_Span]:
    """Block quotes, and what stands in quote marks elsewhere; marks within marks belong to what is quoted."""
    at = 0
    for match in re.finditer(r"(?:^[ \t]*>.*(?:\n|$))+", text, re.MULTILINE):
        yield from _marked(text, at, match.start())
        yield _block_quote(match)
        at = match.end()
    yield from _marked(text, at, len(text))


def _block_quote(match: re.Match[str]) -> _Span:
    words = " ".join(re.sub(r"^[ \t]*>+ ?", "", match[0], flags=re.MULTILINE).split())
    inner = list(_marked(words, 0, len(words)))
    long = [one for one in inner if len(one.text) > 0.6 * len(words)]
    return _Span(match.start(), match.end(), long[0].text if long else words)


def _marked(text: str, start: int, end: int) -> Iterator[_Span]:
    at = start
    while at < end:
        closing = next((close for opening, close in MARKS if text[at] == opening), None)
        stop = _closed(text, at, end, closing) if closing else -1
        if stop > at + 1:
            yield _Span(at, stop + 1, " ".join(text[at + 1 : stop].split()))
            at = stop + 1
        else:
            at += 1


def _closed(text: str, at: int, end: int, closing: str) -> int:
    """Where a quote ends that begins at `at`, or -1: before the paragraph does."""
    depth, opening = 1, text[at]
    if opening == "‘":  # its end is an apostrophe elsewhere: the last one of the line is taken
        line = text.find("\n", at, end)
        ends = [match.start() for match in APOSTROPHE.finditer(text, at, line if line >= 0 else end)]
        return ends[-1] if ends and "‘" not in text[at + 1 : ends[-1]] else -1
    for index in range(at + 1, end):
        char = text[index]
        if text.startswith("\n\n", index):
            return -1
        if char in closing and not (opening == "„" and char == "“" and _opens(text, index)):
            depth -= 1
            if depth == 0:
                return index
        elif char == opening != '"':
            depth += 1
    return -1


def _opens(text: str, index: int) -> bool:
    """Whether a mark that may open or close stands before a word, after a space."""
    return text[index - 1 : index].isspace() and text[index + 1 : index + 2].isalnum()


def _blocks(text: str) -> list[tuple[int, int]]:
    """The paragraphs, list items and table rows."""
    edges = [0, *(match.end() for match in BLOCK.finditer(text)), len(text) + 1]
    return [(start, end) for start, end in pairwise(edges) if end > start]


class _Named(NamedTuple):
    """A clause's name, and whether it stands right before the quote, or behind it in brackets or after a dash."""

    text: str
    near: bool


@dataclass(frozen=True)
class _Place:
    """What stands around the quotes."""

    text: str
    quotes: Sequence[_Span]
    references: Sequence[_Span]
    blocks: Sequence[tuple[int, int]]
    notes: dict[str, str]

    def named(self, index: int, block: int) -> _Named | None:
        """The clause that a quote is said to stand in: right before it, right behind it, noted, else about it."""
        quote = self.quotes[index]
        start, end = self.blocks[block]
        before = [one for one in self.references if start <= one.start and one.end <= quote.start]
        behind = [one for one in self.references if quote.end <= one.start < end]
        if before and self._beside(before[-1], index):
            return _Named(before[-1].text, near=True)
        if behind and LEADING.fullmatch(self.text, quote.end, behind[0].start) and not self._heads(behind[0]):
            marked = any(char in "([{—–-" for char in self.text[quote.end : behind[0].start])
            return _Named(behind[0].text, near=marked)
        if noted := self._noted(quote):
            return _Named(noted, near=True)
        if before:
            return _Named(before[-1].text, near=False)
        if behind and not self._heads(behind[0]):
            return _Named(behind[0].text, near=False)
        return self._carried(block)

    def _beside(self, reference: _Span, index: int) -> bool:
        """Whether a reference stands right before a quote, and not behind the one before it."""
        gap = self.text[reference.end : self.quotes[index].start].strip()
        if len(gap) > ADJACENT or any(char.isalnum() or char == "." for char in gap):
            return False
        last = self.quotes[index - 1].end if index else reference.end + 1
        behind = last <= reference.start and LEADING.fullmatch(self.text, last, reference.start)
        return ":" in gap or not behind

    def _heads(self, reference: _Span) -> bool:
        """Whether a reference stands right before another quote and belongs to that."""
        return any(0 <= quote.start - reference.end <= ADJACENT for quote in self.quotes) and (
            self.text[reference.end : reference.end + 1] not in ")]"
        )

    def _noted(self, quote: _Span) -> str | None:
        match = NOTED.match(self.text, quote.end)
        note = self.notes.get(match[1], "") if match else ""
        found = next(_references(note), None)
        return found.text if found else None

    def _carried(self, block: int) -> _Named | None:
        """The clause that the line below a block quote, or else a paragraph above without a quote of its own, names."""
        if block + 1 < len(self.blocks):
            start, end = self.blocks[block + 1]
            first = next((one for one in self.references if start <= one.start < end), None)
            if first and re.fullmatch(r"\s*[—–(\[-]+\s*", self.text[start : first.start]):
                return _Named(first.text, near=True)
        for start, end in reversed(self.blocks[:block]):
            inside = [one for one in self.references if start <= one.start < end]
            if inside:
                return _Named(inside[-1].text, near=False)
            if not any(start <= quote.start < end for quote in self.quotes):
                return None
        return None


def _unquoted(
    references: Sequence[_Span], blocks: Sequence[tuple[int, int]], quoted: set[int], seen: set[str]
) -> Iterator[str]:
    """The clauses named in paragraphs without a quote, as far as nothing is quoted from them elsewhere."""
    for number, (start, end) in enumerate(blocks):
        if number in quoted:
            continue
        for one in references:
            if start <= one.start < end and one.text not in seen:
                seen.add(one.text)
                yield one.text
