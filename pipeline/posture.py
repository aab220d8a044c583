"""How a scanned page stands, and in which languages it is to be read. Runs inside the worker process only.

Comes in: the page's picture in shades of grey, its resolution, the languages that may be used. Goes out: `Posture`:
quarter turn, skew, languages, height of the type. The way back from the straightened picture to the page is `restored`.

A strip with the most text is read. Read the right way up, words come with a mean confidence above 0.9, or 0.6 where
the print is poor; turned wrongly, below 0.45. So where the strip is sure, nothing else is tried.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from PIL.Image import Image, Resampling

from pipeline import ink, ocr, scripts
from pipeline.languages import SMALL_WORDS
from pipeline.model import Box
from pipeline.ocr import Stance, Token

SURE = 0.6
ENOUGH = 10  # letters and digits: a strip with less says nothing
STRIP = 0.07
LEAST_STRIP = 90  # pixels
SKEW_PIXELS = 900
LEAST_SKEW = 0.3
POOR = 0.5
TRUSTED = 2.0
NO_STANCE = Stance(0, 0.0, "", 0.0)
CHOICES = 7
LEAST_WORDS = 3
LEAST_LETTERS = 12
SMALL_SHARE = 0.08


@dataclass(frozen=True)
class Posture:
    """The text is turned clockwise by `turn` (0, 90, 180, 270) and `skew` degrees; `height`: of its words in pixels, 0
    where none were read; `unread`: a script that the page seems to be in and that nothing installed reads.
    """

    turn: int = 0
    skew: float = 0.0
    languages: tuple[str, ...] = ()
    height: float = 0.0
    unread: str = ""

    @property
    def angle(self) -> float:
        return self.turn + self.skew


@dataclass(frozen=True)
class _Choice:
    """What may be read with. `free`: the languages are ours to choose."""

    names: tuple[str, ...]
    free: bool
    dpi: float


def found(picture: Image, dpi: float, languages: tuple[str, ...]) -> Posture:
    """The posture of the page. `languages` as the profile names them; none: chosen by script and by trial."""
    names = ocr.wanted(languages)
    choice = _Choice(names, not languages, dpi)
    skew = ink.skew(_reduced(picture))
    skew = skew if abs(skew) >= LEAST_SKEW else 0.0
    level = straightened(picture, skew)
    trial = _first(names) if choice.free else names
    tokens = _strip(level, dpi, trial)
    if surety(tokens) >= SURE and _letters(tokens) >= ENOUGH:
        read = _chosen(level, choice, tokens) if choice.free else names
        return Posture(0, skew, read, _height(tokens))
    return _tried(level, skew, choice)


def straightened(picture: Image, angle: float) -> Image:
    """The picture turned back by `angle` degrees, whole: it grows where its corners need room."""
    if not angle % 360:
        return picture
    paper = ink.background(ink.array(picture))
    return picture.rotate(angle, Resampling.BICUBIC, expand=True, fillcolor=min(255, paper + 3))


def restored(box: Box, angle: float, straight: tuple[int, int], size: tuple[int, int]) -> Box:
    """A box in the straightened picture as the smallest box around it in the picture as it was. Both turn about their
    middles; `straight` and `size`: width and height of the two, in pixels.
    """
    if not angle % 360:
        return box
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = [(x - straight[0] / 2, y - straight[1] / 2) for x in (box.x0, box.x1) for y in (box.top, box.bottom)]
    xs = [x * cos - y * sin + size[0] / 2 for x, y in corners]
    ys = [x * sin + y * cos + size[1] / 2 for x, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def surety(tokens: Sequence[Token]) -> float:
    """Mean confidence 0..1, each word by its letters and digits."""
    letters = _letters(tokens)
    return sum(token.confidence * _size(token.text) for token in tokens) / letters if letters else 0.0


def _letters(tokens: Sequence[Token]) -> int:
    return sum(_size(token.text) for token in tokens)


def _size(text: str) -> int:
    return sum(map(str.isalnum, text))


def _height(tokens: Sequence[Token]) -> float:
    """Height in pixels of the words that were read with confidence."""
    heights = [token.box.height for token in tokens if token.confidence > SURE and _size(token.text) > 1]
    return median(heights) if heights else 0.0


def _reduced(picture: Image) -> Image:
    scale = SKEW_PIXELS / max(picture.size)
    if scale >= 1:
        return picture
    width, height = (max(1, round(side * scale)) for side in picture.size)
    return picture.resize((width, height), Resampling.BOX)


def _strip(level: Image, dpi: float, languages: tuple[str, ...]) -> list[Token]:
    """The words of the strip that holds the most text."""
    share = max(STRIP, min(1.0, LEAST_STRIP / max(1, level.height)))
    top, bottom = ink.densest(level, share)
    return ocr.tokens(level.crop((0, top, level.width, bottom)), dpi, languages, "block")


def _tried(level: Image, skew: float, choice: _Choice) -> Posture:
    """The page where the strip as it stands was not sure: other turns and other scripts are tried."""
    stance = ocr.stance(level, choice.dpi) or NO_STANCE
    names, unread = _for_script(stance, choice)
    best, most = Posture(languages=names, unread=unread), 0.0
    for turn in sorted((0, 90, 180, 270), key=lambda turn: (turn != stance.turn, turn)):
        standing = straightened(level, turn)
        tokens = _strip(standing, choice.dpi, names)
        sure = surety(tokens)
        if sure > most and _letters(tokens) >= ENOUGH:
            most = sure
            best = Posture(turn, skew, names, _height(tokens), unread)
        if sure >= SURE and _letters(tokens) >= ENOUGH:
            read = _chosen(standing, choice, tokens) if choice.free else names
            return Posture(turn, skew, read, _height(tokens))
    trusted = stance.confidence >= TRUSTED
    if most >= POOR and (best.turn == 0 or (trusted and best.turn == stance.turn)):
        return best
    return Posture(languages=names, unread=unread)


# ---------------------------------------------------------------- languages


def _first(names: tuple[str, ...]) -> tuple[str, ...]:
    """What a strip is tried with before anything is known of it."""
    return ("eng",) if "eng" in names else names[:1]


def _for_script(stance: Stance, choice: _Choice) -> tuple[tuple[str, ...], str]:
    """What reads the script that the page seems to be in, and its name where nothing does."""
    if not choice.free:
        return choice.names, ""
    first = _first(choice.names)
    if stance.script in ("", "Latin"):
        return first, ""
    readable = scripts.readers(stance.script, set(choice.names))
    known = stance.confidence >= TRUSTED and stance.script_confidence >= TRUSTED
    return (*readable[:1], *first), stance.script if known and not readable else ""


def _chosen(level: Image, choice: _Choice, tokens: Sequence[Token]) -> tuple[str, ...]:
    """The languages of the page: by its small words, else by which models win words with letters of their own."""
    have = set(choice.names)
    cyrillic = any("Ѐ" <= char <= "ӿ" for token in tokens for char in token.text)
    if not cyrillic and (named := _by_small_words(tokens, have)):
        return named
    latin = scripts.readers("Latin", have)[:CHOICES]
    rivals = (*scripts.readers("Cyrillic", have), *_first(latin)) if cyrillic else latin
    if len(rivals) < 2:
        return rivals or choice.names[:1]
    trial = _strip(level, choice.dpi, rivals)
    if named := _by_small_words(trial, have):
        return named
    best = _winner(trial, _first(rivals))
    if best in scripts.SERBIAN and best not in _first(rivals):
        return scripts.known("sr", have)
    return tuple(dict.fromkeys(name for name in (best, *_first(rivals)) if name))


def _winner(trial: Sequence[Token], usual: tuple[str, ...]) -> str:
    """The language that reads most letters of the words that the usual one does not read; "" where none stands out."""
    won: Counter[str] = Counter()
    for token in trial:
        if token.confidence > SURE:
            won[token.language] += sum(map(str.isalpha, token.text))
    common = sum(won.pop(name, 0) for name in usual)
    (best, most), (_, second) = (won + Counter({"": 1, " ": 1})).most_common(2)
    return best if most >= max(LEAST_LETTERS, 0.8 * common, 2 * second) else ""


def _by_small_words(tokens: Sequence[Token], have: set[str]) -> tuple[str, ...]:
    """What reads the language whose small words stand out among the tokens; nothing where they are too few."""
    printed = [token.text.lower().strip(".,;:()\"'") for token in tokens]
    hits = Counter({code: sum(word in small for word in printed) for code, small in SMALL_WORDS.items()})
    (best, most), (_, next_most) = hits.most_common(2)
    clear = most >= LEAST_WORDS and most >= 1.5 * next_most and most >= SMALL_SHARE * len(printed)
    return scripts.known(best, have) if clear else ()
