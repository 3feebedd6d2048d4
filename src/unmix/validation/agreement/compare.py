"""Which model, cost or algorithm carries more replicable information: posterior agreement of several, side by side.

Bits are those beyond chance (details.py): under `SplitObjects`, beyond what the same model carries in tables
without groups; under pairings of the same objects chance makes none, unrelated posteriors agree on nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_array
from sklearn.utils.validation import check_random_state

from unmix.validation.agreement.criterion import PosteriorAgreement
from unmix.validation.agreement.details import AgreementDetails
from unmix.validation.agreement.pairing import Pairing, SplitObjects
from unmix.validation.fits.refit import in_parallel, size_of
from unmix.validation.fits.sampled_rows import weight_keywords
from unmix.validation.fits.table import read_weights

HEADER = ("model", "clusters", "bits per object", "± error", "by chance", "temperature")


@dataclass(frozen=True)
class Comparison:
    """Result of `compare`: posterior agreement of each model, and which has the most bits.

    Attributes
    ----------
    names : of the models, as given or by their class
    details : what posterior agreement saw of each, `AgreementDetails`
    best : the name of the model with the most bits; None if no model has any
    table : a dict for each model, the most bits first: model, n_clusters, bits (per object, beyond chance), error,
        chance (bits per object that chance makes), temperature, total_bits (of all objects, beyond chance)
    sentence : the answer in words
    estimators : the models, fitted on all rows
    """

    names: list[str]
    details: list[AgreementDetails] = field(repr=False)
    estimators: list[Any] = field(repr=False)

    @property
    def table(self) -> list[dict[str, Any]]:
        return [self._row(i) for i in self._order()]

    @property
    def best(self) -> str | None:
        return next((self.names[i] for i in self._order() if self.details[i].sure), None)

    @property
    def sentence(self) -> str:
        if self.best is None:
            return "No model carries replicable information: what they find differs from sample to sample."
        first, *others = self.table
        words = f"{first['model']} carries the most replicable information, {_bits(first)} an object"
        if not others:
            return words + "."
        gap = first["bits"] - others[0]["bits"]
        error = float(np.hypot(first["error"], others[0]["error"]))
        if gap > 2 * error:
            return f"{words}, {gap:.2f} ± {error:.2f} more than {others[0]['model']}."
        return f"{words}; {others[0]['model']} ({_bits(others[0])}) is not significantly different."

    def _order(self) -> list[int]:
        """Models that carry anything for sure first; of these, and of the others, the most bits; equals as given."""
        return sorted(range(len(self.names)), key=lambda i: (not self.details[i].sure, -round(self._bits(i), 9)))

    def _bits(self, i: int) -> float:
        return max(self.details[i].excess.value, 0.0)

    def _row(self, i: int) -> dict[str, Any]:
        seen, size = self.details[i], size_of(self.estimators[i])
        bits, n_objects = self._bits(i), seen.total / seen.score.value if seen.score.value > 0 else 0.0
        return {"model": self.names[i], "n_clusters": size, "bits": bits, "error": seen.excess.error,
                "chance": seen.chance.value, "temperature": seen.temperature,
                "total_bits": bits * n_objects}  # fmt: skip

    def __str__(self) -> str:
        cells = [HEADER] + [
            (row["model"], "" if row["n_clusters"] is None else str(row["n_clusters"]), f"{row['bits']:.3f}",
             f"{row['error']:.3f}", f"{row['chance']:.3f}", f"{row['temperature']:.3g}") for row in self.table
        ]  # fmt: skip
        widths = [max(len(line[j]) for line in cells) for j in range(len(HEADER))]
        lines = [
            "  ".join(cell.ljust(w) if j == 0 else cell.rjust(w) for j, (cell, w) in enumerate(zip(line, widths)))
            for line in cells
        ]
        return "\n".join([*lines, "", self.sentence])


def compare(
    estimators: Mapping[str, Any] | Sequence[Any],
    X: Any,
    *,
    pairing: Pairing | None = None,
    n_pairs: int = 5,
    prior: str = "sizes",
    max_rows: int = 2000,
    n_references: int = 8,
    sample_weight: Any = None,
    random_state: int | np.random.RandomState | None = None,
) -> Comparison:
    """Compare models, costs or algorithms by the bits about the objects that come back in a second sample.

    All models see the same pairs of samples. Bits of different models are comparable because they are about the same
    objects, whatever the costs are measured in.

    They are bits beyond chance: one cluster, labels drawn at random and samples that have nothing in common carry 0.
    Where objects are matched by likeness (`SplitObjects`), neighbours lie in the same piece however a table is cut; so
    each model is also fitted to tables without groups, paired in the same way. What it carries there counts as 0; the
    most its clusters could carry stays what it is, as for adjusted mutual information.
    Pairings of the same objects need no such comparison: for unrelated posteriors the mean of 2^bits is at most 1.

    Parameters
    ----------
    estimators : dict of name -> estimator, or list of estimators
    X : table of numbers (n, d), or of dissimilarities (n, n) if every estimator takes those
    pairing : where the two samples come from, by default `SplitObjects()`; see `unmix.validation.agreement.pairing`
    n_pairs, prior, max_rows, n_references : as for `PosteriorAgreement`; by default fewer pairs and tables without
        groups, since models may be slow: n_pairs × (1 + n_references) × 2 fits each under `SplitObjects`. For
        dissimilarities there are no tables without groups, and bits are as they are.
    sample_weight : array of n numbers from 0 up, optional
        How often rows count; every estimator must take them.
    random_state : int, RandomState or None

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from sklearn.cluster import AgglomerativeClustering
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> X, _ = blobs(200, 4, 3, random_state=0)
    >>> found = compare([KMeans(3), AgglomerativeClustering(3, linkage="single")], X, random_state=0)
    >>> found.best
    'KMeans'
    """
    names, models = _named(estimators)
    X = check_array(X, dtype=[np.float64, np.float32], ensure_min_samples=2, input_name="X")
    weights = None
    for model in models:
        weights = read_weights(model, sample_weight, len(X))
    seed = int(check_random_state(random_state).randint(2**31 - 1))

    def fit(i: int) -> Any:
        model = clone(models[i])
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=seed)
        return model.fit(X, **({} if weights is None else dict.fromkeys(weight_keywords(model), weights)))

    fitted = in_parallel(fit, len(models), "fits")
    criterion = PosteriorAgreement(
        pairing or SplitObjects(), n_pairs=n_pairs, prior=prior, max_rows=max_rows, n_references=n_references
    )
    rng = np.random.default_rng(seed)
    return Comparison(names, criterion.measure_all(fitted, X, rng, with_chance=True, sample_weight=weights), fitted)


def _named(estimators: Mapping[str, Any] | Sequence[Any]) -> tuple[list[str], list[Any]]:
    """Names as given, or of the classes, numbered where a class comes twice."""
    if isinstance(estimators, Mapping):
        names, models = [str(name) for name in estimators], list(estimators.values())
    else:
        models = list(estimators) if isinstance(estimators, Sequence) else [estimators]
        classes = [type(model).__name__ for model in models]
        names = [
            name if classes.count(name) == 1 else f"{name} {classes[: i + 1].count(name)}"
            for i, name in enumerate(classes)
        ]
    if not models:
        raise ValueError("estimators is empty; give a list of models, or a dict of name -> model")
    wrong = [model for model in models if isinstance(model, type) or not hasattr(model, "fit")]
    if wrong:
        raise TypeError(f"estimators: {wrong[0]!r} is no estimator; give instances, such as KMeans(3)")
    return names, models


def _bits(row: dict[str, Any]) -> str:
    return f"{row['bits']:.2f} ± {row['error']:.2f} bits"
