"""The words that frame contracts in seven languages (Serbian in both scripts): what a signature block labels, how a
cover names its parties, what a draft is stamped with, how an electronic signature announces itself.

Comes in: nothing. Goes out: patterns over printed lines, and the role of a label. What a match means is for
formalities.py, stamps.py and facts.py to judge. Patterns are text, compiled where they are first tried: most documents
try few of them.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Role = Literal["sign", "name", "title", "date", "place", "other"]

_LABELS: dict[Role, str] = {
    "sign": """
        by|per|signature|signed|signed by|authorised signature|authorized signature|authorised signatory
        authorized signatory|unterschrift|gezeichnet|gez.|rechtsverbindliche unterschrift|signé|signé par|par|firma
        firmato|handtekening|potpis|potpisao|potpisala|потпис|потписао|потписала""",
    "name": """
        name|print name|printed name|full name|name (print)|name in block capitals|nom|nom et prénom|prénom et nom
        prénom|vorname|nachname|vor- und nachname|nome|nombre|naam|ime|ime i prezime|име|име и презиме""",
    "title": """
        title|its|position|capacity|titel|funktion|stellung|qualité|fonction|titre|titolo|carica|qualifica|cargo
        functie|funkcija|svojstvo|функција|својство|name and title|name, title|ime i funkcija|име и функција""",
    "date": "date|date signed|dated|datum|data|fecha|датум|datum potpisa|датум потписа",
    "place": """
        place|ort|ort, datum|ort und datum|ort/datum|lieu|lieu et date|luogo|lugar|plaats|mesto|mesto i datum|место
        место и датум""",
    "other": """
        witness|witnessed by|in the presence of|company|address|e-mail|email|zeuge|témoin|testigo|svedok|сведок
        cachet|stempel|siegel|pečat|печат|m.p.|м.п.|firmenstempel""",
}  # fmt: skip
ROLES: dict[str, Role] = {
    label.strip(): role for role, text in _LABELS.items() for line in text.splitlines() for label in line.split("|")
    if label.strip()
}  # fmt: skip
_MOST_WORDS = max(len(label.split()) for label in ROLES)

AGREEMENT = (
    r"(?i)\b(?:agreement|contract|deed|indenture|lease|\w*vertrag|\w*vereinbarung|contrat|accord|contratto|accordo|contrato"
    r"|acuerdo|overeenkomst|ugovor\w*|sporazum\w*|уговор\w*|споразум\w*)\b"
)
BEHALF = (
    r"(?i)(?:(?:duly |hereby )?(?:signed|executed|accepted|agreed)(?: and (?:delivered|agreed|accepted))?"
    r" (?:for|by|as a deed)?(?: and on behalf of)?|for and (?:on|in) behalf of|on behalf of"
    r"|für(?: und im namen)?(?: die| den| das)?"
    r"|im namen(?: und im auftrag)?(?: von| der| des)?|namens(?: van)?|pour(?: et au nom de| le compte de)?"
    r"|au nom de|per(?: conto di)?|in nome di"
    r"|por(?: y en nombre de)?|en nombre de|voor|u ime(?: i za račun)?|za|у име(?: и за рачун)?|за|for)\s+(?=\S)"
)
PARTY = r"(?i)\b(?:behalf|signed|für|namens|pour|per conto|por|za|за|u ime|у име)\b"
COMPANY = (
    r"(?i).*[\s,](?:ltd|limited|llc|l\.l\.c|llp|lp|l\.p|plc|inc|incorporated|corp|corporation|company|n\.a|gmbh|ag|kg|ohg|ug|se|mbh|sarl"
    r"|sas|sa|s\.a\.r\.l|s\.a|s\.a\.s|spa|s\.p\.a|srl|s\.r\.l|s\.l|bv|b\.v|nv|n\.v|d\.o\.o|doo|a\.d|ad|д\.о\.о|доо|а\.д|ад"
    r")\.?\W*"
)
WITNESSED = (
    r"(?i)in witness whereof|executed (?:by|as)|signed by|signature page|signatures?$|unterschriften?$|zu urkund"
    r"|en foi de quoi|fait (?:à|en)|u potvrdu|potpisi$|потписи$|у потврду|agreed and accepted|agreed to and accepted"
)

PAGE_NOTE_STEMS = ("signature", "left blank", "unterschriftenseite", "gelassen", "potpis", "потпис", "blanc")
PAGE_NOTE = (
    r"(?i)(?!.*\b(?:shall|may|will|be|are|has to|gilt|smatra)\b)[\[(*\s]*(?:"
    r"(?:the )?(?:counterpart )?signature pages?(?: (?:to|of|for|follows?)\b.*)?|signatures? (?:appear|follow).*"
    r"|(?:the )?(?:remainder|rest) of (?:(?:this|the) )?page (?:has been |is )?(?:intentionally )?left blank.*"
    r"|(?:this )?page (?:has been |is )?(?:intentionally )?left blank.*|unterschriftenseite(?: (?:zu|zum|folgt)\b.*)?"
    r"|(?:diese )?seite (?:wurde |bleibt )?(?:absichtlich |bewusst )?(?:frei|leer) ?gelassen.*|strana za potpise?\b.*"
    r"|potpisi na sledećoj strani.*|страна за потпис[еа]?\b.*|потписи на следећој страни.*"
    r"|page de signatures?(?: .*)?|(?:cette )?page (?:est )?laissée (?:intentionnellement )?(?:en )?blanc.*)[\])*\s.]*"
)
_DRAFT = (
    "(?:final |first |second |third |working |discussion |revised |clean |initial )?draft|(?:vertrags|roh)?entwurf|"
    "(?:radni )?nacrt|(?:радни )?нацрт|projet|bozza|borrador|ontwerp|execution (?:version|copy|form|draft)|"
    "conformed copy|agreed form|engrossment|unterschriftsfassung|unterzeichnungsfassung|ausfertigung|version finale|"
    "version de signature|verzija za potpis(?:ivanje)?|верзија за потпис(?:ивање)?|radna verzija|радна верзија"
)
_SECRET = (
    "(?:strictly |private (?:and|&) |privileged (?:and|&) |commercially )?confidential|(?:streng )?vertraulich|"
    "(?:strogo )?poverljivo|(?:строго )?поверљиво|(?:strictement )?confidentiel|riservato|confidencial|vertrouwelijk|"
    "subject to contract|for discussion purposes only|not for (?:execution|distribution)|proprietary"
)
_MARKED = "copy|kopie|kopija|копија|copie|specimen|sample|muster|uzorak|узорак|void|duplicate|original|preview"
DRAFT_STEMS = (
    *(
        "draft",
        "entwurf",
        "nacrt",
        "нацрт",
        "projet",
        "bozza",
        "borrador",
        "ontwerp",
        "execution",
        "conformed",
        "agreed",
    ),
    *("engross", "fassung", "ausfertigung", "finale", "signature", "verzija", "верзија"),
)
DRAFT = rf"(?i)[\[(*\W]*(?P<firm>(?:[^\W\d_][\w&.']*\s+|&\s+){{0,3}}?)(?P<state>{_DRAFT})\b(?P<rest>.*)"
_SECRETS = rf"(?i)[\[(*\W]*(?:{_SECRET})(?:\W+(?:{_SECRET}|and|und|i|et|{_DRAFT}))*\W*"
_STAMPS = rf"(?i)\W*(?:{_DRAFT}|{_SECRET}|{_MARKED})(?:\W+(?:{_DRAFT}|{_SECRET}|{_MARKED}))*\W*"
_DRAFT_LINKS = """
of dated as no nr br бр v version ver rev revision vom stand fassung od од dana дана du le del di n only for and
confidential comments clean redline wip am pm"""
DRAFT_LINKS = frozenset(_DRAFT_LINKS.split())

ESIGN_STARTS = (
    *("docusign", "signed by", "envelope id", "digital", "electronic", "esigned", "e-signed", "adobe", "transaction"),
    *("elektron", "signé", "signe", "firmado", "firmato", "дигитално", "електронски"),
)
ESIGN_ENDS = ("by", "signed", "von", "durch", "par", "por", "da", "potpisao", "potpisala", "потписао", "потписала")
ESIGNED = (
    r"(?i)(?:docusigned by|docusign(?: envelope)?(?: id)?|signed by|envelope id|digitally signed(?: by)?"
    r"|electronically signed(?: by)?|e-?signed by|adobe (?:acrobat )?sign(?: transaction number| document id)?"
    r"|transaction (?:number|id)|digital (?:unterschrieben|signiert|unterzeichnet)(?: von| durch)?"
    r"|elektronisch (?:unterschrieben|signiert|unterzeichnet)(?: von| durch)?"
    r"|sign[ée]e? (?:électroniquement|numériquement)(?: par)?|firmado (?:digitalmente|electrónicamente)(?: por)?"
    r"|firmato (?:digitalmente|elettronicamente)(?: da)?|(?:digitalno|elektronski) potpisa(?:o|la|no|n)"
    r"|(?:дигитално|електронски) потписа(?:о|ла|но|н))(?P<colon>\s*:)?(?:\s+(?P<rest>\S.*))?"
)
ESIGNED_ON = (
    r"(?i)(?:[0-9A-F]{8,}(?:\.{2,3}|…)?|[0-9A-F]{8}-(?:[0-9A-F]{4}-){3}[0-9A-F]{12}"
    r"|(?:dn|cn|o|ou|c|date|datum|датум|data|fecha|time|vreme|време|reason|grund|raison|razlog|разлог|location|ort|lieu"
    r"|lokacija|локација|serial(?: number)?|certificate(?: id)?|issuer|email|e-mail|signing time)\s*[:=].*"
    r"|\d{4}[.-]\d{2}[.-]\d{2}[ T].*)"
)

ATTACHED = (
    r"(?i)[\[(]?\s*(?:to be |is |are |see )?(?:attached|attached hereto|see attached|follows|following pages?"
    r"|provided separately|to be attached|beigefügt|siehe anlage|anbei|folgt|liegt bei|u prilogu|sledi|у прилогу|следи"
    r"|ci-joint|ci-jointe"
    r"|voir ci-joint)"
    r"(?:\s+(?:hereto|behind this page|on (?:the )?next page))?"
    r"\.?\s*[\])]?"
)

BETWEEN = (
    r"(?i)(?:(?:made |entered into )?(?:by and )?(?:between|among)(?: and among)?|zwischen|entre(?: les soussignés)?"
    r"|između|između ugovornih strana|између|између уговорних страна|tra|fra|tussen)\s*:?"
)
CONJUNCTION = r"(?i)(?:and|und|et|i|и|e|y|en|&|as well as|sowie|kao i|као и)"
DATED = (
    r"(?i)(?P<label>(?P<effective>effective(?: date)?(?: as of)?|as of|dated as of|dated effective as of"
    r"|with effect from|made (?:effective )?as of|commencement date|datum des inkrafttretens|inkrafttreten"
    r"|wirksam (?:ab|zum|seit)|gültig ab|mit wirkung (?:ab|vom|zum)|date d['’]effet"
    r"|date d['’]entrée en vigueur|prenant effet le"
    r"|datum stupanja na snagu|stupa na snagu|primenjuje se od|датум ступања на снагу|ступа на снагу|примењује се од)"
    r"|date|date of (?:the )?agreement|dated|dated the|vom|datum|date du contrat|en date du|fait le|data|fecha"
    r"|zaključen(?:o)?(?: dana)?|dana|datum zaključenja|закључен(?:о)?(?: дана)?|дана|датум|датум закључења)\s*:?\s+"
    r"(?P<value>.*\d.*)"
)
IN_ROLE = r"(?P<name>.+?),?\s+(?:as|als|kao|као|en tant que|en qualité de)\s+(?P<role>(?!of\b)\S.*)"


class Label(NamedTuple):
    """A label with a colon after it: where it begins in its line, its role, and what follows up to the next one."""

    at: int
    text: str
    role: Role
    value: str


def labels(line: str) -> list[Label]:
    """The labels of a line (`By: ____ Name: Ana Norvik`), from left to right."""
    found: list[Label] = []
    start = 0
    for colon in (at for at, letter in enumerate(line) if letter == ":"):
        before = line[start:colon].rstrip()
        text = _label(before)
        if text:
            at = start + len(before) - len(text)
            found = _closed(found, line[start:at])
            found.append(Label(at, text, ROLES[text.lower()], ""))
            start = colon + 1
    return _closed(found, line[start:])


def _label(before: str) -> str:
    """The longest label that a text ends with, or nothing."""
    words = before.split(" ")[-_MOST_WORDS:]
    ends = (" ".join(words[first:]) for first in range(len(words)))
    return next((end for end in ends if end.lower() in ROLES), "")


def _closed(found: list[Label], value: str) -> list[Label]:
    return [*found[:-1], found[-1]._replace(value=value.strip())] if found else []


def is_caption(text: str) -> bool:
    """Whether a line is nothing but a label without a colon, as stands below a place to sign."""
    return text.strip("()[] ").lower() in ROLES


def is_secret(text: str) -> bool:
    """Whether a line says nothing but that the document is confidential."""
    return re.fullmatch(_SECRETS, text) is not None


def is_stamp(text: str) -> bool:
    """Whether a line says nothing but what is stamped across pages."""
    return re.fullmatch(_STAMPS, text) is not None
