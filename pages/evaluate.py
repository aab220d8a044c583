"""Evaluate: results against truths over all documents, the worst first; ways to ask a model beside what was published.

Comes in: clicks. Goes out: drawings. Refuses nothing.
"""

from __future__ import annotations

import ui
from ui import picker, scores

ui.begin()
scores.followed()
picker.notes()
if found := scores.found():
    scores.totals(found)
    scores.documents(found)
else:
    scores.none_yet()
scores.ways()
