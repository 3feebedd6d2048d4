"""Findings as one self-contained HTML file: `render` gives the page as a string, `write` puts it into a file."""

from unmix.report.page import render, write

__all__ = ["render", "write"]
