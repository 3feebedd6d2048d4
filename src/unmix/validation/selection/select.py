"""Choosing a model: fit a grid once, let every criterion look at the same fits, say what they agree on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_random_state

from unmix.core.random import spawn
from unmix.validation.criteria.base import Criterion, Evaluation, is_criterion
from unmix.validation.criteria.consensus import Consensus
from unmix.validation.criteria.cross_validation import CrossValidation
from unmix.validation.criteria.information import AIC, BIC
from unmix.validation.criteria.stability import Stability
from unmix.validation.evidence.held_out.held_out_entries import takes_missing
from unmix.validation.evidence.references.profile_reference import with_suitable_reference
from unmix.validation.fits.cache import folder_of
from unmix.validation.fits.no_structure import OneCluster, labels_rows
from unmix.validation.fits.refit import size_of
from unmix.validation.selection.dependent_rows import with_dependent_rows
from unmix.validation.selection.evaluate import evaluate_criterion
from unmix.validation.selection.fitting import fit_grid, fit_one, lacks_one_cluster
from unmix.validation.selection.grid import settings_of
from unmix.validation.selection.notes import DECIDING, notes_on, sampling_in_words
from unmix.validation.selection.read import read_data
from unmix.validation.selection.result import Selection
from unmix.validation.selection.suitability import refuse_other_predictions, refuse_unsuitable
from unmix.validation.selection.verdict import in_words


def select(
    estimator: Any,
    X: Any,
    grid: Any,
    criteria: Any = None,
    random_state: int | np.random.RandomState | np.random.Generator | None = None,
    sample_weight: Any = None,
    cache: Any = None,
    max_rows: int = 50_000,
) -> Selection:
    """Choose among settings of a model, and say in words how sure the choice is.

    Parameters
    ----------
    estimator : any clusterer, mixture or decomposition of unmix or scikit-learn, or a pipeline that ends in one
    X : table of numbers, (n, d), or files that hold one (a path, a folder, a pattern, a list, a `DataSet`)
        Sparse tables are made dense, up to 50 million entries. Missing values (NaN) where the estimator takes them; a
        criterion that cannot judge them is shown the rows without, and `notes` says so.
    grid : the numbers of clusters, such as ``range(1, 11)``; or a dict of parameter -> values; or a list of dicts.
        Let it begin at 1 (a decomposition: at 0): that there is nothing is a possible answer. Where a model cannot be
        fitted with one cluster, all rows in one stand in for it.
    criteria : criterion or list of criteria, optional
        By default `Consensus` (are there clusters, and how many do five criteria agree on), which decides, with
        `Stability`, `BIC` and `AIC` beside it; for a decomposition or a `CollaborativeFilter` entries that are held out
        (`CrossValidation("entries")`). `Consensus` decides wherever it is among them, else `Separation`, else the
        majority, the first one named if tied.
    random_state : int, RandomState, Generator or None
        The same number gives the same answer, on any number of threads.
    sample_weight : n weights, optional
        How often each row counts. Criteria that know no weights are shown rows repeated.
    cache : folder, optional
        Finished parts are kept there. The same call, interrupted or not, takes them up and gives the same answer bit
        for bit. Functions among the parameters count with their code and the values they use. After a change in the
        code of an estimator or criterion of your own, give another folder.
    max_rows : int
        A larger table is judged on this many rows drawn at random; only the chosen model is fitted on all of them. Of
        files that an estimator of unmix can read block by block, no other rows are brought together; on a cluster
        (``unmix.execution(executor=client)``) its workers draw the rows, fit and judge, with the same answer.

    Returns
    -------
    Selection
        ``best_params``, ``best_estimator`` (fitted), ``verdict`` (in words), ``table`` (a row for each grid point and
        criterion: value, standard error), ``choices`` (what each criterion prefers), ``details``, ``notes`` (what was
        sampled, left out or stood in for), ``to_frame()``, ``plot()``.

    Notes
    -----
    A few rows so far out that they would decide every scale (farther than three times the range of all others in some
    column: a slip, a code for a missing value) are set aside where the estimator takes weights: they are labelled, but
    have no say, and the verdict names them.

    Where rows depend on their neighbours in the table, as in time series (`order_dependence`), `Consensus` and
    `Separation` compare with tables without clusters whose rows depend in the same way, and the verdict says so. Rows
    that are there several times, by copies or by weights, are one piece of evidence each.

    Fits are shared between criteria. Resamples and references run in threads; ``unmix.execution(threads=…, observe=…)``
    sets how many and who hears of progress.

    Cost of the default criteria: one fit for each grid point, then 20 references and 40 resamples for each, on at most
    2000 rows; memory for a few copies of the rows judged.

    Criteria that ask about clusters refuse models that have none, and criteria that look at rows refuse models of
    dissimilarities, each in a sentence that names one which does not.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from unmix.datasets import blobs, uniform
    >>> X, y = blobs(200, 2, 3, random_state=0)
    >>> select(KMeans(n_init=3), X, range(1, 6), random_state=0).best_params
    {'n_clusters': 3}
    >>> select(KMeans(n_init=3), uniform(200, random_state=0), range(1, 6), random_state=0).best_params
    {'n_clusters': 1}
    """
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        raise TypeError(f"estimator={estimator!r} is no estimator; give an instance, such as KMeans()")
    given, source = estimator, X
    if hasattr(estimator, "with_numbers") and not isinstance(X, np.ndarray):
        estimator, X = estimator.with_numbers(X)
    seed = seed_of(random_state)
    data = read_data(estimator, X, sample_weight, max_rows, seed)
    table = data.table
    judges = criteria_of(estimator, criteria)
    points = settings_of(estimator, grid, data.n_judged)
    folder = folder_of(cache, random_state)
    judges, dependence = with_dependent_rows(judges, data.rows, data.weights, seed)
    models = fit_grid(estimator, points, table.X, table.weights, seed)
    refuse_other_predictions(models[-1], table.X)
    if lacks_one_cluster(estimator, models):
        points, models = [*points, {}], [*models, OneCluster().fit(table.X, sample_weight=table.weights)]
    seen = {
        criterion.name: evaluate_criterion(criterion, models, table, int(spawn(seed, i).integers(2**31)), folder)
        for i, criterion in enumerate(judges)
    }
    evaluations = {name: judgement.evaluation for name, judgement in seen.items()}
    best = _decide(evaluations, models)
    if estimator is not given:  # the table as its owner has it
        final = fit_one(given, points[best], source, data.source_weights, seed)
    elif len(table.X) == table.n_rows:
        final = models[best]
    else:
        final = _final(estimator, points[best], models[best], data.source, data.source_weights, seed)
    words = [in_words(models, points, evaluations, best), *dependence, *sampling_in_words(judges, table), *data.far]
    notes = [*notes_on(estimator, models, table), *(note for judgement in seen.values() for note in judgement.notes)]
    higher = {criterion.name: criterion.higher_is_better for criterion in judges}
    rows = {name: judgement.rows for name, judgement in seen.items() if judgement.rows is not None}
    return Selection(points, models, evaluations, best, " ".join(words), higher, notes, final, rows)


def seed_of(random_state: Any) -> int:
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"random_state={random_state!r}: give a whole number below 2**32, a RandomState or Generator, or None"
        ) from error


def criteria_of(estimator: Any, criteria: Any) -> list[Criterion]:
    if criteria is None:
        criteria = default_criteria(estimator)
    several = isinstance(criteria, Iterable) and not isinstance(criteria, (str, Mapping)) and not is_criterion(criteria)
    given = list(criteria) if several else [criteria]
    given = [criterion() if isinstance(criterion, type) else criterion for criterion in given]
    for criterion in given:
        if not is_criterion(criterion):
            raise TypeError(
                f"criteria: {criterion!r} is no criterion, which has name, higher_is_better and evaluate (or "
                "evaluate_grid); "
                "give for example BIC() from unmix.validation"
            )
    names = [criterion.name for criterion in given]
    if not given or len(set(names)) < len(names):
        raise ValueError(f"criteria={names}: give at least one criterion, and each name once")
    for criterion in given:
        refuse_unsuitable(criterion, estimator)
    return [with_suitable_reference(criterion, estimator) for criterion in given]


def default_criteria(estimator: Any) -> list[Criterion]:
    """Of clusterings whether there are clusters; of models that tell entries, how well they tell hidden ones.

    Of densities, how likely rows are that they have not seen.
    """
    if labels_rows(estimator):
        return [Consensus(), Stability(), BIC(), AIC()]
    if takes_missing(estimator) or (hasattr(estimator, "transform") and hasattr(estimator, "inverse_transform")):
        return [CrossValidation("entries")]
    if hasattr(estimator, "score_samples"):
        return [CrossValidation()]
    raise TypeError(
        f"{type(estimator).__name__} neither labels rows nor predicts their entries, so there are no default criteria; "
        "give criteria=[…]"
    )


def _final(estimator: Any, point: dict[str, Any], model: Any, X: Any, weights: np.ndarray | None, seed: int) -> Any:
    if isinstance(model, OneCluster):
        return OneCluster().fit(X, sample_weight=weights)
    return fit_one(estimator, point, X, weights, seed)


def _decide(evaluations: dict[str, Evaluation], models: Sequence[Any]) -> int:
    """What a deciding criterion names, and of grid points of that size the most stable; else the majority."""
    deciding = next((name for name in DECIDING if name in evaluations), None)
    if deciding is not None:
        choice = evaluations[deciding].choice
        same = [i for i, model in enumerate(models) if size_of(model) == size_of(models[choice])]
        if len(same) > 1 and "stability" in evaluations:
            scores = evaluations["stability"].scores
            return max(same, key=lambda i: np.nan_to_num(scores[i].value, nan=-np.inf))
        return choice
    votes = [evaluation.choice for evaluation in evaluations.values() if evaluation.choice is not None]
    if not votes:
        raise ValueError(
            f"no criterion has a value on this grid ({', '.join(evaluations)}): too few clusters or distinct rows to "
            "compare; widen the grid, or add a criterion that can judge one cluster, such as Consensus()"
        )
    return max(votes, key=votes.count)
