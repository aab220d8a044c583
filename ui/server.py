"""What the app's server does besides pages: pictures of document pages by address, its health, the start of the app.

Comes in: requests for /picture/<sha256>/<page>.png, and for /health. Goes out: PNG that a browser may keep for ever
(the address is the content's hash); JSON. Refuses with 404: anything that is not a whole hash and a page number,
documents that are not in the store, pages that cannot be drawn. PDF bytes are opened by the worker process only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

import ui
from pipeline import jobs, run, vitals
from pipeline.files import home
from pipeline.model import PipelineError
from ui import views, visitor, words
from ui.state import store_of

log = logging.getLogger(__name__)
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
MISSING = Response("No such page.", 404, {"Cache-Control": "no-store"}, "text/plain")


async def page_picture(request: Request) -> Response:
    """The picture of one page."""
    sha256, page = request.path_params["sha256"], request.path_params["page"]
    if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef") or not 1 <= page <= 100_000:
        return MISSING
    try:
        own = visitor.named(home(), request.query_params.get("of", ""))
        if own is None:
            return MISSING
        png = await asyncio.to_thread(_drawn, own, sha256, page)
    except PipelineError:
        return MISSING
    return Response(png, headers=FOREVER, media_type="image/png")


async def healthy(_request: Request) -> Response:
    """200 where the app can work, 503 where it cannot, and why; it names no document."""
    working, told = await asyncio.to_thread(vitals.health, home())
    return JSONResponse(told, 200 if working else 503, {"Cache-Control": "no-store"})


def _drawn(own: Path, sha256: str, page: int) -> bytes:
    return run.page_image(store_of(own), sha256, page, views.DPI).read_bytes()


def explained(error: Exception) -> bool:
    """Draw an error of ours as its one line; others are left to Streamlit."""
    if not isinstance(error, PipelineError):
        return False
    st.error(words.escaped(str(error)), icon=":material/error:")
    return True


@asynccontextmanager
async def life(_app: object) -> AsyncIterator[None]:
    """Before the first visitor: the menu is known (see `ui.begin`), heavy imports are done, the jobs have a process."""
    logging.disable(logging.WARNING)  # Streamlit warns of being called outside a visit, which is the point here
    ui.navigation()
    logging.disable(logging.NOTSET)
    await asyncio.to_thread(_ready)
    yield


def _ready() -> None:
    ui.settle()
    try:
        if not visitor.signs_in():
            jobs.ensure_running(store_of(home()))
    except PipelineError as error:
        log.warning("%s", error)  # the pages say it, too
