"""Every estimator on two worker processes: the bits of one thread, or a sentence; and workers of another version."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from operator import attrgetter
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

import unmix
from tests.executors.models import MODELS, data
from tests.faults.archives import PLAIN, estimator, fitted_bits
from tests.faults.forms import NAMES
from tests.faults.part import Case, is_sentence, short_of
from tests.relations.subjects import SUBJECTS
from unmix.core import worker_versions

ROWS, ITERATIONS = 9000, 12  # three blocks of rows, and so few iterations that sixty fits take minutes
SHORT = ("Gaussian", "FastICA", "DiscreteBasis")


@contextmanager
def cluster(**settings: Any) -> Iterator[Any]:
    import dask
    import distributed

    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50, memory_limit="1GiB"
        ) as made,
        distributed.Client(made) as client,
    ):
        client.wait_for_workers(2, timeout=120)
        yield client


def table(name: str) -> np.ndarray:
    subject = SUBJECTS[name]
    return subject.table(ROWS if subject.grows else subject.n, np.random.default_rng(0))


def outcome(name: str) -> str:
    """That the bits are the same, the sentence in which the estimator refuses, or what is wrong after "wrong: "."""
    import dask.array as da

    X = np.ascontiguousarray(table(name), np.float64)
    with unmix.execution(threads=1):
        expected = fitted_bits(estimator(name, ITERATIONS).fit(X))
    try:
        found = fitted_bits(estimator(name, ITERATIONS).fit(da.from_array(X, chunks=(-(-len(X) // 3), X.shape[1]))))
    except PLAIN as error:
        return str(error) if is_sentence(str(error)) else f"wrong: {short_of(error)}"
    except Exception as error:
        return f"wrong: {short_of(error)}"
    other = [key for key in expected.keys() | found.keys() if expected.get(key) != found.get(key) and key not in NAMES]
    return f"wrong: other bits in {', '.join(sorted(other))}" if other else "same bits"


def workers(folder: Path, short: bool) -> Iterator[Case]:
    warnings.simplefilter("ignore")
    with cluster():
        for name in SHORT if short else SUBJECTS:
            said = outcome(name)
            yield f"{name} on two workers, {said[:60]}", said if said.startswith("wrong: ") else None
        yield "a worker of another version", _other_version()


def fit(name: str) -> Any:
    """On the cluster that this process is a client of."""
    import dask.array as da

    return MODELS[name]().fit(da.from_array(data(name), chunks=(11_000, 5)))


class OlderHere:
    """The versions of this process with an older NumPy; whoever it is sent to gets the true function instead."""

    def __init__(self, here: dict[str, str]) -> None:
        self.here = here

    def __call__(self) -> dict[str, str]:
        return self.here | {"numpy": "1.0"}

    def __reduce__(self) -> tuple[Any, ...]:
        return attrgetter("versions"), (worker_versions,)


def _other_version() -> str | None:
    """Both sides of a real cluster; only what this process says of itself is changed."""
    worker_versions._agreed.clear()
    with patch.object(worker_versions, "versions", OlderHere(worker_versions.versions())):
        try:
            fit("PCA")
        except RuntimeError as error:
            return None if "numpy" in str(error) and is_sentence(str(error)) else short_of(error)
        except Exception as error:
            return short_of(error)
    return "workers of another version were used"
