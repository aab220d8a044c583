"""Queue: long work that waits, runs or ended; how far each piece is, cancelling it, doing it again.

Comes in: clicks. Goes out: drawings. Refuses nothing: what failed says why in its line.
"""

from __future__ import annotations

import streamlit as st

import ui
from ui import picker, queue

ui.begin()
st.title("Queue")
picker.notes()
queue.draw()
