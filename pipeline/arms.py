"""The ways to put a document to a model, each measured on the same questions against truth: the articles' tables.

Comes in: a `Case` (a document with its truth), the name of a suite and of an arm, an engine for it. Goes out: a
`Measure`; polars frames and Markdown, with what was published of such arms beside. An arm that gives the document whole
takes the model's word as it is: whatever is wrong in it, nobody was told of. Arms of the pipeline tell what is in
review. Right are: answers that name a section of the truth; clauses by their number; fields by their kind; rows with
all of their values. An arm that cannot end (a reply that is cut, a limit) says why, and has no figures.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import polars as pl

from pipeline import (
    answer,
    engines,
    evaluate,
    fieldtruth,
    folding,
    forms,
    invoices,
    issuing,
    journal,
    labels,
    measures,
    outline,
    prompts,
    statements,
    worker,
)
from pipeline.budget import Estimate
from pipeline.claude import Claude, found_rows, raw_field
from pipeline.engine import Engine, Excerpt, Found, Query, RawField, Sought, Summary, Wanted
from pipeline.engines import About
from pipeline.forms import Form, Whole
from pipeline.local import LocalEngine
from pipeline.measures import Measure, Published
from pipeline.model import EngineError, Outline, Page, Reading, UsageError
from pipeline.profiles import Profile, StatementProfile
from pipeline.scaled import fitted

FORMS: tuple[Form, ...] = get_args(Form)
SAMPLES = {
    "catalogue": "catalogue.pdf",
    "contracts": "agreement.pdf",
    "invoices": "invoices_scanned.pdf",
    "statements": "statement.pdf",
}
ARMS = {
    "catalogue": {"sections": "sections found for the question"},
    "contracts": {"sections": "sections with their ids"},
    "invoices": {
        "pictures": "page pictures",
        "boxes": "page pictures, with boxes",
        "crops": "page pictures, boxes, and crops read again",
        "pipeline": "the pipeline with Claude",
    },
    "statements": {
        "apart": "windows of 5 pages",
        "overlap": "windows of 5 pages, 1 overlapping",
        "summary": "windows of 5 pages, 1 overlapping, running summary",
    },
}
WHOLE = {"upload": "PDF upload", "text": "plain text", "markdown": "Markdown", "html": "anchored HTML"}
LOCAL = "local"  # the arm of the engine by rules
TOPIC = "termination"
PAD = 4  # pixels around a crop


@dataclass(frozen=True)
class Case:
    """A document with its truth beside it (`X.truth.json`)."""

    path: Path
    reading: Reading

    @cached_property
    def outline(self) -> Outline:
        return outline.build(outline.features(self.reading), Profile().outline)

    @cached_property
    def text(self) -> str:
        """The truth, as JSON text."""
        path = self.path.with_suffix(".truth.json")
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read: what is right must stand there. See sample_docs.") from error

    def known(self, part: str) -> list[dict[str, Any]]:
        """A list of the truth."""
        try:
            found: list[dict[str, Any]] = json.loads(self.text)[part]
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"The truth of {self.path.name} has no {part}. See sample_docs.") from error
        return found

    def whole(self, arm: str) -> Whole | None:
        """The document in an arm's form; None: the arm does not give it whole."""
        return next((forms.whole(one, self.path, self.reading, self.outline) for one in FORMS if one == arm), None)


def names(suite: str) -> dict[str, str]:
    """The arms of a suite with Claude, in words."""
    return {**WHOLE, **ARMS[suite]}


@dataclass(frozen=True)
class Count:
    """Values that there are, that were given, that are right of them, that are wrong and not in review."""

    expected: int
    given: int
    right: int
    silent: int


def measure(suite: str, arm: str, case: Case, engine: Engine, most: int | None = None) -> Measure:
    """How an arm fares. most: questions of a catalogue that are asked (all)."""
    began = datetime.now(UTC)
    paid = engine if isinstance(engine, Claude) else None
    blank = Measure(
        suite,
        arm,
        paid.caller.account.model if paid else "",
        prompts.VERSION if paid else "",
        began.isoformat(timespec="seconds"),
        case.path.name,
    )
    try:
        count = _counted(suite, arm, case, engine, most)
    except EngineError as error:
        return _costed(replace(blank, fault=str(error)), paid, began)
    return _costed(replace(blank, **vars(count)), paid, began)


def _costed(one: Measure, paid: Claude | None, began: datetime) -> Measure:
    """With what its calls took, also those that the journal answered: what they took when they were made."""
    if paid is None:
        return replace(one, seconds=(datetime.now(UTC) - began).total_seconds())
    took = journal.took(paid.caller.store, paid.caller.numbers)
    return replace(
        one,
        calls=len(took),
        sent=sum(call.usage.sent for call in took),
        written=sum(call.usage.output for call in took),
        dollars=sum((call.dollars for call in took), Decimal(0)),
        seconds=sum(call.seconds for call in took),
    )


def _counted(suite: str, arm: str, case: Case, engine: Engine, most: int | None) -> Count:
    match suite:
        case "catalogue":
            return _lookups(case, _answerer(arm, case, engine), most)
        case "contracts":
            return _clauses(case, arm, engine)
        case "invoices":
            return _fields(case, arm, engine)
        case "statements":
            return _rows(case, arm, engine)
    raise UsageError(f"There is no suite {suite!r}. There are: {', '.join(ARMS)}.")


def _asked(engine: Engine, prompt: prompts.Prompt) -> dict[str, Any]:
    """Claude's reply to a prompt that is no engine's."""
    if not isinstance(engine, Claude):
        raise UsageError("this arm is Claude's alone")
    return engine.caller.ask(prompt, engine.caller.account.model)


# ---------------------------------------------------------------- lookups in a catalogue

Answers = tuple[list[str], bool]  # what was answered, and whether it is in review


def _answerer(arm: str, case: Case, engine: Engine) -> Callable[[str], Answers]:
    if whole := case.whole(arm):
        return lambda question: (
            [
                one["answer"]
                for one in _asked(engine, forms.lookup(whole, question))["answers"]
                if one["answer"].strip()
            ],
            False,
        )
    book = answer.Book(case.outline.sections, case.reading)

    def asked(question: str) -> Answers:
        found = answer.ask(question, book, engine)
        return [one.answer for one in found.given], found.status == "review"

    return asked


def _texts(told: dict[str, Any]) -> list[str]:
    return [one["answer"] for one in told["answers"] if one["answer"].strip()]


def _lookups(case: Case, asked: Callable[[str], Answers], most: int | None) -> Count:
    known = case.known("lookups")[:most]
    given = right = silent = 0
    for one in known:
        answers, in_review = asked(one["question"])
        wanted = [_plain(section["title"]) for section in one["sections"]]
        is_right = any(title in _plain(text) for title in wanted for text in answers)
        given += bool(answers)
        right += is_right
        silent += bool(answers) and not is_right and not in_review
    return Count(len(known), given, right, silent)


def _plain(text: str) -> str:
    return " ".join(folding.plain(text).split())


# ---------------------------------------------------------------- clauses of a contract


def _clauses(case: Case, arm: str, engine: Engine) -> Count:
    wanted = {_key(one["anchor"]) for one in case.known("termination_clauses")}
    found: dict[str, bool] = {}
    if whole := case.whole(arm):
        for one in _asked(engine, forms.clauses(whole, TOPIC))["clauses"]:
            found[_key(one["section"])] = True
    else:
        for clause in answer.clauses(Query(TOPIC), case.outline.sections, case.reading, engine):
            anchor = (clause.section.anchor if clause.section else None) or clause.section_id
            found[_key(anchor)] = clause.verdict.verdict == "verified"
    wrong = [sure for key, sure in found.items() if key not in wanted]
    return Count(len(wanted), len(found), len(wanted & found.keys()), sum(wrong))


def _key(name: str) -> str:
    """A clause by its number or anchor, however it is written: `Section 7.3(b)`, `section-7-3-b`, `#7.3 (b)`."""
    parts = re.findall(r"[a-z]+|\d+", name.lower())
    return "-".join(part for part in parts if part not in ("section", "sec", "clause", "article", "para", "paragraph"))


# ---------------------------------------------------------------- fields of invoices


@dataclass
class _Said:
    """What an arm says the fields are, handed to the pipeline as any engine's. doubted: those that it flags itself."""

    arm: str
    engine: Claude
    case: Case
    whole: Whole | None
    doubted: set[tuple[str, str]] = field(default_factory=set)
    name: str = "claude"

    @cached_property
    def told(self) -> list[RawField]:
        """All fields of a document that was given whole."""
        assert self.whole is not None
        pages = self.case.reading.pages
        wanted = labels.sought(Profile().fields)
        asked = forms.fields(self.whole, pages, wanted, len(issuing.groups(pages)))
        sizes = {page.number: (page.width, page.height) for page in pages}
        told = _asked(self.engine, asked)["fields"]
        return [raw_field({**one, "box": None}, pages[0].number, {}, sizes) for one in told if one["value"]]

    def fields(self, pages: Sequence[Page], sought: Sequence[Sought]) -> tuple[RawField, ...]:
        if self.whole:
            numbers = {page.number for page in pages}
            return tuple(one for one in self.told if one.page in numbers)
        if self.arm == "pictures":
            found = replace(self.engine, boxes=False).fields(pages, sought)
        else:
            found = self.engine.fields(pages, sought)
        if self.arm in ("boxes", "crops"):
            self.doubted |= {_called(one) for one in found if one.claimed is None}
        if self.arm == "crops":
            self._read_again([one for one in found if one.claimed], pages)
        return tuple(replace(one, claimed=None) for one in found)

    def _read_again(self, found: Sequence[RawField], pages: Sequence[Page]) -> None:
        """Each box's crop alone: what does not say the same is doubted."""
        seen = self.engine.read([self._crop(one, pages) for one in found])
        for one, read in zip(found, seen, strict=True):
            if "".join(one.text.split()) != "".join(read.text.split()):
                self.doubted.add(_called(one))

    def _crop(self, one: RawField, pages: Sequence[Page]) -> bytes:
        from PIL import Image

        assert one.claimed is not None and self.engine.pictures is not None
        page = next(page for page in pages if page.number == one.claimed.page)
        size = fitted(page.width, page.height, self.engine.most)
        across, down = size[0] / page.width, size[1] / page.height
        box = one.claimed.box
        buffer = BytesIO()
        with Image.open(BytesIO(self.engine.pictures(page.number, size))) as picture:
            left, right = box.x0 * across - PAD, box.x1 * across + PAD
            picture.crop((left, box.top * down - PAD, right, box.bottom * down + PAD)).save(buffer, "PNG")
        return buffer.getvalue()


def _called(one: RawField) -> tuple[str, str]:
    return labels.numbered(one.name, one.number), one.text


def _fields(case: Case, arm: str, engine: Engine) -> Count:
    known = fieldtruth.read(case.text)
    profile = Profile()
    if arm in (LOCAL, "pipeline") or not isinstance(engine, Claude):
        read = invoices.extract(case.reading, profile, engine, leaves=worker.leaves(case.path))
        scores = fieldtruth.scores(read, known, profile.fields)
        return _scored(scores, sum(one.status == "confirmed" for one in scores if _is_wrong(one)))
    words = replace(engine, pictures=None) if arm == "text" else engine
    said = _Said(arm, words, case, case.whole(arm) if arm != "text" else None)
    scores = fieldtruth.scores(invoices.extract(case.reading, profile, said), known, profile.fields)
    silent = sum((one.name, one.found) not in said.doubted for one in scores if _is_wrong(one))
    return _scored(scores, silent)


def _is_wrong(one: fieldtruth.Score) -> bool:
    return one.outcome in ("wrong", "extra")


def _scored(scores: Sequence[fieldtruth.Score], silent: int) -> Count:
    outcomes = [one.outcome for one in scores]
    right = outcomes.count("right")
    return Count(len(scores) - outcomes.count("extra"), len(scores) - outcomes.count("missing"), right, silent)


# ---------------------------------------------------------------- rows of a statement


@dataclass(frozen=True)
class _Whole:
    """Claude, given a statement whole in some form, asked once."""

    engine: Claude
    whole: Whole
    name: str = "claude"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        if excerpt.again:
            return Found((), ())  # it is not asked twice
        data = _asked(self.engine, forms.rows(self.whole, excerpt, columns))
        return found_rows(data, excerpt, columns, summary)


@dataclass(frozen=True)
class _Forgetful:
    """Claude, told nothing of the pages before."""

    engine: Claude
    name: str = "claude"

    def rows(self, excerpt: Excerpt, columns: tuple[Wanted, ...], summary: Summary) -> Found:
        return self.engine.rows(excerpt, columns, Summary())


def _rows(case: Case, arm: str, engine: Engine) -> Count:
    pages = len(case.reading.pages)
    whole = case.whole(arm)
    part = StatementProfile(chunk_pages=pages if whole else 5, overlap=0 if whole or arm == "apart" else 1)
    reader: Engine | _Whole | _Forgetful = engine
    if isinstance(engine, Claude) and whole:
        reader = _Whole(engine, whole)
    elif isinstance(engine, Claude) and arm in ("apart", "overlap"):
        reader = _Forgetful(engine)
    read = statements.extract(case.reading, Profile(statement=part), reader)
    truth = evaluate.read_truth(case.text)
    frame = evaluate.page_accuracy(read, truth)
    expected, given, right = (int(frame[name].sum()) for name in ("expected", "found", "right"))
    silent = given - right
    if not whole:
        sure = replace(read, rows=tuple(row for row in read.rows if row.status == "confirmed"))
        confirmed = evaluate.page_accuracy(sure, truth)
        silent = int(confirmed["extra"].sum())
    return Count(expected, given, right, silent)


# ---------------------------------------------------------------- tables


def run(suite: str, case: Case, engine: str, most: int | None = None) -> Iterator[Measure]:
    """Each arm of a suite in turn, asked by an engine of its own; of the rules there is one. EngineError where not even
    the first arm came to a reply.
    """
    if engine == "local":
        yield measure(suite, LOCAL, case, LocalEngine(), most)
        return
    about = About(case.reading.document.sha256, case.path)
    spent, answered = journal.new_run(), False
    for arm in names(suite):
        claude = engines.claude(about)
        claude.caller.run = spent
        made = measure(suite, arm, case, claude, most)
        answered |= bool(made.calls)
        if made.fault and not answered:
            raise EngineError(made.fault)
        yield made


def estimates(suite: str, case: Case, most: int | None = None, counted: bool = False) -> Iterator[tuple[str, Estimate]]:
    """What each arm of a suite is likely to take, with what the arms before ask as well left out; crops that are read
    again are known only when their boxes are.
    """
    known: set[str] = set()
    for arm in names(suite):
        claude = engines.claude(About(case.reading.document.sha256, case.path))
        rehearsed, noted = claude.rehearsing()
        _counted(suite, arm, case, rehearsed, most)
        missing = {one.call.request: one for one in noted.missing if one.call.request not in known}
        known |= missing.keys()
        estimate = claude.estimate(list(missing.values()), len(noted.numbers), counted)
        yield arm, replace(estimate, at_most=suite == "catalogue" and arm == "sections")


def frame(found: Sequence[Measure]) -> pl.DataFrame:
    """A row an arm: what was measured, and `published_…`: what was published of such an arm, null where nothing was."""
    known = measures.published()
    lines = []
    for one in found:
        printed = known.get((one.suite, one.arm), Published())
        lines.append(
            {
                **{name: value for name, value in vars(one).items() if name != "dollars"},
                "dollars": float(one.dollars),
                "accuracy": one.accuracy,
                "invented": one.invented,
                **{f"published_{name}": value for name, value in vars(printed).items()},
            }
        )
    shape = {"published_accuracy": pl.Float64, "published_invented": pl.Float64, "published_dollars": pl.Float64}
    figures = {"accuracy": pl.Float64, "invented": pl.Float64, "published_seconds": pl.Float64}
    return pl.DataFrame(lines, schema_overrides=shape | figures)


HEAD = (
    "| arm | accuracy | invented | silent | tokens in | out | cost | time | model, prompts, date |"
    " *published* accuracy | *published* invented | *published* cost |"
)


def markdown(suite: str, found: Sequence[Measure]) -> str:
    """A suite as a table; what was published stands in columns of its own, also for arms that were not measured."""
    known, words = measures.published(), {**names(suite), LOCAL: "the pipeline by rules"}
    lines = [f"### {suite.capitalize()}", "", HEAD, "|" + " --- |" * (HEAD.count("|") - 1)]
    for arm, label in words.items():
        printed = known.get((suite, arm))
        here: list[Measure | None] = [one for one in found if one.arm == arm]
        for one in here or [None]:
            lines.append(f"| {' | '.join((label, *_measured(one), *_printed(printed)))} |")
    notes = [f"- {words[one.arm]}: {one.fault}" for one in found if one.fault]
    notes += [f"- *published*, {words[arm]}: {printed.of}" for (held, arm), printed in known.items() if held == suite]
    return "\n".join([*lines, "", *notes])


def _measured(one: Measure | None) -> list[str]:
    if one is None:
        return ["not measured", *[""] * 7]
    shares = [f"{one.right} of {one.expected} ({one.accuracy:.1%})" if one.accuracy is not None else "did not end"]
    shares += [f"{one.invented:.1%}" if one.invented is not None else "", "" if one.fault else str(one.silent)]
    costs = [f"{one.sent:,}", f"{one.written:,}", f"${one.dollars:.4f}"] if one.model else ["0", "0", "$0"]
    how = f"{one.model}, {one.prompt}, {one.made[:10]}" if one.model else f"none, {one.made[:10]}"
    return [*shares, *costs, f"{one.seconds:.1f} s", how]


def _printed(one: Published | None) -> list[str]:
    if one is None:
        return ["", "", ""]
    dollars = "" if one.dollars is None else f"${one.dollars:g} per {one.per}"
    return [*("" if share is None else f"{share:.1%}" for share in (one.accuracy, one.invented)), dollars]
