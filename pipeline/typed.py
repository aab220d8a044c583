"""What dates, amounts, durations and other values look like in a sentence, and the words that tie one to its subject.

Comes in: nothing; patterns alone. Goes out: `VALUES` by the type that a question expects, and what says that a value is
its subject's and not a neighbour's. English, German, Serbian in both scripts.
"""

from __future__ import annotations

import re

_MONTH = (
    r"(?:jan|feb|mar|apr|may|mai|maj|jun|jul|aug|avg|sep|oct|okt|nov|dec|dez|märz|јан|феб|мар|апр|мај|јун|јул|авг|сеп|"
    r"окт|нов|дец)[^\W\d]*"
)
_WRITTEN = """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty sixty ninety hundred
    ein eine einem einen zwei drei vier fünf sechs sieben acht neun zehn zwölf vierzehn dreißig sechzig neunzig
    jedan jedna dva dve tri četiri pet šest sedam osam devet deset petnaest dvadeset trideset šezdeset devedeset
    један један два две три четири пет шест седам осам девет десет петнаест двадесет тридесет шездесет деведесет
"""
_ONE = "|".join(_WRITTEN.split())
_NUMBER = rf"(?:\d[\d.,]*|(?:{_ONE})(?:[- ](?:{_ONE}))?)"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|RSD|US\$|[€$£]|euros?|dollars?|pounds?|dinara|динара)"
_SPAN = (
    r"(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?|minuten?|stunden?|tag(?:e|en|es)?|wochen?|monat(?:e|en|"
    r"s)?|jahr(?:e|en|es)?|minut\w*|sat[ia]?|dan[a]?|nedelj\w|mesec[ia]?|godin[aeu]|минут\w*|сат[иа]?|дан[а]?|недељ\w|"
    r"месец[иа]?|годин[аеу])"
)
_KIND = (
    r"(?:consecutive|business|working|calendar|full|further|contract|werk|kalender|arbeits|radnih|kalendarskih|радних)"
)
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:day of )?"
DATE = (
    r"\d{1,2}[./]\s?\d{1,2}[./]\s?\d{2,4}|\d{4}-\d\d-\d\d|"
    rf"{_ORDINAL}{_MONTH},?\s+\d{{4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{4}}"
)
LENGTH = rf"{_NUMBER}(?:\s?\([^\W_]+\))?[- ](?:{_KIND}[- ]?){{0,2}}{_SPAN}"
_BIG = r"(?:\s(?:million|billion))?"
MONEY = rf"{_CURRENCY}\s?\d[\d.,' ]*{_BIG}|\d[\d.,' ]*{_BIG}\s?{_CURRENCY}"
SHARE = rf"{_NUMBER}(?:\s?\([^\W_]+%?\))?\s?(?:%|per\s?cent(?:age points?)?|percent|prozent|odsto|procenata|одсто)"
TYPES = {
    "date": DATE,
    "time": f"{DATE}|{LENGTH}",
    "amount": f"{MONEY}|{SHARE}",
    "rate": f"{SHARE}|{MONEY}",
    "duration": LENGTH,
    "number": _NUMBER,
    "place": r"(?<=\bat )\S.*?(?= \(|;|\.$|$)|(?<=\bin )\d{4,5} \S+",
    "email": r"[\w.+-]+@[\w-]+\.[\w.]+\w",
    "phone": r"\+?\d[\d ()/-]{6,}\d",
}
_BE = (
    r"is|are|was|were|means?|shall be|will be|equals?|equal|amounts?|lasts?|ends?|ist|sind|beträgt|dauert|endet|je|su|"
    r"iznosi|traje|је|су|износи|траје"
)
_SMALL = (
    r"an?|the|at least|at|not less than|no less than|not more than|no more than|more than|less than|up to|"
    r"equal to|equivalent to|about|"
    r"a period of|period of|term of|rate of|amount of|sum of|initially|currently|exactly|for|set|fixed|agreed|eine?|"
    r"einen|höchstens|mindestens|najmanje|najviše|u iznosu|најмање|највише"
)
TYING = re.compile(
    rf"(?:\b(?:{_BE}|of|at a rate|at an? \w+ rate|commencing|von|od|од)|:)(?:,? (?:{_SMALL}))*\s*", re.IGNORECASE
)
DURING = re.compile(
    r"(?:\w+ )?(?:on|from|as of|as at|at|in|until|till|through|after|for|within|by|ab|bis|am|binnen|"
    r"innerhalb von|nach|od|do|u roku od|од|до|у року од)(?: (?:a|the|any|period|of|further|at least|not less than|"
    r"no later than|up to|eine?r?|von))*",
    re.IGNORECASE,
)
PARTING = re.compile(
    r"\b(?:within|before|after|from|to|by|until|for|in|on|of receiving|vor|nach|bis|pre|posle|do)\b|[,;]", re.IGNORECASE
)
BEING = re.compile(
    r"\b(?:is|are|means?|consists?|comprises?|continues?|will continue|begins?|ist|sind|gilt|je|su|važi|је|су|"
    r"важи)\b(?! to\b)",
    re.IGNORECASE,
)
RULING = re.compile(
    r"\b(?:governed by|govern|courts? of|jurisdiction of|unterlieg\w*|gilt|gerichte|primenjuje|"
    r"nadležan|nadležni|примењује|надлежан)\b",
    re.IGNORECASE,
)
MODAL = re.compile(
    r"\b(?:may|must|shall|will|can|entitled|muss|kann|darf|ist berechtigt|može|mora|sme|може|мора)\b", re.IGNORECASE
)
NOTICE = re.compile(
    rf"(?:{LENGTH})[’']?s?(?:,? (?:prior|written|advance|further|previous|and|or))*,? notice|"
    rf"notice (?:period )?of (?:not less than |at least |no less than |a minimum of )?(?:{LENGTH})|"
    rf"notice period (?:is|shall be|of)\b.{{0,30}}?(?:{LENGTH})",
    re.IGNORECASE,
)
VALUES = {name: re.compile(rf"(?<![\w.,])(?:{pattern})(?!\w)", re.IGNORECASE) for name, pattern in TYPES.items()}
SUBORDINATE = re.compile(
    r"(?:\(\w+\) )?(?:where|if|before|unless|should|once|when|save|so that|except|on request|upon|subject|wenn|falls|"
    r"sofern|"
    r"soweit|ako|ukoliko|kada|ако|уколико|када)\b",
    re.IGNORECASE,
)
