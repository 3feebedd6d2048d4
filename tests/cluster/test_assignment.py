"""Soft results of clusterings by samplers: marginals, pairs and diagnostics of every estimator with a temperature."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from unmix import execution
from unmix.cluster import CorrelationClustering, GraphPartition, LeastAngleClustering, PairwiseClustering
from unmix.costs.correlation import Correlation
from unmix.costs.cut import Cut
from unmix.costs.least_angle import LeastAngle
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.inference.enumerate import enumerate_labellings
from unmix.inference.sampler import Gibbs, Metropolis

rng = np.random.default_rng(0)
n, k = 7, 2
X = rng.normal(size=(n, 2))
D = ((X[:, None] - X) ** 2).sum(-1)
S = rng.normal(size=(n, n))
S = S + S.T
W = rng.random((n, n))
MODELS = {
    "pairwise": (PairwiseClustering(k, metric="precomputed", temperature=1.0), D, Pairwise(), make_dissimilarities(D)),
    "correlation": (CorrelationClustering(k, temperature=1.0, metric="precomputed"), S, Correlation(), make_links(S)),
    "normalized": (GraphPartition(k, temperature=0.2, metric="precomputed"), W, Cut("normalized", k), make_links(W)),
    "ratio": (
        GraphPartition(k, balance="ratio", temperature=0.5, metric="precomputed"),
        W,
        Cut("ratio", k),
        make_links(W),
    ),
    "cut": (GraphPartition(k, balance="cut", temperature=2.0, metric="precomputed"), W, Cut("cut", k), make_links(W)),
    "least angle": (LeastAngleClustering(k, normalize=False, temperature=1.0), X, LeastAngle(), X),
}
MODEL = pytest.mark.parametrize("name", MODELS)


@pytest.mark.slow_without_jit
@MODEL
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_pairs_are_together_as_often_as_in_the_gibbs_distribution(name, dtype):
    model, given, cost, data = MODELS[name]
    step = Gibbs(draws=2000) if dtype is np.float64 else Metropolis(draws=4000)
    model = clone(model).set_params(inference=step, n_init=2, random_state=0).fit(given.astype(dtype))
    exact = enumerate_labellings(cost, data, k, model.temperature)
    together = np.einsum("m,mij->ij", exact.probabilities, exact.labellings[:, :, None] == exact.labellings[:, None])
    error = 0.5 / model.diagnostics_["effective_sample_size"] ** 0.5
    found = model.co_membership()
    assert found.dtype == dtype and np.array_equal(found, found.T) and (found.diagonal() == 1).all()
    np.testing.assert_allclose(found, together, atol=5 * error)
    pairs = [[0, 1], [3, 2], [4, 4]]
    np.testing.assert_array_equal(model.co_membership(pairs), found[tuple(np.transpose(pairs))])


@pytest.mark.filterwarnings("ignore:.*are not empty")  # the least cut cuts nothing
@pytest.mark.slow_without_jit
@MODEL
@pytest.mark.parametrize("inference", ["gibbs", "simulated_annealing", "metropolis", "heat_bath"])
def test_probabilities_above_zero_are_soft_and_labels_the_most_probable(name, inference):
    model, given, cost, data = MODELS[name]
    model = clone(model).set_params(inference=inference, random_state=0).fit(given)
    q = model.probabilities_
    assert np.isclose(q.sum(axis=1), 1).all() and ((q > 0.01) & (q < 0.99)).any(axis=1).sum() > n / 2
    np.testing.assert_array_equal(model.labels_, q.argmax(axis=1))
    assert model.cost_ == pytest.approx(cost.total(data, model.labels_))
    assert model.diagnostics_["n_chains"] == 1 and model.draws_.shape == (model.diagnostics_["n_draws"], n)
    assert np.array_equal(q, clone(model).fit(given).probabilities_)
    model.set_params(temperature=0.0).fit(given)
    assert np.isin(model.probabilities_, (0, 1)).all()
    assert not hasattr(model, "draws_") and not hasattr(model, "diagnostics_")


@MODEL
@pytest.mark.parametrize("share", [0.3, 1.0, 4.0])
def test_mean_fields_tell_a_bound_of_the_free_energy(name, share):
    model, given, cost, data = MODELS[name]
    model = clone(model).set_params(inference="mean_field", temperature=share * model.temperature, random_state=0)
    exact = enumerate_labellings(cost, data, k, model.temperature)
    assert model.fit(given).free_energy_ >= exact.free_energy - 1e-9
    assert model.trace_[-1].get("free_energy", np.inf) >= exact.free_energy - 1e-9
    assert not hasattr(model.set_params(inference="gibbs").fit(given), "free_energy_")


def test_pairs_of_mean_fields_are_independent_and_those_of_labels_hard():
    model = PairwiseClustering(k, temperature=1.0, random_state=0).fit(X)
    q = model.probabilities_
    assert model.co_membership([[0, 1]])[0] == pytest.approx(q[0] @ q[1])
    hard = PairwiseClustering(k, random_state=0).fit(X)
    np.testing.assert_array_equal(hard.co_membership(), hard.labels_[:, None] == hard.labels_)


def test_chains_that_stay_apart_are_told():
    far = np.repeat([[0.0, 0.0], [9.0, 0.0], [0.0, 9.0], [9.0, 9.0]], 3, axis=0)  # two clusters, left or low
    model = PairwiseClustering(2, inference=Gibbs(2, draws=20), temperature=1.0, n_temperatures=5, n_init=8)
    with pytest.warns(ConvergenceWarning, match=r"not converged: R-hat is .* above 1\.1.*Gibbs\(draws=5000\)"):
        model.set_params(random_state=0).fit(far)


class Interrupted(Exception):
    pass


@pytest.mark.slow_without_jit
def test_chains_that_were_interrupted_go_on_to_the_bit(tmp_path):
    model = PairwiseClustering(k, inference="gibbs", temperature=2.0, n_temperatures=4, n_init=2, random_state=0)
    whole, seen = clone(model).fit(X), []

    def interrupt(record):
        seen.append(record)
        if len(seen) == 13:  # in the middle of the first chain
            raise Interrupted

    with pytest.raises(Interrupted), execution(checkpoint=tmp_path / "fit", checkpoint_seconds=0, observe=interrupt):
        clone(model).fit(X)
    with execution(checkpoint=tmp_path / "fit"):
        resumed = clone(model).fit(X)
    np.testing.assert_array_equal(resumed.probabilities_, whole.probabilities_)
    np.testing.assert_array_equal(resumed.draws_, whole.draws_)
    with execution(observe=lambda record: True):  # asked to stop at once: a batch of each chain, and a model
        stopped = clone(model).fit(X)
    assert stopped.diagnostics_["n_draws"] == 50 and np.isclose(stopped.probabilities_.sum(axis=1), 1).all()


def test_pairs_that_are_none_are_refused():
    model = PairwiseClustering(k, random_state=0).fit(X)
    for wrong, words in ([[0, n]], "numbered 0 to 6"), ([0, 1], "shape"), ([[0.0, 1.0]], "whole numbers"):
        with pytest.raises(ValueError, match=words):
            model.co_membership(wrong)


@pytest.mark.parametrize("inference", ["laplace", "gibbs", "mean_field"])
def test_rows_whose_costs_overflow_are_refused_in_words(inference):
    model = LeastAngleClustering(k, normalize=False, inference=inference)
    with pytest.raises(ValueError, match=r"squared lengths .* overflow; divide X by a constant"):
        model.fit(1e100 * X)
    assert np.isfinite(model.set_params(normalize=True).fit(1e100 * X).cost_)
