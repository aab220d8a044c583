"""Pagewitness: sections, rows and fields from PDFs, each with its place on the page and a second witness."""

__version__ = "0.1.0"
