"""What a question asks for, by its own words: a category, a cell of a product's row, a term, a clause, a fact.

Comes in: a question in English, German or Serbian (either script). Goes out: an `Inquiry`: its kind, the codes and the
section numbers in it, the words that an answer must be about, the type of value that it must hold. Refuses nothing: a
question that fits no other kind asks for a fact.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pipeline import folding

Kind = Literal["membership", "attribute", "definition", "section", "clauses", "fact"]
Expected = Literal["", "date", "time", "amount", "rate", "duration", "number", "place", "email", "phone"]

CODE = re.compile(r"(?<![\w.(/-])(?:[^\W\d_]{1,8}[-./]?\d|\d+[-./]?[^\W\d_]|\d+-\d)[^\W_]*(?:[-./×][^\W_]+)*")
NUMBERED = re.compile(
    r"\b(?:product|item|part|article|code|sku|artikel|artikelnummer|proizvod\w*|sifra|no|nr|"
    r"br)\.?\s+(\d{4,}[\d./-]*\d)",
    re.IGNORECASE,
)
NO_CODE = re.compile(r"[a-z]{3}|^\d+(?:st|nd|rd|th)$|^\d+[-.]\d+$|^(?:19|20)\d\d$|^[Hh]\d$|^[Qq][1-4]$")
_DIGITS = r"\d{1,4}[A-Za-z]?(?![\w/])(?:[.\-]\d{1,4})*(?![\w/])(?:\s?\([^\W_]{1,5}\))*"
_PARTED = (
    r"sections?|secs?|clauses?|cl|articles?|arts?|paragraphs?|paras?|chapters?|parts?|items?|§+|abschnitt\w*|ziffer\w*|"
    r"klausel\w*|artikel\w*|absatz|kapitel\w*|clan\w*|član\w*|члан\w*|odelj\w*|одељ\w*|tačk\w*|tack\w*|тачк\w*|"
    r"poglavlj\w*|поглављ\w*"
)
_ANNEXES = r"schedules?|appendix|annex|exhibit|anlage|anhang|prilog\w*|прилог\w*|dodat\w*|додат\w*"
REFERENCE = re.compile(
    rf"(?:(?<!\w)(?:{_PARTED})\.?\s*(?:{_DIGITS}|(?-i:[IVXLC]+)(?![\w-]))|\b(?:{_ANNEXES})\s*(?:{_DIGITS}|"
    rf"(?-i:[A-Z](?:[-.]\d+)?|[IVX]+)\b))"
    rf"(?:,?\s+(?:paragraph|para|absatz|abs|stav|tačka|став|тачка)\.?\s*{_DIGITS})?",
    re.IGNORECASE,
)
BARE = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3})+(?:\([^\W_]{1,5}\))*(?!\w)")

LEVEL = re.compile(
    r"\b(?P<page>page|seite|stran[aieu]\w{0,3})\b|\b(?P<chapter>chapter|kapitel|poglavlj\w+)\b|"
    r"\b(?P<level>categor(?:y|ies)|sections?|headings?|groups?|famil(?:y|ies)|ranges?|departments?|kategorie\w*|"
    r"\w*gruppen?|rubrik|abschnitt\w*|uberschrift|kategorij\w+|grup[aieu]\w{0,2}|odelj\w+|odeljk\w+|naslov\w*)\b"
)
WHICH = re.compile(
    r"\b(?:which|what|welche\w*|koj\w+|kom|kojem)\s+(?:\w+\s+){0,2}?(?:page|seite|stran|chapter|kapitel|poglavlj|"
    r"categor|section|heading|"
    r"group|famil|range|department|kategorie|\w*gruppe|rubrik|abschnitt|uberschrift|kategorij|grup|odelj|naslov)"
)
WHERE = re.compile(r"^(?:where|wo|gde)\b")
DEFINED = re.compile(
    r"\bwhat (?:do|does|is|are) (?:is |are )?(?:the (?:term|word|expression)s? )?(?P<a>.+?) (?:mean|means|meant|"
    r"stand for)\b|"
    r"\b(?:definition|meaning) of (?:the (?:term|word|expression)s? )?(?P<b>.+)|"
    r"^(?:please )?define (?:the term )?(?P<c>.+)|"
    r"\bhow (?:is|are) (?:the term )?(?P<d>.+?) defined\b|"
    r"\bwas (?:bedeutet|bedeuten|heisst|meint) (?:der begriff |das wort )?(?P<e>.+)|"
    r"\b(?:definition|bedeutung) (?:von|des begriffs|der|des) (?P<f>.+)|\bwie (?:ist|wird|werden|"
    r"sind) (?P<g>.+?) definiert\b|"
    r"\bwas versteht (?:man|der vertrag) unter (?P<h>.+)|"
    r"\bsta (?:znaci|znace|oznacava|podrazumeva)(?: se pod)? (?:pojam |izraz |termin |rec )?(?P<i>.+)|"
    r"\bdefinicij\w (?:pojma |izraza |termina )?(?P<j>.+)|\bkako (?:je|su) (?P<k>.+?) definisan\w*|"
    r"\bkako (?:je|su) definisan\w* (?:pojam |izraz |termin )?(?P<l>.+)"
)
CALLED = re.compile(
    r"^(?:what|who|was|wer|sta|ko) (?:is|are|ist|sind|je|su) (?:meant by )?(?:an? |the |der |die |das |ein |"
    r"eine )?(.+)$"
)
LISTED = re.compile(
    r"\b(?:which|what|list|find|show|all|every|welche\w*|alle|nenne|koj[eai]\w*|sv[ei]|navedi)\b.{0,24}\b(?:clauses?|"
    r"sections?|"
    r"articles?|provisions?|paragraphs?|klauseln?|abschnitte?|bestimmung\w*|regelung\w*|odredb\w+|klauzul\w+|clan\w*|"
    r"odelj\w+)\b"
)

DEALING = re.compile(
    r"\b(?:deals?|dealing|covers?|about|concerns?|concerning|governs?|regulates?|addresses|handelt|regelt|betrifft|"
    r"uredjuje|govori)\b"
)

ACTION = re.compile(
    r"\b(?:how long|how much|how many|how|when|who|what|why|where|wann|wie|wer|wie lange|kada|koliko|ko|kako)\s+"
    r"(?:long |much |many |lange |dugo )?(?:\w+ ){0,2}?(?:does|do|did|must|shall|should|may|can|could|will|was|were|"
    r"has|have|muss|"
    r"kann|darf|wird|wurde|moze|mora|sme|happens?|pays?|bears?|owns?|passiert|zahlt|tragt|placa|snosi)\b"
)
PRICED = (
    r"how much|price|cost|costs|fee|fees|preis\w*|kostet|kosten|gebuhr\w*|honorar|cen[aeiu]|kosta|kostaju|koliko kosta"
)
EXPECTED: tuple[tuple[Expected, re.Pattern[str]], ...] = (
    ("email", re.compile(r"\be-?mail\w*\b")),
    ("phone", re.compile(r"\b(?:tele)?(?:phone|fon)\w*\b|\bbroj telefona\b")),
    ("rate", re.compile(r"\b(?:percent\w*|per cent|interest rate|rate|zinssatz|prozent\w*|stop[ae]|procen\w+)\b")),
    ("amount", re.compile(rf"\b(?:{PRICED}|amount|salary|deductible|premium|cap|betrag|summe|gehalt|iznos\w*|"
    rf"naknad\w+)\b")),
    (
        "duration",
        re.compile(
            r"\b(?:how long|period|duration|(?:response|delivery|lead|cure|recovery|resolution) time|"
            r"(?:initial|renewal|licen[cs]e|lease|extended|contract|loan) term|term of|payment terms?|"
            r"how many (?:business |working |calendar )?(?:days|weeks|months|years|"
            r"hours)|deadline|"
            r"within what time|time limit|wie lange|frist|\w+frist|dauer|laufzeit|wie viele (?:tage|wochen|monate|"
            r"jahre)|"
            r"koliko dugo|koliko (?:dana|meseci|godina)|rok|roka|trajanj\w+|period\w*)\b"
        ),
    ),
    ("date", re.compile(r"\b(?:what date|which date|on what day|welchem datum|kog datuma)\b")),
    ("time", re.compile(r"\b(?:when|wann|kada)\b")),
    ("place", re.compile(r"\b(?:registered office|address|anschrift|adres[aeu]|sedist\w+)\b")),
    ("number", re.compile(r"\b(?:how many|wie viele?|koliko)\b")),
)  # fmt: skip
TYPED = """
    amount amounts period periods duration date time long much many day days week weeks month months year years hours
    business working calendar deadline limit percentage percent rate value price cost costs term length
    wieviel viel viele lange frist dauer laufzeit tage wochen monate jahre betrag preis kostet kosten datum prozent
    koliko dugo dana meseci godina rok trajanje iznos cena kosta datuma procenat stopa
"""
FURNITURE = """
    a about according all an and any are as at be been by can could did do does each every exactly find for from get
    give given has have how i if in into is it its list listed located me mention mentioned must my name named of on or
    our please provided provide say says said shall should show specified stated tell that the their them there these
    this those to under us was we what whats when where which who whom whose why will with within would you your
    agreement contract document text catalogue catalog file here apply applies applied set out does contain require
    required needed need long called kind type sort
    der die das des dem den ein eine einer eines einem einen und oder ist sind wird werden wurde was wer wie wo wann
    warum welche welcher welches welchem welchen fur von vom zu zum zur in im auf an am aus bei mit nach uber unter hat
    haben muss kann gilt gelten vertrag vertrages vertrags dieser diese dieses dokument es man sich steht katalog
    i u je su se na za od sa koji koja koje kojoj kojem kog kom kojim sta ko kako gde kada da li iz o po pod ovaj ova
    ovo ovog ugovor ugovora ugovoru dokument ima imaju piše pise moze mora biti
"""
STOP = frozenset(FURNITURE.split())
TYPE_WORDS = frozenset(TYPED.split())
_NAMING: dict[Expected, frozenset[str]] = {
    "place": frozenset({"address", "office", "anschrift", "adresa", "sediste"}),
    "email": frozenset({"email", "mail", "address", "adresse", "adresa"}),
    "phone": frozenset({"phone", "telephone", "number", "telefon", "broj", "telefonnummer"}),
    "number": frozenset({"number"}),
}
_STARTS = """
    start starts begin begins commence commences commencement effective force date beginnt beginn inkrafttreten kraft
    pocinje stupa snagu pocetak datum
"""
STARTS = frozenset(_STARTS.split())
START_TERMS = (
    "effective date", "commencement date", "start date", "datum stupanja na snagu", "datum des inkrafttretens",
)  # fmt: skip


@dataclass(frozen=True)
class Inquiry:
    """kind: what is asked. codes and written (section numbers) as the question has them. words: in plain letters, those
    that an answer must be about. subjects: terms of which one may be what is to be explained, in plain letters, the
    likeliest first. expected: the type of value an answer must hold. level: `page`, `chapter` or `level` where a
    membership is asked.
    """

    text: str
    kind: Kind
    codes: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    expected: Expected = ""
    level: str = ""


@lru_cache(maxsize=256)
def parse(question: str) -> Inquiry:
    """What the question asks for."""
    text = " ".join(question.split())
    written = tuple(match[0].strip() for match in REFERENCE.finditer(text))
    rest = REFERENCE.sub(" ", text)
    codes = _codes(rest)
    plain = folding.plain(rest)
    level = LEVEL.search(plain)
    words = _words(rest, codes)
    expected = _expected(plain)
    kind: Kind = "fact"
    if codes:
        kind = "membership" if level or WHERE.search(plain) else "attribute"
    elif _is_defined(plain):
        kind = "definition"
    elif not written and (bare := BARE.findall(text)) and (level or WHERE.search(plain)):
        kind, codes, words = "membership", tuple(bare), _words(rest, tuple(bare))
    elif (LISTED.search(plain) or (level and DEALING.search(plain))) and not written and not _belongs(plain):
        kind = "clauses"
    elif WHICH.search(plain) and not DEALING.search(plain):
        kind = "membership"
    elif not written and not words and (bare := BARE.findall(text)):
        kind, written = "section", tuple(bare)
    elif written and not words:
        kind = "section"
    named = next((name for name, found in (level.groupdict() if level else {}).items() if found), "level")
    return Inquiry(text, kind, codes, written, words, _subjects(plain, words, expected), expected, named)


def _codes(text: str) -> tuple[str, ...]:
    found = [match[0] for match in CODE.finditer(text)] + [match[1] for match in NUMBERED.finditer(text)]
    return tuple(dict.fromkeys(code for code in found if not NO_CODE.search(code) and len(code) > 1))


def _words(text: str, codes: tuple[str, ...]) -> tuple[str, ...]:
    for code in codes:
        text = text.replace(code, " ")
    kept = (word for word in folding.words(text) if word not in STOP and len(word) > 1)
    return tuple(dict.fromkeys(kept))


def _expected(plain: str) -> Expected:
    return next((name for name, pattern in EXPECTED if pattern.search(plain)), "")


def _is_defined(plain: str) -> bool:
    return DEFINED.search(plain) is not None


def _subjects(plain: str, words: tuple[str, ...], expected: Expected) -> tuple[str, ...]:
    """The terms that a question asks the meaning of, or that it may ask the meaning of."""
    if expected in ("time", "date") and words and STARTS.issuperset(words):
        return START_TERMS
    match = DEFINED.search(plain.rstrip(" ?.!")) or CALLED.search(plain.rstrip(" ?.!"))
    found = next(filter(None, match.groups()), "") if match else ""
    bare = re.sub(r"\b(?:in|under|of|to) (?:this|the) (?:agreement|contract|document)\b.*", "", found)
    term = " ".join(folding.words(bare))
    return (term,) if term else ()


def _belongs(plain: str) -> bool:
    return re.search(r"\b(?:belongs?|listed|gehort|gehoren|pripada\w*)\b", plain) is not None


def topic(inquiry: Inquiry) -> tuple[str, ...]:
    """The words that an answer must be about: without those that only say which type of value is asked."""
    if not inquiry.expected:
        return inquiry.words
    typed = TYPE_WORDS | _NAMING.get(inquiry.expected, frozenset())
    return tuple(word for word in inquiry.words if word not in typed)


def is_action(inquiry: Inquiry) -> bool:
    """Whether the question asks what somebody does or what becomes of something, not what something is."""
    return ACTION.search(folding.plain(inquiry.text)) is not None
