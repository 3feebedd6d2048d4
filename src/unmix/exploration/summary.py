"""Findings as a page of plain text, for a terminal that is not one, a log or a Python prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unmix.exploration.findings import Findings


def plain_text(findings: Findings) -> str:
    return findings.selection.verdict
