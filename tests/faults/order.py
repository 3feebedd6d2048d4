"""Any number of threads over many blocks of rows: sums in one order, the same bits."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import unmix
from tests.executors.models import MODELS, data, different, fitted_bits
from tests.faults.part import Case


def order(folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    for name in ("PCA",) if short else MODELS:
        X = data(name)
        with unmix.execution(threads=1):
            expected = fitted_bits(MODELS[name]().fit(X))
        for threads in (2, 5):
            with unmix.execution(threads=threads):
                other = different(MODELS[name]().fit(X), expected)
            yield f"{name} on {threads} threads", f"other bits in {', '.join(other)}" if other else None
