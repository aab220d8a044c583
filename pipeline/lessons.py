"""What corrections teach a profile: labels of fields and titles of columns that it does not know.

Comes in: a `Store` with decisions, a `Profile`. Goes out: `Lesson`s, those seen most often first: the words that stand
before or over what a person gave, where they are not known to name it; `taught`: the profile that knows them. Refuses
nothing: a value that stands under different words, or beside words that name it already, teaches nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from pipeline import amounts, decisions, docket, fieldnames, fieldreview, labels, layout, marks, statements, terms
from pipeline.asked import Question
from pipeline.decisions import Decision
from pipeline.docket import Case, Result
from pipeline.engine import is_asked
from pipeline.fieldreview import JudgedFields
from pipeline.figures import PHRASE, TableLine, dates
from pipeline.marks import APART, Print
from pipeline.model import Page, Reading, Word
from pipeline.profiles import Profile
from pipeline.review import Reviewed
from pipeline.store import Store

Part = Literal["fields", "statement"]
OVER = 4  # lines over a value in which its label is looked for
HIGH = 3.5  # its distance there at most, in ems
ASIDE = 2.0  # ems that a label over a value may begin beside it
LETTERS = 2  # that a label has at least


@dataclass(frozen=True)
class Lesson:
    """Words that name a field or a column: as printed, how often people's corrections showed it, and in which files.

    part: of the profile that is to know them; languages: of the documents, where known; documents: their sha256.
    """

    part: Part
    name: str
    words: str
    languages: tuple[str, ...]
    times: int
    documents: tuple[str, ...]


class _Seen(NamedTuple):
    """What one correction showed."""

    part: Part
    name: str
    words: str
    language: str


class _Near(NamedTuple):
    """Words near a value. rank: how far from it they are, and whether they end there (0 is the surest)."""

    rank: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join(" ".join(word.text for word in self.words).replace(",", " ").strip(" :;.#·-–").split())


def of(store: Store, profile: Profile) -> tuple[Lesson, ...]:
    """What the corrections in the store teach this profile."""
    groups: dict[tuple[Part, str, str], list[tuple[str, _Seen]]] = defaultdict(list)
    for sha256, seen in _everywhere(store):
        if not _is_known(profile, seen):
            groups[seen.part, seen.name, terms.plainly(seen.words)].append((sha256, seen))
    found = [_lesson(seen) for seen in groups.values()]
    return tuple(sorted(found, key=lambda one: (-one.times, one.part, one.name, one.words)))


def taught(profile: Profile, lesson: Lesson) -> Profile:
    """The profile with the words of a lesson."""
    if lesson.part == "fields":
        known = profile.fields.labels
        more = {**known, lesson.name: (*known.get(lesson.name, ()), lesson.words)}
        return replace(profile, fields=replace(profile.fields, labels=more))
    known = profile.statement.synonyms
    more = {**known, lesson.name: (*known.get(lesson.name, ()), lesson.words)}
    return replace(profile, statement=replace(profile.statement, synonyms=more))


def title(question: Question) -> str:
    """The title of a column that a question says is not known; empty where it asks something else."""
    return statements.unknown_title(question.mark.kind, question.mark.field)


def assigned(title: str, column: str, document: str) -> Lesson:
    """What a person teaches who says what a column holds."""
    return Lesson("statement", column, title, (), 1, (document,))


def _lesson(seen: Sequence[tuple[str, _Seen]]) -> Lesson:
    first = seen[0][1]
    languages = tuple(sorted({one.language for _, one in seen if one.language}))
    return Lesson(first.part, first.name, first.words, languages, len(seen), tuple(dict(seen)))


def _is_known(profile: Profile, seen: _Seen) -> bool:
    own = profile.fields.labels if seen.part == "fields" else profile.statement.synonyms
    return terms.plainly(seen.words) in map(terms.plainly, own.get(seen.name, ()))


def _everywhere(store: Store) -> Iterator[tuple[str, _Seen]]:
    last: dict[str, str] = {}
    for number, made in enumerate(decisions.every(store)):
        last[made.mark.sha256] = f"{number} {made.mark.id} {made.made}"
    for sha256, decided in last.items():
        for result in docket.results(store, sha256):
            if result.kind != "values":
                yield from ((sha256, seen) for seen in _of_result(store.home, result, decided))


@lru_cache(maxsize=512)
def _of_result(home: Path, result: Result, decided: str) -> tuple[_Seen, ...]:
    """What the corrections of one result show. decided: the last decision; with another it is made anew."""
    store = Store(home)
    kept, case = store.readings(result.sha256), docket.case(store, result)
    reading = store.reading(result.sha256, kept[0].key) if kept and case else None
    if reading is None or case is None:
        return ()
    shown = _of_fields(case, reading) if result.kind == "fields" else _of_rows(case, reading)
    return tuple(_Seen(one.part, one.name, one.words, reading.document.language) for one in shown)


# ---------------------------------------------------------------- fields


def _of_fields(case: Case, reading: Reading) -> Iterator[_Seen]:
    now = case.judged
    assert isinstance(now, JudgedFields)
    given = [(stack, value) for stack in now.standing.values() if (value := fieldreview.last_given(stack))]
    if not given:
        return
    vocabulary = labels.vocabulary(labels.sought(now.profile))
    of_invoice = {number: marks.printed(_pages(reading, pages), vocabulary) for number, pages in _invoices(now)}
    for stack, value in given:
        name = labels.bare(stack[-1].parts[0][0].column if stack[-1].parts else "")[0]
        prints = of_invoice.get(_invoice(now, stack[-1]))
        if prints and name and not labels.group_of(name):
            runs = _runs(prints.lines, fieldnames.kind(name, now.profile), value)
            near = _told(prints, _pointed(prints, runs, stack) or runs)
            if not any(_names(prints, at, one, name) for at, one in near) and (text := _agreed(near)):
                meanings = vocabulary.phrases.get(labels.plainly(text), ())
                if not any(each.part in ("fields", "titles") for each in meanings):
                    yield _Seen("fields", name, text, "")


def _pointed(
    prints: Print, runs: Sequence[tuple[TableLine, int, int]], made: Sequence[Decision]
) -> list[tuple[TableLine, int, int]]:
    """Of the runs of words those where a person said that the value stands."""
    told = [place for one in made for part in one.parts for place in fieldreview.given_places(part)]
    return [
        (line, start, stop)
        for line, start, stop in runs
        for page, box in [prints.sheet(line.page).place(line.words[start:stop])]
        if any(page == place.page and place.box.holds(*box.middle) for place in told)
    ]


def _invoices(now: JudgedFields) -> Iterable[tuple[int, tuple[int, ...]]]:
    return enumerate(now.invoices.pages, 1)


def _invoice(now: JudgedFields, made: Decision) -> int:
    """The invoice that a decision is about."""
    if made.mark.page is None:
        return int(made.mark.field.partition(" ")[0] or 0)
    return next((number for number, pages in _invoices(now) if made.mark.page in pages), 0)


def _pages(reading: Reading, numbers: Sequence[int]) -> list[Page]:
    return [page for page in reading.pages if page.number in numbers]


def _names(prints: Print, at: int, near: _Near, name: str) -> bool:
    """Whether words near a value are known to name the field."""
    first, last = near.words[0].box, near.words[-1].box
    return any(
        mark.means(name) and mark.box.x1 > first.x0 and mark.box.x0 < last.x1 and mark.box.top < last.bottom
        for mark in prints.marks
        if prints.lines[mark.line].page == prints.lines[at].page and mark.box.bottom > first.top
    )


# ---------------------------------------------------------------- columns


def _of_rows(case: Case, reading: Reading) -> Iterator[_Seen]:
    now = case.judged
    assert isinstance(now, Reviewed)
    known = terms.titles({})
    for stack in now.standing.values():
        mark, made = stack[-1].mark, stack[-1]
        if mark.kind != "row" or made.action != "correct" or mark.page is None or mark.box is None:
            continue
        prints = marks.printed(_pages(reading, [mark.page]), labels.vocabulary())
        row = [line for line in prints.lines if mark.box.top - 1 <= line.box.middle[1] <= mark.box.bottom + 1]
        for column, value in made.parts[0]:
            if terms.KINDS.get(column, "text") == "text" or not value:
                continue
            places = [
                (prints.lines.index(line), start, stop) for line, start, stop in _runs(row, terms.KINDS[column], value)
            ]
            titles = {title for at, start, stop in places if (title := _title(prints, at, start, stop))}
            if len(titles) == 1 and not _is_title(known, title := titles.pop(), column):
                yield _Seen("statement", column, title, "")


def _title(prints: Print, at: int, start: int, stop: int) -> str:
    """The title of the column that words of a row stand in: the first words over them without a figure, with those
    right above that belong to them.
    """
    line = prints.lines[at]
    x0, x1 = line.words[start].box.x0, line.words[stop - 1].box.x1
    found: list[tuple[Word, ...]] = []
    for up in range(at - 1, -1, -1):
        over = prints.lines[up]
        if over.page != line.page:
            break
        words = _over(over, x0, x1)
        if found and (not words or found[0][0].box.top - words[0].box.bottom > found[0][0].size):
            break
        if words and _is_words(words):
            found.insert(0, words)
        elif found:
            break
    return _Near(0, tuple(word for words in found for word in words)).text


def _is_title(known: dict[str, str], text: str, column: str) -> bool:
    """Whether a title names the column already, or another one for sure."""
    title = terms.title(text, known)
    return title is not None and (title.name == column or (title.exact and is_asked(title.name)))


# ---------------------------------------------------------------- words near a value


def _runs(lines: Iterable[TableLine], kind: str, value: str) -> list[tuple[TableLine, int, int]]:
    """Where a value in plain form stands on lines: the words from one to before another."""
    found = []
    for line in lines:
        match kind:
            case "date":
                runs = [run for run in dates(line.words) if _is_date(run.text, value)]
            case "amount" | "rate":
                runs = [run for run in line.figures if _is_amount(run.text, value)]
            case _:
                found += [(line, *ends) for ends in _texts(line.words, _bare(value))]
                continue
        for run in runs:
            start = line.words.index(run.words[0])
            found.append((line, start, start + len(run.words)))
    return found


def _texts(words: Sequence[Word], wanted: str) -> Iterator[tuple[int, int]]:
    for start in range(len(words)):
        text = ""
        for stop in range(start, len(words)):
            text += _bare(words[stop].text)
            if not wanted.startswith(text) or not text:
                break
            if text == wanted:
                yield start, stop + 1
                break


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _is_date(text: str, iso: str) -> bool:
    return any((found := amounts.date(text, first)) and found.iso == iso for first in (True, False))


def _is_amount(text: str, value: str) -> bool:
    found = [amounts.parse(text, ","), amounts.parse(text, ".")]
    return any(one and one.value == Decimal(value) for one in found)


def _told(prints: Print, runs: Iterable[tuple[TableLine, int, int]]) -> list[tuple[int, _Near]]:
    """The words before or over each place of a value, with the line it stands on."""
    found = []
    for line, start, stop in runs:
        at = prints.lines.index(line)
        if near := _before(line.words[:start], line.words[start]) or _above(prints, at, start, stop):
            found.append((at, near))
    return found


def _before(words: Sequence[Word], value: Word) -> _Near | None:
    """The words that end before a value, up to a figure, a colon or a gap."""
    left = [word for word in words if labels.token(word.text)]  # not a currency before an amount
    found: list[Word] = []
    for word in reversed(left):
        apart = bool(found) and (layout.gap(word, found[0]) > APART or word.text.endswith((":", ";")))
        if apart or not _is_words((word,), 0):
            break
        found.insert(0, word)
    if not found or not _is_words(found) or len(found) > labels.LONGEST:
        return None
    ends = found[-1].text.endswith(":") or layout.gap(found[-1], value) > PHRASE
    return _Near(0 if ends else 1, tuple(found))


def _above(prints: Print, at: int, start: int, stop: int) -> _Near | None:
    """The words right over a value."""
    line = prints.lines[at]
    first, last = line.words[start].box, line.words[stop - 1].box
    for up in range(at - 1, max(-1, at - 1 - OVER), -1):
        over = prints.lines[up]
        if over.page != line.page or first.top - over.box.bottom > HIGH * line.words[start].size:
            return None
        if over.box.bottom <= first.top + 1 and (words := _over(over, first.x0, last.x1)):
            beside = abs(words[0].box.x0 - first.x0) / max(1.0, words[0].size)
            return _Near(2, words) if _is_words(words) and beside <= ASIDE and len(words) <= labels.LONGEST else None
    return None


def _over(line: TableLine, x0: float, x1: float) -> tuple[Word, ...]:
    """The words of a line that stand together and reach over a stretch."""
    groups: list[list[Word]] = [[line.words[0]]]
    for left, right in pairwise(line.words):
        if layout.gap(left, right) > PHRASE:
            groups.append([])
        groups[-1].append(right)
    return next((tuple(one) for one in groups if one[0].box.x0 < x1 and one[-1].box.x1 > x0), ())


def _is_words(words: Sequence[Word], letters: int = LETTERS) -> bool:
    """Whether words hold letters and no figure."""
    text = "".join(word.text for word in words)
    return not any(map(str.isdigit, text)) and sum(map(str.isalpha, text)) >= letters


def _agreed(near: Sequence[tuple[int, _Near]]) -> str:
    """The words that all places of a value have, of those where they are the surest."""
    best = min((one.rank for _, one in near), default=0)
    texts = {labels.plainly(one.text): one.text for _, one in reversed(near) if one.rank == best}
    return next(iter(texts.values())) if len(texts) == 1 else ""
