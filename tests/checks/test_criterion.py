"""check_criterion passes the criteria of the package and finds every planted wrong one."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import silhouette_score

from unmix.checks import check_criterion
from unmix.cluster import KMeans
from unmix.validation import (
    AIC,
    BIC,
    ICL,
    MDL,
    CalinskiHarabasz,
    Consensus,
    DaviesBouldin,
    Evaluation,
    GapStatistic,
    Score,
    Silhouette,
    Stability,
    select,
)

GOOD = [AIC(), BIC(), ICL(), MDL(), CalinskiHarabasz(), DaviesBouldin(n_bootstrap=3), Silhouette()]
GOOD += [GapStatistic(), Consensus(), Stability()]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("criterion", GOOD, ids=lambda criterion: criterion.name)
def test_criteria_of_the_package_pass(criterion):
    done = check_criterion(criterion)
    assert {"values", "names", "rows", "units", "order", "one cluster", "choice"} <= set(done)


class Elbow:
    """Judged on the whole grid, without a method for one model: where the objective bends the most."""

    name, higher_is_better = "elbow", False

    def evaluate_grid(self, estimators, X, rng):
        costs = np.array([float(((X - m.cluster_centers_[m.labels_]) ** 2).sum()) for m in estimators])
        order = np.argsort([len(m.cluster_centers_) for m in estimators])
        bend = np.full(len(costs), -np.inf)
        bend[order[1:-1]] = np.diff(np.log(costs[order]), 2)
        return Evaluation([Score(cost) for cost in costs], int(bend.argmax()))


def test_a_criterion_of_the_whole_grid_needs_no_other_method():
    assert "choice" in check_criterion(Elbow())
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2)) + 9 * np.eye(3)[np.arange(60) % 3][:, :2]
    assert select(KMeans(), X, range(1, 6), criteria=Elbow(), random_state=0).best_params == {"n_clusters": 3}
    weighted = select(KMeans(), X, range(1, 6), criteria=[Elbow()], random_state=0, sample_weight=np.ones(60) + 1)
    assert weighted.best_params == {"n_clusters": 3}


class Wrong(CalinskiHarabasz):
    """What the mutants below are made from; each overrides `judge`."""

    name = "wrong"

    def evaluate(self, estimator, X, rng=None, sample_weight=None):
        return self.judge(super().evaluate(estimator, X, rng, sample_weight), estimator, X, rng)

    def judge(self, score, estimator, X, rng):
        return score


class Backwards(Wrong):
    higher_is_better = False


class Unseeded(Wrong):
    def judge(self, score, estimator, X, rng):
        return Score(score.value + np.random.default_rng().random())


class GlobalNumbers(Wrong):
    def judge(self, score, estimator, X, rng):
        return Score(score.value + np.random.random())  # noqa: NPY002


class Centres(Wrong):
    """Changes the table."""

    def judge(self, score, estimator, X, rng):
        X -= X.mean(axis=0)
        return score


class Refits(Wrong):
    """Fits the model it was given again."""

    def judge(self, score, estimator, X, rng):
        estimator.fit(X[:40])
        return score


class Remembers(Wrong):
    def judge(self, score, estimator, X, rng):
        object.__setattr__(self, "best", score.value)
        return score


class Named(Wrong):
    """Takes labels for numbers."""

    def judge(self, score, estimator, X, rng):
        return Score(score.value * (1 + 0.01 * float(np.mean(estimator.labels_))))


class FirstRows(Wrong):
    """Looks at the first rows only."""

    def judge(self, score, estimator, X, rng):
        return Score(score.value + float(np.mean(X[:10])))


class Absolute(Wrong):
    """Compares with a number that has a unit."""

    def judge(self, score, estimator, X, rng):
        return Score(score.value - 0.02 * len(estimator.cluster_centers_) * float(np.abs(X).max()) ** 2)


class IgnoresWeights(Wrong):
    def evaluate(self, estimator, X, rng=None, sample_weight=None):
        return super().evaluate(estimator, X, rng, None)


class NegativeError(Wrong):
    def judge(self, score, estimator, X, rng):
        return Score(score.value, -1.0)


class PlainNumber(Wrong):
    def judge(self, score, estimator, X, rng):
        return score.value


class Rows(Wrong):
    """One value a row."""

    def judge(self, score, estimator, X, rng):
        return Score(np.full(len(X), score.value))


class Infinite(Wrong):
    def judge(self, score, estimator, X, rng):
        return Score(np.inf)


class NotOne(Wrong):
    """Cannot be shown one cluster."""

    def judge(self, score, estimator, X, rng):
        if len(estimator.cluster_centers_) == 1:
            raise ZeroDivisionError("one cluster")
        return score


class OneTooFew(Elbow):
    def evaluate_grid(self, estimators, X, rng):
        found = super().evaluate_grid(estimators, X, rng)
        return found._replace(scores=found.scores[1:])


class Place(Elbow):
    """Tells the place among models sorted by size, not that in the grid."""

    def evaluate_grid(self, estimators, X, rng):
        sizes = [len(m.cluster_centers_) for m in estimators]
        return super().evaluate_grid([estimators[i] for i in np.argsort(sizes)], X, rng)


class Outside(Elbow):
    def evaluate_grid(self, estimators, X, rng):
        return super().evaluate_grid(estimators, X, rng)._replace(choice=len(estimators))


class FirstColumn(Wrong):
    def evaluate(self, estimator, X, rng=None, sample_weight=None):
        return super().evaluate(estimator, X * (1 + 0.1 * np.arange(X.shape[1])), rng, sample_weight)


class OneIsBest(Wrong):
    def judge(self, score, estimator, X, rng):
        return Score(1e9) if np.isnan(score.value) else score


class Ascending(Elbow):
    """Takes models as they come for models of growing size."""

    def evaluate_grid(self, estimators, X, rng):
        costs = np.array([float(((X - m.cluster_centers_[m.labels_]) ** 2).sum()) for m in estimators])
        bend = np.full(len(costs), -np.inf)
        bend[1:-1] = np.diff(np.log(costs), 2)
        return Evaluation([Score(cost) for cost in costs], int(bend.argmax()))


class ZeroForMissing:
    name, higher_is_better, allow_nan = "zero for missing", True, True

    def evaluate(self, estimator, X, rng):
        if len(set(estimator.labels_)) < 2:
            return Score(np.nan)
        return Score(silhouette_score(np.nan_to_num(X), estimator.labels_))


MUTANTS = {
    "the order of columns": (FirstColumn(), "changes with the order of the columns"),
    "one cluster for the best": (OneIsBest(), "prefers one cluster of all rows"),
    "models in their order": (Ascending(), "changes with the order of the models"),
    "zeros for missing cells": (ZeroForMissing(), "where zero is elsewhere and cells are missing"),
    "the wrong direction": (Backwards(), "prefers model . of 3, right is 1"),
    "no seed": (Unseeded(), "differs between two calls with one seed"),
    "global random numbers": (GlobalNumbers(), "differs between two calls with one seed"),
    "the table changed": (Centres(), "changes X in place"),
    "the model changed": (Refits(), "changes models in place"),
    "something kept": (Remembers(), "keeps something .*best"),
    "names that count": (Named(), "changes when clusters are renamed"),
    "the order of rows": (FirstRows(), "changes with the order of the rows"),
    "a unit": (Absolute(), "in other units"),
    "no weights": (IgnoresWeights(), "with weights differs"),
    "a negative error": (NegativeError(), "standard error is negative"),
    "no score": (PlainNumber(), "expected Score"),
    "a value a row": (Rows(), "holds an array"),
    "infinity": (Infinite(), "NaN says that there is none"),
    "one cluster": (NotOne(), "raises ZeroDivisionError"),
    "a score too few": (OneTooFew(), "2 scores for 3 models"),
    "the place in another order": (Place(), "changes with the order of the models"),
    "a choice outside": (Outside(), "expected None or the place of a model"),
}


@pytest.mark.parametrize("criterion, words", MUTANTS.values(), ids=MUTANTS)
def test_wrong_criteria_are_found(criterion, words):
    with pytest.raises(AssertionError, match=words):
        check_criterion(criterion)


def test_what_is_no_criterion_is_told():
    with pytest.raises(AssertionError, match="is a class"):
        check_criterion(Silhouette)
    with pytest.raises(AssertionError, match=r"name is None"):
        check_criterion(object())
    nameless = type("Nameless", (), {"name": "x", "higher_is_better": 1})
    with pytest.raises(AssertionError, match="say True or False"):
        check_criterion(nameless())
    nothing = type("Nothing", (), {"name": "x", "higher_is_better": True})
    with pytest.raises(AssertionError, match="neither evaluate"):
        check_criterion(nothing())


def test_a_grid_of_ones_own():
    X = np.random.default_rng(0).normal(size=(40, 2))
    X[20:] += 20.0
    grid = [{"n_clusters": size} for size in (2, 5)]
    assert "choice" in check_criterion(Silhouette(), clone(KMeans(random_state=0)), X, grid, right=0)
    assert "choice" not in check_criterion(Silhouette(), KMeans(random_state=0), X, grid)
