"""The answer of `select`: numbers for the machine, a sentence for the reader."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unmix.validation.base import Evaluation
from unmix.validation.refit import size_of


@dataclass
class Selection:
    """What was tried, what each criterion says, and what follows.

    Attributes
    ----------
    params : the settings of each grid point
    estimators : the fitted model of each grid point
    evaluations : criterion name -> its scores over the grid, its choice (index), its details
    best_index, best_params, best_estimator : the grid point the verdict names
    verdict : the answer in words
    choices : criterion name -> the settings it prefers, None where it has no preference
    table : one dict for each grid point and criterion: the settings, criterion, value, error, chosen
    details : criterion name -> what it saw beyond scores (`SeparationDetails`, list of `StabilityDetails`, …)
    """

    params: list[dict[str, Any]]
    estimators: list[Any] = field(repr=False)
    evaluations: dict[str, Evaluation] = field(repr=False)
    best_index: int
    verdict: str
    higher_is_better: dict[str, bool] = field(repr=False)
    notes: list[str] = field(default_factory=list)
    final_estimator: Any = field(default=None, repr=False)

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
    def table(self) -> list[dict[str, Any]]:
        return [
            {**point, "criterion": name, "value": score.value, "error": score.error, "chosen": evaluation.choice == i}
            for name, evaluation in self.evaluations.items()
            for i, (point, score) in enumerate(zip(self.params, evaluation.scores))
        ]

    def __str__(self) -> str:
        return self.verdict
