"""Every date that a printed text holds, in the forms and the languages of the world.

Comes in: a piece of a line. Goes out: `Dated`s with their place in the text and every ISO date that may be meant:
`03/04/2025` is two; a month without a day is `2025-03`, a day without a year `--03-31`. Eras (`令和6年`, `R6.3.1`,
`民國113年`), the Buddhist calendar's years and months by name are understood. Refuses nothing: a text without a date
holds none.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_NAMES = (
    """january jan januar janner janvier janv gennaio genn enero ene januari januara janeiro leden ledna styczen
    stycznia sty ianuarie ian ocak tammikuu tammikuuta januarja siječanj siječnja sijecanj sijecnja јануар јануара
    январь января янв січень січня януари ιανουαριος ιανουαριου ιαν ינואר ינו يناير كانون_الثاني január""",
    """february feb februar fevrier fev fevr febbraio febb febrero februari februara fevereiro unor unora luty lutego
    lut februarie subat helmikuu helmikuuta februarja veljača veljače veljaca veljace фебруар фебруара февраль февраля
    фев лютий лютого февруари φεβρουαριος φεβρουαριου φεβ פברואר פבר فبراير شباط február""",
    """march mar marz maerz mrz mars marzo maart mrt mart marta marco marec brezen brezna marzec marca martie maaliskuu
    maaliskuuta ožujak ožujka ozujak ozujka март марта мар березень березня μαρτιος μαρτιου μαρ מרץ מרס مارس آذار
    március marts""",
    """april apr avril avr aprile abril abr aprila duben dubna kwiecien kwietnia kwi aprilie nisan huhtikuu huhtikuuta
    travanj travnja април априла апр апрель апреля квітень квітня απριλιος απριλιου απρ אפריל אפר أبريل ابريل نيسان
    április""",
    """may mai maggio magg mayo mei maj maja maio kveten kvetna maja mayis toukokuu toukokuuta svibanj svibnja мај маја
    май мая травень травня μαιος μαιου מאי مايو أيار május""",
    """june jun juni juin giugno giu junio juna junho cerven cervna czerwiec czerwca cze iunie iun haziran kesakuu
    kesakuuta junij junija lipanj lipnja јун јуна јуни июнь июня июн червень червня юни ιουνιος ιουνιου ιουν יוני يونيو
    حزيران június""",
    """july jul juli juillet juil luglio lug julio jula julho cervenec cervence lipiec lipca lip iulie iul temmuz
    heinakuu heinakuuta julij julija srpanj srpnja јул јула јули июль июля июл липень липня юли ιουλιος ιουλιου ιουλ
    יולי يوليو تموز július""",
    """august aug aout agosto ago augustus avgust avgusta srpen srpna sierpien sierpnia sie agustos elokuu elokuuta
    kolovoz kolovoza август августа авг серпень серпня αυγουστος αυγουστου αυγ אוגוסט אוג أغسطس اغسطس آب augusztus""",
    """september sep sept septembre settembre sett septiembre setiembre septembar septembra setembro zari wrzesien
    wrzesnia wrz septembrie eylul syyskuu syyskuuta rujan rujna септембар септембра сентябрь сентября сен вересень
    вересня септември σεπτεμβριος σεπτεμβριου σεπ ספטמבר ספט سبتمبر أيلول szeptember""",
    """october oct oktober okt octobre ottobre ott octubre oktobar oktobra outubro out rijen rijna pazdziernik
    pazdziernika paz octombrie ekim lokakuu lokakuuta oktobrija listopada октобар октобра октябрь октября окт жовтень
    жовтня октомври οκτωβριος οκτωβριου οκτ אוקטובר אוק أكتوبر اكتوبر تشرين_الأول október""",
    """november nov novembre noviembre novembar novembra novembro listopad listopadu noiembrie kasim marraskuu
    marraskuuta studeni studenog новембар новембра ноябрь ноября ноя листопад листопада ноември νοεμβριος νοεμβριου νοε
    נובמבר נוב نوفمبر تشرين_الثاني""",
    """december dec dezember dez decembre dicembre dic diciembre decembar decembra dezembro prosinec prosince grudzien
    grudnia gru decembrie aralik joulukuu joulukuuta prosinac prosinca децембар децембра декабрь декабря дек грудень
    грудня декември δεκεμβριος δεκεμβριου δεκ דצמבר דצמ ديسمبر كانون_الأول""",
)


def _folded(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name.casefold().replace("ı", "i").replace("ł", "l").replace("ø", "o"))
    return "".join(char for char in bare if not unicodedata.combining(char))


MONTHS = {
    _folded(name.replace("_", " ")): month for month, names in enumerate(_NAMES, start=1) for name in names.split()
}
ERAS = {
    "令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867, "R": 2018, "H": 1988, "S": 1925, "㋿": 2018,
    "民國": 1911, "民国": 1911, "中華民國": 1911,
}  # fmt: skip

_DAY, _WORDS = r"(?P<day>\d{1,2})", r"(?P<name>[^\W\d_]{3,}(?:\s(?:الثاني|الأول))?|[^\W\d_]{2,4}(?=['’.]))"
_YEAR = r"['’]?(?P<year>\d{4}|\d{2})(?!\d)"
_LINK = r"(?:\s+(?:de|del|di|of|den)\s+|[\s\-/.,'’]*)"
NUMERIC = re.compile(r"(?<![\d.,/])(\d{1,4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?![\d])")
COMPACT = re.compile(r"(?<!\d)((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)")
PAIR = re.compile(r"(?<![\d./,-])(\d{1,2})([-/.])(\d{4}|\d{2})(?![\d./,-])")
SHORT = re.compile(r"\s*(\d{1,2})/(\d)\s*")
_KANJI = "[〇零一二三四五六七八九十]+"
KANJI = re.compile(
    rf"(?P<era>令和|平成|昭和|大正|明治|中華民國|民國)?\s?(?P<year>{_KANJI}|元)\s?年\s?"
    rf"(?P<month>{_KANJI})\s?月(?:\s?(?P<day>{_KANJI})\s?日)?"
)
VIETNAMESE = re.compile(r"(?:ngày\s+(?P<day>\d{1,2})\s+)?tháng\s+(?P<month>\d{1,2})\s+năm\s+(?P<year>\d{4})", re.I)
NAMED = re.compile(rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|ª|º|°|\.|日)?{_LINK}[בל]?{_WORDS}\.?(?:{_LINK}{_YEAR})?", re.I)
NAME_FIRST = re.compile(rf"{_WORDS}\.?[\s\-/]*{_DAY}(?:st|nd|rd|th)?(?![\d])(?:[\s,\-/.]+{_YEAR})?", re.I)
MONTHLY = re.compile(rf"{_WORDS}\.?{_LINK}['’]?(?P<year>\d{{4}}|(?<=['’\-/])\d{{2}})(?!\d)", re.I)
YEAR_FIRST = re.compile(rf"(?<!\d)(?P<year>\d{{4}})[.,]?[\s\-/]*{_WORDS}\.?[\s\-/]*{_DAY}(?!\d)", re.I)
CJK = re.compile(
    r"(?:(?P<era>令和|平成|昭和|大正|明治|中華民國|民國|民国|㋿|[RHS](?=\d)))?\s?(?P<year>\d{1,4}|元)\s?[年년]\s?"
    r"(?P<month>\d{1,2})\s?[月월](?:\s?(?P<day>\d{1,2})\s?[日일])?"
)
CJK_DAY = re.compile(r"(?<![年\d])(?<!年\s)(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?日")
ERA_SHORT = re.compile(
    r"(?<![A-Za-z])(令和|平成|昭和|R|H|S|民國)\s?(\d{1,3}|元)\s?[./\-・]\s?(\d{1,2})(?:\s?[./\-・]\s?(\d{1,2}))?(?!\d)"
)


class Dated(NamedTuple):
    """A date at text[start:end], and what it may mean: `2025-03-31`, `2025-03` (no day), `--03-31` (no year)."""

    start: int
    end: int
    isos: frozenset[str]


@lru_cache(maxsize=65536)
def dates(text: str) -> tuple[Dated, ...]:
    """All dates of a text; where one stands inside another, the longer one first."""
    if not any(char.isdecimal() or char in "元年" for char in text):
        return ()
    even = "".join(str(unicodedata.decimal(char)) if char.isdecimal() else _dash(char) for char in text)
    found: dict[tuple[int, int], frozenset[str]] = {}
    for reader in (_numeric, _compact, _cjk, _kanji, _eras, _named, _vietnamese, _pairs):
        for start, end, isos in reader(even):
            if isos:
                found[start, end] = found.get((start, end), frozenset()) | isos
    return tuple(Dated(start, end, isos) for (start, end), isos in sorted(found.items(), key=lambda one: -one[0][1]))


def _dash(char: str) -> str:
    return "-" if char in "‐‑‒–−" else (" " if char.isspace() else char)


Spans = Iterator[tuple[int, int, frozenset[str]]]


def iso(year: int, month: int, day: int) -> str | None:
    """The ISO date, or None where there is no such day."""
    if year > 2450:  # the Buddhist calendar's
        year -= 543
    try:
        return datetime.date(year, month, day).isoformat()
    except ValueError:
        return None


def _full(year: str) -> int:
    number = int(year)
    return number if len(year) > 2 else number + (2000 if number < 70 else 1900)


def _numeric(text: str) -> Spans:
    for found in NUMERIC.finditer(text):
        first, second, third = found[1], found[3], found[4]
        ways = []
        if len(first) == 4 or (len(first) == 2 and len(third) == 2):
            ways.append(iso(_full(first), int(second), int(third)))
        if len(first) <= 2:
            ways += [iso(_full(third), int(second), int(first)), iso(_full(third), int(first), int(second))]
        yield *found.span(), frozenset(way for way in ways if way)


def _compact(text: str) -> Spans:
    for found in COMPACT.finditer(text):
        way = iso(int(found[1]), int(found[2]), int(found[3]))
        yield *found.span(), frozenset({way} if way else ())


def _pairs(text: str) -> Spans:
    """`03/2024` as a month; `31/03` and `03.31` as a day of an unnamed year."""
    for found in PAIR.finditer(text):
        first, second = int(found[1]), int(found[3])
        isos = set()
        if 1 <= first <= 12 and (len(found[3]) == 4 or second > 12):
            isos.add(f"{_full(found[3]):04d}-{first:02d}")
        if len(found[3]) == 2:
            isos |= {f"--{m:02d}-{d:02d}" for d, m in ((first, second), (second, first)) if iso(2024, m, d)}
        yield *found.span(), frozenset(isos)
    if (alone := SHORT.fullmatch(text)) is not None:
        first, second = int(alone[1]), int(alone[2])
        isos = {f"--{m:02d}-{d:02d}" for d, m in ((first, second), (second, first)) if m <= 12 and iso(2024, m, d)}
        yield alone.start(1), alone.end(2), frozenset(isos)


def _cjk(text: str) -> Spans:
    for found in CJK.finditer(text):
        year = 1 if found["year"] == "元" else int(found["year"])
        if found["era"]:
            year += ERAS[found["era"]]
        elif year < 100:
            year += 2000 if len(found["year"]) == 2 else 0
        yield *found.span(), _partly(year, int(found["month"]), found["day"])
        if not found["era"] and int(found["year"].replace("元", "1")) < 64:  # an era that stands elsewhere
            yield (
                *found.span(),
                _partly(int(found["year"].replace("元", "1")) + 2018, int(found["month"]), found["day"]),
            )
    for found in CJK_DAY.finditer(text):
        yield *found.span(), frozenset({f"--{int(found['month']):02d}-{int(found['day']):02d}"})


def _kanji(text: str) -> Spans:
    for found in KANJI.finditer(text):
        year = 1 if found["year"] == "元" else _counted(found["year"])
        day = str(_counted(found["day"])) if found["day"] else ""
        yield *found.span(), _partly(year + ERAS.get(found["era"] or "", 0), _counted(found["month"]), day)


def _counted(figures: str) -> int:
    """A number in Chinese figures: `二〇二四`, `三十一`."""
    values = ["〇一二三四五六七八九".index(char) if char != "十" else 10 for char in figures.replace("零", "〇")]
    if 10 not in values:
        return int("".join(map(str, values)))
    at = values.index(10)
    return 10 * (values[at - 1] if at else 1) + sum(values[at + 1 :])


def _vietnamese(text: str) -> Spans:
    for found in VIETNAMESE.finditer(text):
        yield *found.span(), _partly(int(found["year"]), int(found["month"]), found["day"])


def _eras(text: str) -> Spans:
    for found in ERA_SHORT.finditer(text):
        year = ERAS[found[1]] + (1 if found[2] == "元" else int(found[2]))
        yield *found.span(), _partly(year, int(found[3]), found[4])


def _partly(year: int, month: int, day: str | None) -> frozenset[str]:
    if not 1 <= month <= 12 or not 1000 < year < 2700:
        return frozenset()
    way = iso(year, month, int(day)) if day else f"{year:04d}-{month:02d}"
    return frozenset({way} if way else ())


def _named(text: str) -> Spans:
    for pattern in (NAMED, NAME_FIRST, YEAR_FIRST):
        for found in pattern.finditer(text):
            month = MONTHS.get(_folded(found["name"]))
            if month and iso(2024, month, int(found["day"])):
                day = int(found["day"])
                way = iso(_full(found["year"]), month, day) if found["year"] else f"--{month:02d}-{day:02d}"
                yield *found.span(), frozenset({way} if way else ())
    for found in MONTHLY.finditer(text):
        month = MONTHS.get(_folded(found["name"]))
        if month:
            yield *found.span(), frozenset({f"{_full(found['year']):04d}-{month:02d}"})
