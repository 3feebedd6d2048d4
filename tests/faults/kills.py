"""SIGKILL around every checkpoint of a fit, and after it the same fit again: the same bits as without."""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import unmix
from tests.faults.archives import ITERATIONS, estimator, fitted_bits, table_of
from tests.faults.child import in_child
from tests.faults.part import Case
from tests.forms import spread
from tests.relations.subjects import SUBJECTS

MOST = 4  # checkpoints of a fit that are tried, spread over all of them


def fit(name: str, path: Path | None) -> dict[str, Any]:
    warnings.simplefilter("ignore")
    X = table_of(name)
    with unmix.execution(checkpoint=path, checkpoint_seconds=0, threads=1):
        return fitted_bits(estimator(name, ITERATIONS).fit(X))


def counted(name: str, path: Path) -> int:
    """How many checkpoints a fit writes."""
    seen = [0]
    replace = os.replace

    def count(*names: Any) -> None:
        seen[0] += 1
        replace(*names)

    with patch.object(os, "replace", count):
        fit(name, path)
    return seen[0]


def killed(name: str, path: Path, at: int, after: bool) -> None:
    """A fit that is killed as its checkpoint number ``at`` is put in place: just before, or just after."""
    seen = [0]
    replace = os.replace

    def replace_or_die(*names: Any) -> None:
        seen[0] += 1
        if seen[0] == at and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*names)
        if seen[0] == at:
            os.kill(os.getpid(), signal.SIGKILL)

    with patch.object(os, "replace", replace_or_die):
        fit(name, path)


def kills(folder: Path, short: bool) -> Iterator[Case]:
    path = folder / "fit.checkpoint"
    names = sorted(SUBJECTS, key=spread)[:4] if short else list(SUBJECTS)
    for name in names:
        path.unlink(missing_ok=True)
        expected = fit(name, None)  # here, so that the children find its kernels loaded
        whole = in_child(lambda name=name: counted(name, path))
        if whole.error is not None or whole.signal is not None:
            yield f"{name} with a checkpoint", whole.error or f"signal {whole.signal}"
            continue
        n_saved = whole.value
        for at in np.unique(np.linspace(1, n_saved, min(n_saved, 2 if short else MOST)).astype(int)):
            for after in (False, True):
                yield (
                    f"{name} killed {'after' if after else 'before'} checkpoint {at} of {n_saved}",
                    _resumed(name, path, int(at), after, expected),
                )


def _resumed(name: str, path: Path, at: int, after: bool, expected: dict[str, Any]) -> str | None:
    path.unlink(missing_ok=True)
    ended = in_child(lambda: killed(name, path, at, after))
    if ended.signal != signal.SIGKILL:
        return f"it was not killed: {ended.error}"
    again = in_child(lambda: fit(name, path))
    for left in path.parent.glob(f".{path.name}.*"):
        left.unlink()  # of the process that was killed; nobody can remove it before
    if again.error is not None or again.signal is not None:
        return f"it cannot be taken up again: {again.error or again.signal}"
    if path.exists():
        return "its checkpoint stays when it has ended"
    return None if again.value == expected else "taken up again it gives other bits"
