"""Questions in bulk: a CSV of questions in, their answers with citations out, and how many of them are right.

Comes in: CSV with a column `question`, and where they are known `expected` (the answer, or nothing where the document
does not say) and `sections` (numbers or titles as printed, parted by semicolons); or a question a line. Goes out:
`Answered`s in order, a CSV in which no cell is a formula, `Tally`s by kind of question. Refuses, as UsageError: a file
without questions, or with columns that are none of these alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from pipeline import answer, export, folding, inquiry, tokens
from pipeline.answer import Answer, Book
from pipeline.engine import Answerer
from pipeline.model import Section, UsageError
from pipeline.retrieval import called

MOST = 10_000
SHAPE = "Name a column question; expected and sections are optional."
COLUMNS = ("question", "kind", "answer", "section_id", "number", "title", "alternatives", "page", "quote", "status")
HELD = ("expected", "sections", "right")


@dataclass(frozen=True)
class Question:
    """A question; expected: the answer, "" where the document does not say, None where that is not known; sections:
    those that must be cited, by number, title or id, () where that is not known.
    """

    text: str
    expected: str | None = None
    sections: tuple[str, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether it can be told if an answer is right."""
        return self.expected is not None or bool(self.sections)


@dataclass(frozen=True)
class Answered:
    """A question, its answer, and whether that is right (None where it is not known what is)."""

    question: Question
    answer: Answer
    right: bool | None

    @property
    def kind(self) -> inquiry.Kind:
        return inquiry.parse(self.question.text).kind


@dataclass(frozen=True)
class Tally:
    """How questions of a kind fared. known: those whose right answer is known; wrong: confirmed and not right."""

    kind: str
    asked: int
    answered: int
    confirmed: int
    known: int
    right: int
    wrong: int


@dataclass(frozen=True)
class Weight:
    """Tokens sent: the median of a question, and the whole document's."""

    question: int
    document: int

    @property
    def ratio(self) -> float:
        """How many times as much the whole document is."""
        return self.document / max(self.question, 1)


def read(text: str) -> tuple[Question, ...]:
    """The questions of a CSV, or of a text with a question a line."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    first = lines.lstrip().split("\n", 1)[0]
    names = [name.strip().lower() for name in next(csv.reader([first], delimiter=_delimiter(first)), [])]
    if "question" in names:
        found = tuple(_rows(lines.lstrip(), _delimiter(first)))
    elif len(names) > 1 and "?" not in first:
        raise UsageError(f"The questions have the columns {', '.join(names)}. {SHAPE}")
    else:
        found = tuple(Question(" ".join(line.strip().strip('"').split())) for line in lines.split("\n") if line.strip())
    if not found:
        raise UsageError(f"There is no question in the file. {SHAPE}")
    if len(found) > MOST:
        raise UsageError(f"The file has {len(found):,} questions; {MOST:,} can be asked at once.")
    return found


def _delimiter(first: str) -> str:
    return max(",;\t", key=first.count)


def _rows(text: str, delimiter: str) -> Iterator[Question]:
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    reader.fieldnames = [name.strip().lower() for name in reader.fieldnames or ()]
    try:
        for row in reader:
            if asked := " ".join((row["question"] or "").split()):
                sections = tuple(part.strip() for part in (row.get("sections") or "").split(";") if part.strip())
                expected = row.get("expected")
                yield Question(asked, None if expected is None else " ".join(expected.split()), sections)
    except csv.Error as error:
        raise UsageError(f"line {reader.line_num} of the questions is no CSV: {error}") from error


def ask(
    asked: Sequence[Question], book: Book, engine: Answerer, progress: Callable[[int, int], None] | None = None
) -> tuple[Answered, ...]:
    """The answers, in order. progress: questions done, in all."""
    found = []
    for done, question in enumerate(asked, start=1):
        given = answer.ask(question.text, book, engine)
        found.append(Answered(question, given, _is_right(question, given)))
        if progress:
            progress(done, len(asked))
    return tuple(found)


def _is_right(question: Question, given: Answer) -> bool | None:
    if not question.is_known:
        return None
    if question.expected == "" and not question.sections:
        return given.answer is None
    texts = {_plain(one.answer) for one in given.given} | {_plain(given.answer or "")}
    if question.expected and _plain(question.expected) not in texts:
        return False
    cited = [_names(one.section) for one in given.given]
    wanted = [_plain(name) for name in question.sections]
    every = all(any(name in names for names in cited) for name in wanted)
    return given.answer is not None and every and (not wanted or all(names & set(wanted) for names in cited))


def _names(section: Section | None) -> set[str]:
    """What a section may be called in the list of questions."""
    if section is None:
        return set()
    return {_plain(name) for name in (section.section_id, section.number or "", section.title, called(section)) if name}


def _plain(text: str) -> str:
    return " ".join(folding.plain(text).split())


def tallies(found: Sequence[Answered]) -> tuple[Tally, ...]:
    """How the questions fared: kind by kind, and all of them where there are several kinds."""
    kinds = dict.fromkeys(one.kind for one in found)
    each = [_tally(kind, [one for one in found if one.kind == kind]) for kind in kinds]
    return tuple(each) if len(each) == 1 else (*each, _tally("all", found))


def _tally(kind: str, found: Sequence[Answered]) -> Tally:
    confirmed = [one for one in found if one.answer.status == "confirmed"]
    return Tally(
        kind,
        asked=len(found),
        answered=sum(one.answer.answer is not None for one in found),
        confirmed=len(confirmed),
        known=sum(one.right is not None for one in found),
        right=sum(one.right is True for one in found),
        wrong=sum(one.right is False for one in confirmed),
    )


def weight(found: Sequence[Answer], book: Book) -> Weight:
    """What questions send, and what the whole document would."""
    return Weight(round(median(one.tokens for one in found)), book.tokens)


def to_csv(found: Sequence[Answered]) -> bytes:
    """A row a question, in order; the columns of what is known where something is. As `export.table_csv`."""
    known = any(one.question.is_known for one in found)
    rows = ((*_cells(one), str(one.answer.tokens), *(_held(one) if known else ())) for one in found)
    return export.table_csv((*COLUMNS, "tokens", *(HELD if known else ())), rows)


def _cells(one: Answered) -> list[str]:
    given = one.answer.given[0] if one.answer.given else None
    section, place = (given.section, given.place) if given else (None, None)
    return [
        one.question.text,
        one.kind,
        one.answer.answer or "",
        one.answer.section_id or "",
        (section.number if section else "") or "",
        section.title if section else "",
        "; ".join(one.answer.alternatives),
        str(place.page) if place else "",
        given.quote if given else "",
        one.answer.status,
    ]


def _held(one: Answered) -> list[str]:
    right = {True: "yes", False: "no", None: ""}[one.right]
    return [one.question.expected or "", "; ".join(one.question.sections), right]


def to_json(found: Sequence[Answered], book: Book, engine: str) -> dict[str, Any]:
    """The answers as the command `ask` gives each, and how they fared."""
    answers = [{**answer.answer_json(one.answer, engine), "kind": one.kind, "right": one.right} for one in found]
    sent = weight([one.answer for one in found], book)
    kinds = [vars(tally) for tally in tallies(found)]
    return {"answers": answers, "kinds": kinds, **weight_json(sent)}


def weight_json(sent: Weight) -> dict[str, Any]:
    """Tokens and dollars of a question, and of the whole document."""
    price = tokens.price()
    return {
        "median_tokens": sent.question,
        "document_tokens": sent.document,
        "ratio": round(sent.ratio, 1),
        "model": price.model,
        "dollars_per_1000_questions": float(price.of(1000 * sent.question)),
        "dollars_per_1000_documents": float(price.of(1000 * sent.document)),
        "method": tokens.METHOD,
    }


def to_text(found: Sequence[Answered], book: Book) -> str:
    """How the questions fared, and what they cost, for a person."""
    lines = [f"{'kind':<12}{'asked':>7}{'answered':>10}{'confirmed':>11}{'right':>14}{'wrong and confirmed':>21}"]
    for one in tallies(found):
        right = f"{one.right} of {one.known}" if one.known else "–"
        wrong = str(one.wrong) if one.known else "–"
        lines.append(f"{one.kind:<12}{one.asked:>7}{one.answered:>10}{one.confirmed:>11}{right:>14}{wrong:>21}")
    return "\n".join([*lines, weight_text(weight([one.answer for one in found], book))])


def weight_text(sent: Weight) -> str:
    """What a question costs against the whole document."""
    price = tokens.price()
    return (
        f"{sent.question:,} tokens a question (median), the whole document {sent.document:,}: {sent.ratio:.1f} times; "
        f"1,000 questions ${price.of(1000 * sent.question):.2f} against ${price.of(1000 * sent.document):.2f} "
        f"({price.model}, {price.date})"
    )
