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
from pipeline.model import Box
from pipeline.ocr import Stance, Token

SURE = 0.6
ENOUGH = 10  # letters and digits: a strip with less says nothing
STRIP = 0.06
LEAST_STRIP = 90  # pixels
SKEW_PIXELS = 900
LEAST_SKEW = 0.3
POOR = 0.5
TRUSTED = 2.0
NO_STANCE = Stance(0, 0.0, "", 0.0)
CHOICES = 7
LEAST_LETTERS = 12
HALF_SKEW = 5.0
MARGIN = 0.1  # of confidence, by which another script must read better than the usual one
OTHER_SCRIPTS = ("Cyrillic", "Greek", "Hebrew", "Arabic")


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
    open: bool = False

    @property
    def angle(self) -> float:
        return self.turn + self.skew


@dataclass(frozen=True)
class _Choice:
    """What may be read with. `free`: the languages are ours to choose."""

    names: tuple[str, ...]
    free: bool
    dpi: float


@dataclass(frozen=True)
class _Trial:
    """A strip read at one turn in some languages. Its weight grows with what was read and how surely: a strip turned
    wrongly may be read with confidence, but then only a few letters of it.
    """

    turn: int
    languages: tuple[str, ...]
    tokens: list[Token]
    surety: float

    @property
    def weight(self) -> float:
        return self.surety**2 * _letters(self.tokens)


def found(picture: Image, dpi: float, languages: tuple[str, ...]) -> Posture:
    """The posture of the page. `languages` as the profile names them; none: chosen by script and by trial."""
    names = ocr.wanted(languages)
    choice = _Choice(names, not languages, dpi)
    askew = skew(picture)
    level = straightened(picture, askew)
    trial = _first(names) if choice.free else names
    tokens = _strip(level, dpi, trial)
    if surety(tokens) >= SURE and _letters(tokens) >= ENOUGH:
        read = settled(tokens, names) if choice.free else names
        return Posture(0, askew, read or trial, _height(tokens), open=not read)
    return _tried(level, askew, choice)


def skew(picture: Image) -> float:
    """Degrees, clockwise, by which the picture's lines are askew; 0 where it is too little to matter."""
    found = ink.skew(_reduced(picture))
    return found if abs(found) >= LEAST_SKEW else 0.0


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


def densest(picture: Image, share: float) -> tuple[int, int]:
    """(top, bottom) in pixels of the strip of this share of the height that holds the most text."""
    small = _reduced(picture)
    scale = picture.height / small.height
    top, bottom = ink.densest(small, share)
    return round(top * scale), round(bottom * scale)


def _strip(level: Image, dpi: float, languages: tuple[str, ...]) -> list[Token]:
    """The words of the strip that holds the most text."""
    top, bottom = densest(level, max(STRIP, min(1.0, LEAST_STRIP / max(1, level.height))))
    return ocr.tokens(level.crop((0, top, level.width, bottom)), dpi, languages, "block")


def _tried(level: Image, skew: float, choice: _Choice) -> Posture:
    """The page where the strip as it stands was not sure: other turns and other scripts are tried."""
    stance = ocr.stance(level, choice.dpi) or NO_STANCE
    names, unread = _for_script(stance, choice)
    trusted = stance.confidence >= TRUSTED
    turns = sorted((0, 90, 180, 270), key=lambda turn: (turn != stance.turn, turn))
    trials = [(turn, names) for turn in turns] + [(0, others) for others in _other_scripts(names, choice)]
    best, most = _Trial(0, names, [], 0.0), 0.0
    for turn, languages in trials:
        tokens = _strip(straightened(level, turn), choice.dpi, languages)
        trial = _Trial(turn, languages, tokens, surety(tokens) if _letters(tokens) >= ENOUGH else 0.0)
        margin = 0.0 if languages == names else MARGIN
        if trial.weight > most and trial.surety > best.surety * (trial.weight < 2 * most) + margin:
            best, most = trial, trial.weight
        if best.surety >= (POOR if trusted and best.turn == stance.turn else SURE):
            break
    if best.surety < POOR or (best.surety < SURE and best.turn and not (trusted and best.turn == stance.turn)):
        return Posture(skew=skew if abs(skew) < HALF_SKEW else 0.0, languages=names, unread=unread, open=choice.free)
    read = settled(best.tokens, choice.names) if choice.free else names
    height, unread = _height(best.tokens), "" if best.surety >= SURE else unread
    return Posture(best.turn, skew, read or best.languages, height, unread, open=not read)


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


def _other_scripts(names: tuple[str, ...], choice: _Choice) -> list[tuple[str, ...]]:
    """What reads scripts that have not been tried, each with the usual language."""
    return _others(set(choice.names) - set(names), _first(choice.names)) if choice.free else []


def _others(have: set[str], usual: tuple[str, ...]) -> list[tuple[str, ...]]:
    readers = [scripts.readers(script, have)[:1] for script in OTHER_SCRIPTS]
    return [(*reader, *usual) for reader in readers if reader]


def settled(tokens: Sequence[Token], names: tuple[str, ...]) -> tuple[str, ...]:
    """The languages that the words speak for, of `names`; none where that is not clear."""
    have = set(names)
    cyrillic = sum(scripts.is_cyrillic(char) for token in tokens for char in token.text)
    if 5 * cyrillic > _letters(tokens):
        readers = scripts.readers("Cyrillic", have)
        return scripts.known("sr", have) if "srp" in readers[:1] else readers[:1]
    return scripts.known(scripts.spoken(token.text for token in tokens), have)


def winner(level: Image, dpi: float, names: tuple[str, ...], tokens: Sequence[Token]) -> tuple[str, ...]:
    """The languages that read best what the usual one read worst, of `tokens` in the levelled picture; the usual one
    where none does better.
    """
    have = set(names)
    latin = scripts.readers("Latin", have)[:CHOICES]
    usual = _first(latin) or names[:1]
    top, bottom = _doubtful(level, tokens)
    strip = level.crop((0, top, level.width, bottom))
    trials = {trial: ocr.tokens(strip, dpi, trial, "block") for trial in (usual, *_others(have, usual)) if trial}
    sureties = {trial: surety(found) for trial, found in trials.items()}
    most = max(sureties.values())
    elsewhere = most >= max(SURE, sureties[usual] + 1.5 * MARGIN)  # in another script
    if latin not in ((), usual) and not elsewhere:
        trials[latin] = ocr.tokens(strip, dpi, latin, "block")
        sureties[latin] = surety(trials[latin])
    best = max(sureties, key=lambda trial: sureties[trial] - MARGIN / 2 * (trial not in (usual, latin)))
    if spoken := settled(trials[best], names):
        return spoken
    if best != latin:
        return best
    won: Counter[str] = Counter()
    for token in trials[latin]:
        if token.confidence > SURE:
            won[token.language] += sum(map(str.isalpha, token.text))
    common = sum(won.pop(name, 0) for name in usual)
    (most_won, most), (_, second) = (won + Counter({"": 1, " ": 1})).most_common(2)
    if most < max(LEAST_LETTERS, 0.8 * common, 2 * second):
        return usual
    return scripts.known("sr", have) if most_won == "srp_latn" else (most_won, *usual)


def _doubtful(level: Image, tokens: Sequence[Token]) -> tuple[int, int]:
    """(top, bottom) in pixels of the strip with most letters that were read without confidence."""
    height = max(LEAST_STRIP, round(STRIP * level.height))
    doubtful = [(token.box.middle[1], _size(token.text)) for token in tokens if token.confidence < SURE]
    weights = {y: sum(size for other, size in doubtful if y <= other <= y + height) for y, _ in doubtful}
    if not weights:
        return densest(level, STRIP)
    top = max(weights, key=lambda y: weights[y]) - 0.2 * height
    return max(0, round(top)), min(level.height, round(top + 1.4 * height))
