"""Evaluate: results against truths over all documents, the worst first; ways to ask a model beside what was published.

Comes in: clicks. Goes out: drawings. Refuses nothing.
"""

from __future__ import annotations

import ui
from pipeline import scoreboard
from ui import picker, scores, state

ui.begin()
scores.followed()
picker.notes()
if found := scoreboard.scored(state.the_store()):
    scores.totals(found)
    scores.documents(found)
else:
    scores.none_yet()
scores.ways()
