"""What the reader of a verdict should know: how many rows were looked at, and what stood in for what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scipy.special import gammaincinv

from unmix.validation.fits.no_structure import OneCluster
from unmix.validation.fits.refit import last_step, size_parameter
from unmix.validation.fits.sampled_rows import weight_keywords
from unmix.validation.fits.table import Table

DECIDING = ("consensus", "separation")  # criteria whose choice is the verdict
LEAST_CLUSTER_ROWS = 5  # rows of a cluster in a sample, to speak of it at all


def sampling_in_words(judges: Sequence[Any], table: Table) -> list[str]:
    """The smallest sample that had a say: that of the deciding criterion where there is one."""
    deciding = [criterion for criterion in judges if criterion.name in DECIDING] or judges
    most = min(getattr(criterion, "max_rows", None) or len(table.X) for criterion in deciding)
    n_seen = min(most, len(table.X))
    return [f"Judged on {sample_in_words(n_seen, table.n_rows)}."] if n_seen < table.n_rows else []


def notes_on(estimator: Any, models: Sequence[Any], table: Table) -> list[str]:
    notes = []
    name = type(last_step(estimator)).__name__
    if any(isinstance(model, OneCluster) for model in models) and size_parameter(estimator) is None:
        notes.append(f"{name} found several clusters with every setting; one cluster of all rows is a candidate too.")
    elif any(isinstance(model, OneCluster) for model in models):
        notes.append(f"{name} cannot be fitted with one cluster; all rows in one cluster replace it there.")
    if len(table.X) < table.n_rows:
        notes.append(
            f"The grid was fitted on {len(table.X):,} of {table.n_rows:,} rows, the chosen model on all of them."
        )
    if table.weights is not None and last_step(estimator) is not estimator:
        weighted = {keyword.split("__")[0] for keyword in weight_keywords(estimator)}
        others = [name for name, step in estimator.steps if hasattr(step, "fit") and name not in weighted]
        notes += [f"The step {name!r} takes no sample_weight: it counts every row once." for name in others]
    return notes


def sampled_by(criterion: Any, n_shown: int, n_rows: int) -> list[str]:
    n_seen = min(getattr(criterion, "max_rows", None) or n_shown, n_shown)
    return [f"{criterion.name} used {sample_in_words(n_seen, n_rows)}."] if n_seen < min(n_shown, n_rows) else []


def sample_in_words(n_seen: int, n_rows: int) -> str:
    """How small a cluster can be and still have five rows in the sample, 19 times of 20 (Poisson)."""
    share = gammaincinv(LEAST_CLUSTER_ROWS, 0.95) / n_seen
    missed = f"a cluster of less than {100 * share:.2g} %" if share < 0.5 else "any cluster"
    return f"{n_seen:,} of {n_rows:,} rows drawn at random; {missed} may be missed"
