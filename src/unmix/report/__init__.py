"""Findings as one self-contained HTML file: `render` gives the page as a string, `write` puts it into a file.

One section a file, in the order of `page.py`; what they draw with is in `drawing`.
"""

from unmix.report.page import render, write

__all__ = ["render", "write"]
