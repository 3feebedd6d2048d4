"""What a fit tells of itself is in the units of the data, whatever units it worked in."""

import numpy as np
import pytest

from unmix.cluster import (
    GrowingKMeans,
    HistogramClustering,
    KMeans,
    LeastAngleClustering,
    MiniBatchKMeans,
    PairwiseClustering,
    ParametricDistributionalClustering,
    SmoothKMeans,
    SoftKMeans,
)
from unmix.core.iteration.loop import COSTS, costs_in, iterate, running
from unmix.decomposition import NMF, PCA, CollaborativeFilter, DictionaryLearning, RobustPCA, SemiNMF
from unmix.density import GaussianMixture
from unmix.embedding import PairwiseSOM, SelfOrganizingMap

FACTOR = 1024.0  # a power of two, so that both fits take the same way
rng = np.random.default_rng(0)
X = np.abs(rng.normal(size=(60, 5)) * [3, 1, 1, 1, 1] + np.repeat(np.eye(5)[:3] * 6, 20, axis=0))
GAPS = np.where(rng.random(X.shape) < 0.1, np.nan, X)
APART = np.abs(X[:, None] - X).sum(axis=2)
SQUARED = {
    "KMeans": (KMeans(3, random_state=0), X),
    "MiniBatchKMeans": (MiniBatchKMeans(3, random_state=0), X),
    "GrowingKMeans": (GrowingKMeans(random_state=0), X),
    "SoftKMeans": (SoftKMeans(3), X),
    "SoftKMeans by moves": (SoftKMeans(3, inference="gibbs", random_state=0), X),
    "SmoothKMeans": (SmoothKMeans(3, random_state=0), X),
    "SelfOrganizingMap": (SelfOrganizingMap((3, 3), n_epochs=5, random_state=0), X),
    "NMF": (NMF(2, random_state=0), X),
    "NMF with gaps": (NMF(2, random_state=0, missing="ignore"), GAPS),
    "SemiNMF": (SemiNMF(2, random_state=0), X),
    "CollaborativeFilter": (CollaborativeFilter(2, random_state=0), GAPS),
    "DictionaryLearning": (DictionaryLearning(3, fit_algorithm="ksvd", random_state=0), X),
}
LINEAR = {  # in the unit of the counts, or of the dissimilarities
    "HistogramClustering": (HistogramClustering(3), X),
    "HistogramClustering by moves": (HistogramClustering(3, inference="mean_field", random_state=0), X),
    "ParametricDistributionalClustering": (ParametricDistributionalClustering(2, random_state=0), X),
    "PairwiseClustering": (PairwiseClustering(3, metric="precomputed", random_state=0), APART),
    "PairwiseSOM": (PairwiseSOM((3, 3), metric="precomputed", random_state=0), APART),
}
WITHOUT_UNIT = {
    "RobustPCA": (RobustPCA(), X),
    "LeastAngleClustering": (LeastAngleClustering(3, random_state=0), X),
}
POWERS = [(name, power) for power, group in ((2, SQUARED), (1, LINEAR), (0, WITHOUT_UNIT)) for name in group]
MEASURED = (*COSTS, "error", "distortion", "step", "primal", "dual")


def cost_columns(model):
    rows = [{key: value for key, value in row.items() if key in MEASURED} for row in model.trace_]
    return [(key, value) for row in rows for key, value in sorted(row.items())]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name, power", POWERS)
def test_costs_and_temperatures_grow_as_the_data_do(name, power):
    model, data = {**SQUARED, **LINEAR, **WITHOUT_UNIT}[name]
    plain = cost_columns(model.fit(data))
    scaled = cost_columns(model.fit(data * FACTOR))
    common = min(len(plain), len(scaled))
    assert common > 0 and common >= 0.8 * max(len(plain), len(scaled))
    assert [key for key, _ in plain[:common]] == [key for key, _ in scaled[:common]]
    first, second = (np.array([value for _, value in rows[:common]]) for rows in (plain, scaled))
    floor = 1e-6 * np.abs(first).max() * FACTOR**power  # what has come to nothing is rounding
    np.testing.assert_allclose(second, first * FACTOR**power, rtol=1e-3, atol=floor)


def test_a_soft_end_is_told_in_squared_units():
    plain = cost_columns(SoftKMeans(3, temperature=2.0).fit(X))
    scaled = cost_columns(SoftKMeans(3, temperature=2.0 * FACTOR**2).fit(X * FACTOR))
    np.testing.assert_allclose([v for _, v in scaled], [FACTOR**2 * v for _, v in plain], rtol=1e-3)


def test_temperatures_of_the_trace_are_those_of_the_path():
    model = SoftKMeans(3).fit(X)
    told = [row["temperature"] for row in model.trace_ if row["stage"] == "annealing"]
    np.testing.assert_allclose(told, model.temperature_path_["temperature"][1:])
    first = 2 * np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1]
    assert 0.9 * first < told[0] < first


@pytest.mark.parametrize("data, model", [(X, GaussianMixture(2, random_state=0)), (GAPS, PCA(2, missing="ignore"))])
def test_log_likelihoods_are_densities_of_the_data(data, model):
    plain, scaled = (
        [row["log_likelihood"] for row in model.fit(table).trace_ if "log_likelihood" in row]
        for table in (data, data * FACTOR)
    )
    entries = 1 if isinstance(model, PCA) else data.shape[1]  # an observed entry, or a row
    np.testing.assert_allclose(scaled, np.array(plain) - entries * np.log(FACTOR), rtol=1e-6)


def test_a_loop_outside_a_fit_works_in_its_own_units():
    from unmix.core.iteration.loop import Run
    from unmix.core.iteration.trace import Trace
    from unmix.inference.expectation import State

    def advance(state):
        measured = {"cost": 2.0, "objective": 0.0, "moved": 3.0}
        return state._replace(iteration=state.iteration + 1, done=state.iteration == 1), measured

    run, start = Run(Trace()), State(None, 0.0, 0.0, 0, False)
    with running(run):
        with costs_in(np.inf):
            iterate(advance, start, max_iter=1, name="inside")
        iterate(advance, start, max_iter=1, name="outside")
    assert [record.values for record in run.trace.records] == [
        {"cost": np.inf, "objective": 0.0, "moved": 3.0},
        {"cost": 2.0, "objective": 0.0, "moved": 3.0},
    ]
