"""The app: `streamlit run app.py`. Imported, this file is the server; run by it for a visitor, it is the entrypoint.

Comes in: requests. Goes out: pages, pictures of document pages under /picture, and /health. Refuses: see ui/server.py.
"""

from __future__ import annotations

import streamlit as st
from starlette.routing import Route

import ui
from ui import server

if __name__ == "__main__":
    ui.enter()
else:
    app = st.App(
        __file__,
        lifespan=server.life,
        on_script_error=server.explained,
        routes=[
            Route("/picture/{sha256}/{page:int}.png", server.page_picture),
            Route("/health", server.healthy),
        ],
    )
