"""The answer of `select`: numbers for the machine, a sentence for the reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unmix.validation.criteria.base import Evaluation
from unmix.validation.fits.refit import size_of
from unmix.validation.selection.html_table import html_of
from unmix.validation.selection.picture import SelectionDisplay
from unmix.validation.selection.verdict import probabilities_of


@dataclass
class Selection:
    """Result of `select`: the models tried, what each criterion says of them, and the verdict.

    A notebook shows it as a table; ``print`` gives the verdict.

    Attributes
    ----------
    params : the settings of each grid point; ``{}`` is one cluster, beside models that find their number themselves
    estimators : the model of each grid point, fitted on the rows that were judged
    evaluations : criterion name -> its scores over the grid, its choice (index), its details
    best_index, best_params, best_estimator : the grid point the verdict names; the estimator is fitted on all rows
    verdict : the answer in words
    choices : criterion name -> the settings it prefers, None where it has no preference
    table : one dict for each grid point and criterion: the settings, criterion, value, error, chosen; a setting with
        one of these names has ``param_`` before it
    probabilities : number of clusters -> how probable it is, where `Consensus` is among the criteria
    details : criterion name -> what it saw beyond scores (`SeparationDetails`, list of `StabilityDetails`, …)
    notes : sentences on what was sampled, left out or stood in for
    rows : criterion name -> the rows of the judged table it was shown, where not all of them as they are

    Examples
    --------
    >>> from unmix.cluster import KMeans
    >>> from unmix.datasets import blobs
    >>> from unmix.validation import BIC, Silhouette, select
    >>> X, y = blobs(100, 2, 3, random_state=0)
    >>> found = select(KMeans(), X, range(1, 6), [BIC(), Silhouette()], random_state=0)
    >>> print(found)
    3 clusters are preferred by BIC and silhouette.
    >>> found.choices
    {'BIC': {'n_clusters': 3}, 'silhouette': {'n_clusters': 3}}
    >>> found.to_frame().columns
    ['n_clusters', 'criterion', 'value', 'error', 'chosen']
    """

    params: list[dict[str, Any]]
    estimators: list[Any] = field(repr=False)
    evaluations: dict[str, Evaluation] = field(repr=False)
    best_index: int
    verdict: str
    higher_is_better: dict[str, bool] = field(repr=False)
    notes: list[str] = field(default_factory=list)
    final_estimator: Any = field(default=None, repr=False)
    rows: dict[str, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def best_params(self) -> dict[str, Any]:
        return self.params[self.best_index]

    @property
    def best_estimator(self) -> Any:
        return self.estimators[self.best_index] if self.final_estimator is None else self.final_estimator

    @property
    def sizes(self) -> list[int | None]:
        """The number of clusters or components at each grid point."""
        return [size_of(estimator) for estimator in self.estimators]

    @property
    def choices(self) -> dict[str, dict[str, Any] | None]:
        return {
            name: None if evaluation.choice is None else self.params[evaluation.choice]
            for name, evaluation in self.evaluations.items()
        }

    @property
    def details(self) -> dict[str, Any]:
        return {name: evaluation.details for name, evaluation in self.evaluations.items()}

    @property
    def probabilities(self) -> dict[int, float] | None:
        """How probable each number of clusters is by the votes of `Consensus`, one included; None without it."""
        if "consensus" not in self.evaluations:
            return None
        said = probabilities_of(self.evaluations["consensus"].details)
        return {1: said.one, **said.of}

    @property
    def table(self) -> list[dict[str, Any]]:
        points = [_columns(point) for point in self.params]
        return [
            {**point, "criterion": name, "value": float(value), "error": float(error), "chosen": evaluation.choice == i}
            for name, evaluation in self.evaluations.items()
            for i, (point, (value, error)) in enumerate(zip(points, evaluation.scores))
        ]

    def to_frame(self, library: str = "polars") -> Any:
        """`table` as a data frame of polars, or of pandas."""
        if library not in {"polars", "pandas"}:
            raise ValueError(f"library={library!r} is not known; give 'polars' or 'pandas'")
        settings = dict.fromkeys(name for point in self.params for name in _columns(point))
        rows = [{**settings, **row} for row in self.table]
        if library == "polars":
            import polars

            return polars.DataFrame(rows, infer_schema_length=None, strict=False)
        import pandas

        return pandas.DataFrame(rows)

    def plot(self, *, axes: Any = None) -> SelectionDisplay:
        """One small picture for each criterion: values, error bars, its choice and the one of the verdict.

        Parameters
        ----------
        axes : as many matplotlib axes as there are criteria, optional

        Returns
        -------
        SelectionDisplay
            With ``figure_`` and ``axes_``; ``axes_[0]`` is also ``ax_``.
        """
        return SelectionDisplay(self).plot(axes=axes)

    def _repr_html_(self) -> str:
        return html_of(self)

    def __str__(self) -> str:
        return self.verdict


def _columns(point: dict[str, Any]) -> dict[str, Any]:
    """Settings under names that no other column of the table has."""
    taken = ("criterion", "value", "error", "chosen")
    return {f"param_{name}" if name in taken else name: value for name, value in point.items()}
