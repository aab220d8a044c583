"""What a text says of its own soundness, without a dictionary and without looking at the page. Pure.

Comes in: the words of a page. Goes out: `Doubt`s, each with the trust it costs and a sentence for a person.

What is looked for: characters without a known letter, `(cid:12)`, words that mix Latin and Cyrillic letters, figures
with letters in them (`$l2,45O.OO`), and the share of words that no language would print.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

NAMELESS = ("Co", "Cn", "Cc", "Cs")
CID = re.compile(r"\(cid:\d+\)")
MIXED = re.compile(r"[A-Za-zÀ-ɏ][Ѐ-ӿ]|[Ѐ-ӿ][A-Za-zÀ-ɏ]")
FIGURE = re.compile(r"[$€£¥(+\-−]*[\d.,:/\-−%]*\d[\d.,:/\-−%)]*")
SPOILT = re.compile(r"[$€£¥(+\-−]*[\dOoIl|]+(?:[.,:/\-−][\dOoIl|]{1,4})*[%)]?")
LETTER_BY_DIGIT = re.compile(r"\d[OoI|l](?=[\dOoIl|.,])|[OoIl|][.,]?\d|[\d.,]O(?![a-z])")
NEAR = re.compile(r"\d(?:[.,]?[OoIl|]|(?<=[OoIl|]\d)|(?<=[OoIl|][.,]\d))")  # begins at a digit: those are few
EDGES = ".,;:!?\"'()[]{}«»„“”‘’…-–—*&/"
PLAIN = frozenset(".·…_-–—:;,()[]{}<>*•●■□▪&/+=©®™✓$€£%#@\"'“”„«»")
LONE = frozenset("aAIiuUoOeEyкКсСвВиИуУоОаАяЯ§&•·-–—+=*/€$£¥%#@№|")
CODE = re.compile(r"[A-Z0-9][A-Z0-9./_-]*|\d+(?:st|nd|rd|th|[a-z]{1,3})|[a-z]{1,3}\d{1,2}|[\w.+-]+@[\w.]+|\d.*|.*\d\)?")
INNER_CAPITAL = re.compile(r"[a-zа-я]{1,2}[A-ZА-Я][a-zа-я]|[a-zа-я][A-ZА-Я]$|[a-zа-я]{2}\d|\d[a-zа-я]{2}")
INNER_SYMBOL = re.compile(r"[^\W\d_][^\w\s'’‘\-‐.,/@&()·:+\u00ad_][^\W\d_]")
VOWELS = re.compile(r"[aeiouyræœøаеиоуыэюяёіїєўр]", re.IGNORECASE)
LATIN_OR_CYRILLIC = re.compile(r"[A-Za-zÀ-ɏЀ-ӿ]+")


class Doubt(NamedTuple):
    """Why a text is not to be trusted, and how much trust that costs (0..1)."""

    cost: float
    reason: str


def doubts(texts: Sequence[str]) -> tuple[Doubt, ...]:
    """What is wrong with the words, the worst first."""
    joined = "\n".join(texts)
    chars = set(joined)
    found = (_coded(joined), _nameless(texts, chars), _mixed(texts, joined, chars), _spoilt(texts, joined))
    return tuple(sorted(filter(None, found), key=lambda doubt: -doubt.cost))


def _coded(joined: str) -> Doubt | None:
    """Numbers of shapes in place of letters, as some programs write them."""
    codes = CID.findall(joined) if "(cid:" in joined else []
    if not codes:
        return None
    share = sum(map(len, codes)) / len(joined)
    return Doubt(_lost(2.5 * share), f"{share:.0%} of the text is codes such as {codes[0]}, not letters")


def _nameless(texts: Sequence[str], chars: set[str]) -> Doubt | None:
    """Characters that stand for no known letter. A symbol that stands alone (a bullet, a tick) is none of them."""
    unknown = {char for char in chars if char == "\ufffd" or unicodedata.category(char) in NAMELESS} - {"\n"}
    holding = [text for text in texts if len(text) > 1 or text == "\ufffd"] if unknown else []
    holding = [text for text in holding if not unknown.isdisjoint(text)]
    if not holding:
        return None
    broken = sum(char in unknown for text in holding for char in text)
    share = broken / sum(map(len, texts))
    word = min(holding, key=len)[:20].translate(dict.fromkeys(map(ord, unknown), "\ufffd"))
    many = f"{share:.0%} of the characters have" if share >= 0.01 else f"{broken} characters have"
    cost = _lost(2.5 * share) if share >= 0.01 else 0.0
    return Doubt(cost, f"{'one character has' if broken == 1 else many} no known letter, as in “{word}”")


def _mixed(texts: Sequence[str], joined: str, chars: set[str]) -> Doubt | None:
    """Words that hold Latin and Cyrillic letters at once: they look right and are not found."""
    if not any("Ѐ" <= char <= "ӿ" for char in chars) or not MIXED.search(joined):
        return None
    mixed = [text for text in texts if MIXED.search(text)]
    words = sum(len(text) > 1 for text in texts)
    share = len(mixed) / max(1, words)
    example = min(mixed, key=lambda text: abs(len(text) - 7))[:24]
    return Doubt(_lost(4 * share), f"{_count(mixed)} Latin and Cyrillic letters in one, such as “{example}”")


def _count(words: Sequence[str]) -> str:
    return "1 word mixes" if len(words) == 1 else f"{len(words)} words mix"


def _spoilt(texts: Sequence[str], joined: str) -> Doubt | None:
    """Figures with letters in them, as a poor OCR leaves them."""
    spoilt = [text for text in texts if is_spoilt(text)] if NEAR.search(joined) else []
    if not spoilt:
        return None
    figures = sum(FIGURE.fullmatch(text) is not None for text in texts) + len(spoilt)
    share = len(spoilt) / figures
    cost = 0.1 if len(spoilt) < 3 else _lost(0.1 + 3 * share)
    if len(spoilt) == 1:
        return Doubt(cost, f"a figure has letters in it: “{spoilt[0][:24]}”")
    of = f"{len(spoilt)} of {figures} figures have letters in them"
    return Doubt(cost, f"{of}, such as “{max(spoilt, key=len)[:24]}”")


def is_spoilt(text: str) -> bool:
    """Whether this is a figure in which `O`, `l`, `I` or `|` stands for a digit. `O2`, `10l` and `I.2` are none."""
    token = text.strip(EDGES.replace("-", "").replace("(", "").replace(")", "")).rstrip(",.;:")
    if len(token) < 4 or token.isdigit() or not SPOILT.fullmatch(token):
        return False
    digits = sum(char.isdigit() for char in token)
    letters = sum(char in "OoIl|" for char in token)
    if not digits or not letters or re.fullmatch(r"[\d.,]+[lo]|[I|l]+[.\-]\d[\d.]*|[IO]-?\d+|\d+[IO|]", token):
        return False
    return LETTER_BY_DIGIT.search(token) is not None


def odd_share(texts: Iterable[str]) -> float:
    """Share of words that no language would print, 0..1; of words in Latin or Cyrillic letters or in symbols alone."""
    counted = odd = 0
    for text in texts:
        core = text.strip(EDGES)
        if PLAIN.issuperset(core):
            continue
        counted += 1
        odd += not core or is_odd(core)
    return odd / counted if counted else 0.0


def is_odd(core: str) -> bool:
    """Whether a word without its punctuation looks like a misreading."""
    if len(core) == 1:
        return not (core.isdigit() or core in LONE or core.isupper())
    if is_spoilt(core) or INNER_SYMBOL.search(core):
        return True
    if CODE.fullmatch(core):
        return False
    if not any(char.isalnum() for char in core):
        return True
    if INNER_CAPITAL.search(core):
        return True
    letters = LATIN_OR_CYRILLIC.fullmatch(core)
    return bool(letters) and len(core) > 3 and not core.isupper() and not VOWELS.search(core)


def _lost(cost: float) -> float:
    return min(1.0, max(0.0, cost))
