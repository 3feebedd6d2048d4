"""Writes findings to a folder: labels.csv, findings.json, the model and the report, each whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unmix.exploration.findings import Findings


def html_view(findings: Findings) -> str:
    raise NotImplementedError


def save(findings: Findings, directory: Path) -> Path:
    raise NotImplementedError
