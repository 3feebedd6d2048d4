"""Runs a script of this folder twice: as it is, and with the import changed; what it leaves behind is compared."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import SimpleNamespace

from tests.scikit_learn.rewritten import with_our_imports


def run_both(name: str) -> tuple[SimpleNamespace, SimpleNamespace]:
    """The variables of the script with scikit-learn's classes, and with ours."""
    text = (Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8")
    changed = with_our_imports(text)
    assert "unmix" in changed
    return _run(text, name), _run(changed, name)


def _run(text: str, name: str) -> SimpleNamespace:
    found: dict[str, object] = {"__name__": name}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits that a script ends early
        exec(compile(text, f"{name}.py", "exec"), found)
    return SimpleNamespace(**found)
