"""How long something takes, in words.

Comes in: seconds. Goes out: text, in seconds, minutes or hours. Refuses nothing.
"""

from __future__ import annotations


def told(seconds: float) -> str:
    """A time to wait for, as exactly as it is of use: `45 s`, `12 min`, `2.5 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.1f} h"
