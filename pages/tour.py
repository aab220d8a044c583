"""Tour: four samples, one click each: what a careless reader says, the check that catches it, the result.

Comes in: the stop that is chosen, clicks. Goes out: drawings. Refuses, in one line: a sample that cannot be read.
"""

from __future__ import annotations

import ui
from ui import picker, state, tour

ui.begin()
picker.notes()
scene = tour.choose()
entry = state.chosen()
if scene is None or entry is None or entry.name != scene.sample:
    tour.intro()
elif parsed := picker.parsed(entry):
    tour.draw(scene, entry, parsed)
