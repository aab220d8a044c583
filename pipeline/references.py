"""Cross-references inside a document: `Section 7.3(b)`, `Schedule 2, paragraph 4`, `§ 5 Abs. 2`, `члан 5. став 2`.

Comes in: the sections. Goes out: `Reference`s in reading order, each with the anchor that it means. One that names a
part which the document does not have is dangling; one that names another instrument (`§ 314 BGB`, `Section 13 of the
Securities Act`) is external. Lists and ranges give a reference for each number. Lone letters (`paragraph (b)`) count
where they lead somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pipeline.model import Finding, Section
from pipeline.targets import Kind, Path, Spot, Targets

Outcome = Literal["linked", "dangling", "external"]

DANGLING = "dangling reference"
WORDS: dict[Kind, str] = {
    "section": r"(?:sub-?)?sections?|sec\.|(?:sub-?)?clauses?|conditions?|§{1,2}|ziffern?|ziff\.|abschnitte?s?|"
    r"klauseln?|odelj[ae]?k\w*|одељ[ае]?к\w*|klauzul\w+|клаузул\w+",
    "paragraph": r"(?:sub-?)?paragraphs?|paras?\.?|absätze?n?|absatz(?:es)?|abs\.|nummern?|nr\.|punkte?s?|"
    r"tačk\w+|тачк\w+|stav\w*|став\w*|items?|points?",
    "article": r"articles?|art\.|artikeln?s?|član(?:a|u|om|ovi|ova|ovima)?|čl\.|члан(?:а|у|ом|ови|ова|овима)?|чл\.",
    "part": r"parts?|teile?s?|deo|dela|део|дела",
    "chapter": r"chapters?|kapiteln?s?|glav[aeiu]|глав[аеиу]|poglavlj\w+|поглављ\w+",
    "schedule": r"schedules?|anlagen?|prilo[gz]\w*|прило[гз]\w*",
    "appendix": r"appendix|appendices|annex(?:es|ure)?|exhibits?|anh[aä]nge?n?s?|dodat(?:ak|k[au])|додат(?:ак|к[ау])|"
    r"aneks\w{0,2}|анекс\w{0,2}",
}
ANNEXES = ("schedule", "appendix")
CAPITAL_ONLY = re.compile(r"part|chapter|condition|item|point|teil|kapitel|punkt|anlage|del|дел", re.IGNORECASE)
LETTER = "[A-Za-zа-шђјљњћџ]"
MARKS = rf"(?:\((?:{LETTER}{{1,5}}|\d{{1,3}})\))"
NUMBER = (
    r"(?:\d{1,5}(?:[a-z](?=\.\d))?(?:[.\u2011-]\d{1,4})*(?:[A-Z]{1,2}(?![a-z]))?|[A-Z](?:[.-]\d{1,3})+|(?=[IVXLC])[IVXLC]{1,7}(?![\w])|[A-Z](?![\w’']))"
    r"(?:[.-]\d{1,3})*"
)
STOP = r"(?=\s*(?:[,.;:)\]]|$|(?:of|above|below|hereof|and|or|to|through|und|oder|и|i)\b))"
SPACED = rf"(?:\s{MARKS}+{STOP})"
ALONE = rf"(?:{MARKS}+|(?<=\s)[a-z]\)|\d{{1,3}}\)){STOP}"
LEAD = rf"(?P<number>{NUMBER})(?P<marks>{MARKS}*{SPACED}?)|(?P<alone>{ALONE})"
KEYWORD = re.compile(
    rf"(?<![\w§-])(?:(?P<this>this|dies\w{{1,2}}|ov(?:og|om|aj|e)|ов(?:ог|ом|ај|е))\s+)?"
    rf"(?:{'|'.join(f'(?P<{kind}>{words})' for kind, words in WORDS.items())})(?!\w)",
    re.IGNORECASE,
)
FIRST = re.compile(rf"\s*(?:{LEAD})")
TAIL = re.compile(
    r"(?:\.?,?\s*|\.\s*)(?:abs(?:atz\b|\.)|satz\b|nr\.|lit\.|buchst(?:abe\b|\.)|став\w*|stav\w*|ст\.|st\.|тачк\w+|tačk\w+|тач\.|"
    r"tač\.|paragraphs?\b|para\b\.?|items?\b|points?\b|parts?\b)"
    rf"\s*(?P<number>\d{{1,3}}(?:\.\d{{1,3}})*\)?|\(\d{{1,3}}\)|\({LETTER}\)|{LETTER}\)|(?<=lit\.\s){LETTER}\b|(?<=buchstabe\s){LETTER}\b)"
    rf"(?P<marks>{MARKS}*)(?!\w)",
    re.IGNORECASE,
)
SENTENCE = re.compile(r"[.,]?\s*(?:satz|s\.)", re.IGNORECASE)
NEXT = re.compile(
    rf"(?:\.?\s*,\s*(?:and/or|and|or|to|und|oder)?\s*|\s*(?:,?\s*(?:and/or|and|or|to|through|und|oder|bis|sowie|i|ili|do|и|"
    rf"или|до)\s+|–\s*|(?<!\s)-(?=\d)|&\s*))(?:{LEAD})",
)
INTERNAL = (
    r"this|these|the\s+(?:foregoing|preceding|present)|dies\w+|ov(?:og|e|om|ih)\b|ов(?:ог|е|ом|их)\b|hereto|schedules?\b|"
    r"annex|appendix|exhibits?\b|articles?\b|sections?\b|clauses?\b|part\b|paragraphs?\b|anlage|anhang|prilog|прилог"
)
OUTSIDE = re.compile(
    rf"[.,]?\s*(?:\([^()]{{1,60}}\)\s*)?(?:(?:of|under|to|in)\s+(?!{INTERNAL})(?:the|that|such|said|any|each|its|an?)\s+(?P<what>[A-Z“\"]"
    r"[^.;,()\n]{0,60})|of\s+(?P<bare>(?!the\b|this\b)[A-Z][\w-]+)|"
    r"there(?:of|under|in)\b|(?:der|des|zum|von)\s+(?!dies)\S*(?:gesetz|ordnung|verordnung|gesetzbuch|DSGVO)\w*|"
    r"(?:[A-ZÄÖÜ][\w]*[A-ZÄÖÜ][\w]*)(?=[\s.,;)]|$)|(?:stav\w*|став\w*)?\s*(?i:закон|zakon|уредб|uredb|правилник|pravilnik|устав|"
    r"ustav|директив|direktiv|ЗОО|ZOO))",
)
OUTSIDE_BEFORE = re.compile(
    r"(?:\bCode|\bActs?(?:\s+of\s+\d{4})?|\bRegulations?|\bReg\.|U\.?S\.?C\.?|C\.?F\.?R\.?|\bLaws?|\bStatutes?|\bStat\.|"
    r"\bRules?|\b[A-Z]{3,}(?!\s*,))\s*,?\s*(?:\([^()]{0,40}\)\s*)?(?:at\s+|under\s+)?$"
)
ITSELF = re.compile(r"(?:\bthis|\bthese|\bthe(?=\s+[“\"](?:Agreement|Contract)[”\"]))\s+[“\"]([A-Z][\w ]{2,40})[”\"]")
OF_PART = re.compile(r"\s*,?\s*(?:of|to|in|in\s+Part\s+\w+\s+of|der|des|von|zu|iz|из)\s+(?=\S)", re.IGNORECASE)
ANOTHER = re.compile(r"\s*,?\s*(?:and|or|und|oder|и|i)\s+(?=\S)")
CALLED = re.compile(r"conditions?|rules?", re.IGNORECASE)
FAR_NUMBER = 100
MOST_JOINED = 4  # references before an instrument that belong to it
MOST_PARTS = 6  # of a number: paragraph, sentence, letter
TAX_FORM = ("K", "1")


@dataclass(frozen=True)
class Reference:
    """A reference as printed, at offsets into its section's content; `anchor` is what it means, if it is here."""

    section_id: str
    start: int
    end: int
    text: str
    anchor: str | None
    outcome: Outcome


class _Named(NamedTuple):
    """A number that is referred to. kind: by which word; path: the number; parts: its paragraphs; scope: the annex."""

    kind: Kind
    word: str
    path: Path
    parts: Path
    start: int
    end: int


def find(sections: Sequence[Section], targets: Targets | None = None) -> tuple[Reference, ...]:
    """All references of a document. targets: those of the sections, where they are at hand."""
    targets = targets or Targets(sections)
    names = {name for section in sections for name in ITSELF.findall(section.content)}
    found = [one for section in sections for one in _Scan(section, targets, names).found()]
    known = {number for one in found if one.outcome == "external" and (number := _number(one))}
    return tuple(
        replace(one, outcome="external") if one.outcome == "dangling" and _number(one) in known else one
        for one in found
    )


def _number(reference: Reference) -> str:
    """The bare number of what is referred to: `14.07` of `Section 14.07(a)`."""
    match = re.search(r"\d+(?:[.-]\d+)*", reference.text)
    return match[0] if match else ""


def findings(references: Sequence[Reference], sections: Sequence[Section]) -> tuple[Finding, ...]:
    """What a person must see: each missing part once, with where it is first referred to and the page on which that
    section begins.
    """
    by_id = {section.section_id: section for section in sections}
    missing: dict[str, list[Reference]] = {}
    for one in references:
        if one.outcome == "dangling":
            missing.setdefault(" ".join(one.text.split()).casefold(), []).append(one)
    found = []
    for each in missing.values():
        section = by_id[each[0].section_id]
        where = section.number or section.title or "the text before the first heading"
        more = f", and {len(each) - 1} more time{'s' * (len(each) > 2)}" if len(each) > 1 else ""
        text = " ".join(each[0].text.split())
        message = f"{text} is referred to in {where}{more}, but this file has no such part"
        found.append(Finding(DANGLING, "warning", message, section.page))
    return tuple(found)


class _Scan:
    """One pass over a section's content."""

    def __init__(self, section: Section, targets: Targets, names: set[str]) -> None:
        self.section = section
        self.text = section.content
        self.targets = targets
        self.names = names

    def found(self) -> Iterator[Reference]:
        at = 0
        while match := KEYWORD.search(self.text, at):
            at = match.end()
            kind = _kind(match)
            word = match[kind]
            if CAPITAL_ONLY.fullmatch(word.rstrip("sS")) and not word[0].isupper():
                continue
            named = list(self._named(kind, word, match))
            if named and not (word.islower() and len(named[0].path) == 1 and named[0].path[0].isalpha()):
                at = named[-1].end
                yield from self._judged(named, match)
            elif match["this"] and (anchor := self.targets.this(kind, self._spot(match.start()))):
                yield self._reference(match.start(), match.end(), anchor, "linked")

    def _spot(self, start: int) -> Spot:
        return Spot(self.section.section_id, start)

    def _reference(self, start: int, end: int, anchor: str | None, outcome: Outcome) -> Reference:
        return Reference(self.section.section_id, start, end, self.text[start:end], anchor, outcome)

    def _named(self, kind: Kind, word: str, match: re.Match[str]) -> Iterator[_Named]:
        """The numbers after a keyword: one, a list of them, or a range."""
        one = FIRST.match(self.text, match.end())
        if one is None or (one[0][:1].strip() and "§" not in word and not word.endswith(".") and not one["alone"]):
            return
        base: Path = ()
        start = match.start()
        while one:
            path, parts = _split(one)
            base = path or base
            end, tail = self._tail(one.end())
            yield _Named(kind, word, base, parts + tail, start, end)
            one = NEXT.match(self.text, end)
            if one is None or (one["number"] and not self._listed(word, one)):
                return
            start = one.start("number" if one["number"] else "alone")

    def _listed(self, word: str, one: re.Match[str]) -> bool:
        """Whether a number after a comma or `and` belongs to the list: `Sections 4.1, 4.2`, and not `Section 5, 30
        days`.
        """
        plural = word.endswith(("s", "n", "e", "i", "а", "a", "§§", "ovi", "ices", "л.", "l.", "."))
        alike = "." in one["number"] or bool(one["marks"]) or plural
        return alike and not re.match(
            r"\s*(?:%|per cent|days|business|months|years|Tage|дана|dana)", self.text[one.end() :]
        )

    def _tail(self, end: int) -> tuple[int, Path]:
        """Paragraphs named in words after a number: `, paragraph 4(b)`, ` Abs. 2`, `. став 2`."""
        parts: list[str] = []
        while len(parts) < MOST_PARTS and (match := TAIL.match(self.text, end)):
            if not SENTENCE.match(match[0]):
                parts += [match["number"].strip("()"), *_marks(match["marks"])]
            end = match.end()
        return end, tuple(parts)

    def _judged(self, named: Sequence[_Named], match: re.Match[str]) -> Iterator[Reference]:
        """Each of a list by what it leads to, and by what stands before and after the list."""
        last = named[-1].end
        scopes = self._scopes_after(last)
        outside = not match["this"] and (
            OUTSIDE_BEFORE.search(self.text[max(0, match.start() - 60) : match.start()]) is not None
            or (not scopes and self._outside_after(last))
        )
        for one in named:
            found = () if outside else (self._resolved(one, scope) for scope in scopes or [None])
            anchor = next(filter(None, found), None)
            if self._is_heading(one):
                continue
            if anchor:
                yield self._reference(one.start, one.end, anchor, "linked")
            elif outside or self._other_kind(one):
                if one.path:
                    yield self._reference(one.start, one.end, None, "external")
            elif one.path or scopes:
                yield self._reference(one.start, one.end, None, "dangling")

    def _outside_after(self, end: int) -> bool:
        """Whether another instrument is named after the number, or after the next ones of `section 4 and section 6`."""
        for _ in range(MOST_JOINED):
            following = ANOTHER.match(self.text, end)
            word = KEYWORD.match(self.text, following.end()) if following else None
            if word is None or word["this"]:
                break
            kind = _kind(word)
            named = list(self._named(kind, word[kind], word))
            if not named:
                return False
            end = named[-1].end
        match = OUTSIDE.match(self.text, end)
        if match is None:
            return False
        what = (match["what"] or match["bare"] or "").strip('“" ')
        return not any(what == name or what.startswith((f"{name} ", f"{name}”")) for name in self.names)

    def _scopes_after(self, end: int) -> list[str | None]:
        """The part after `of`, or what it may be: `paragraph 4 of Schedule 2`, `(b) of this Section 2.14`."""
        link = OF_PART.match(self.text, end)
        word = KEYWORD.match(self.text, link.end()) if link else None
        if word is None:
            return []
        kind = _kind(word)
        named = next(self._named(kind, word[kind], word), None)
        if named and self._outside_after(named.end):
            return []
        if named and named.path and kind not in ANNEXES and not named.parts:
            return list(self.targets.number(kind, named.path, self._spot(end)))
        found = self._resolved(named, None) if named and named.path else self.targets.this(kind, self._spot(end))
        return [found] if found and (named or word["this"]) else []

    def _resolved(self, one: _Named, scope: str | None) -> str | None:
        spot = self._spot(one.start)
        if not one.path:
            return self.targets.inside(scope, one.parts) if scope else self.targets.near(spot, one.parts)
        if one.kind in ANNEXES:
            return self._in_annex(one, spot)
        if one.kind == "paragraph" and scope is None:
            own = self.targets.scopes.get(spot.section_id)
            near = self.targets.near(spot, (*one.path, *one.parts))
            return near or self._numbered(one, spot, own or "")
        return self._numbered(one, spot, self.targets.scope_of(scope) if scope else None) or (
            self.targets.inside(scope, (*one.path, *one.parts)) if scope else None
        )

    def _numbered(self, one: _Named, spot: Spot, annex: str | None) -> str | None:
        """A numbered part and its paragraphs, `7.3(b)`; annex: only inside this one, "" in none."""
        for cut in range(len(one.parts), -1, -1):
            path = one.path + one.parts[:cut]
            called = annex is None and CALLED.fullmatch(one.word)
            found = (
                self.targets.called(one.word, path, spot)
                if called
                else self.targets.number(one.kind, path, spot, annex)
            )
            for anchor in found:
                if inner := self.targets.inside(anchor, one.parts[cut:]):
                    return inner
        return None

    def _in_annex(self, one: _Named, spot: Spot) -> str | None:
        """`Schedule 2, paragraph 4(b)`; `Schedule 12.2(a)(i)` may be a number of its own."""
        for cut in range(len(one.parts), -1, -1):
            annex = self.targets.annex(one.kind, one.word.lower(), one.path + one.parts[:cut])
            rest = one.parts[cut:]
            if annex is None or not rest:
                if annex:
                    return annex
                continue
            path = tuple(rest[0].split("."))
            for inner in self.targets.number("paragraph", path, spot, self.targets.scope_of(annex)):
                if found := self.targets.inside(inner, rest[1:]):
                    return found
            return self.targets.inside(annex, rest)
        return None

    def _other_kind(self, one: _Named) -> bool:
        """Whether the number is of a kind that no part of this document has: `Section 409A`, `Section 18-402`."""
        if one.kind in ("part", "chapter") and not self.targets.has(one.kind):
            return True
        if one.word.lower() == "schedule" and one.path == TAX_FORM:
            return True
        sizes = [int(digits) for digits in re.findall(r"\d+", " ".join(one.path))]
        return bool(sizes) and max(sizes) >= FAR_NUMBER > max(self.targets.tops, default=0)

    def _is_heading(self, one: _Named) -> bool:
        """Whether the reference begins its paragraph with a full stop after it: a heading that was not seen as one."""
        before, after = self.text[: one.start].rstrip(" "), self.text[one.end :]
        return (not before or before.endswith("\n")) and re.match(
            r"[.:]?\s*(?:\n|$|[A-ZА-Я“\"|–—-])", after
        ) is not None


def _kind(keyword: re.Match[str]) -> Kind:
    """Of which kind a keyword's word is."""
    return next(kind for kind in WORDS if keyword[kind])


def _split(one: re.Match[str]) -> tuple[Path, Path]:
    """Number and marks apart: (("7", "3"), ("b",))."""
    if one["number"]:
        return tuple(re.split(r"[.\u2011-]", one["number"])), _marks(one["marks"])
    return (), _marks(one["alone"])


def _marks(text: str) -> Path:
    return tuple(re.findall(r"[^\W_]+", text or ""))
