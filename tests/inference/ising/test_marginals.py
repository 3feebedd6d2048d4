"""Sampled means of spins against exact sums."""

import numpy as np
import pytest

from unmix.cluster import IsingModel, denoise_binary_image
from unmix.cluster.shared.couplings import grid_couplings

rng = np.random.default_rng(0)
n = 10
J = np.triu(rng.normal(size=(n, n)), 1)
MODELS = {
    "dense": IsingModel(J + J.T, rng.normal(size=n)),
    "grid": IsingModel(grid_couplings((2, 5)), np.linspace(-1, 1, n)),
}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("beta", [0.1, 0.5])
@pytest.mark.parametrize("rule", ["heat_bath", "metropolis"])
def test_means_are_those_of_all_states(name, beta, rule):
    model = MODELS[name]
    found = model.marginals(beta, n_samples=4000, rule=rule, random_state=0)
    assert found.r_hat < 1.05 and found.effective_sample_size > 300
    error = 1 / found.effective_sample_size**0.5
    np.testing.assert_allclose(found.magnetization, model.magnetization(beta), atol=4 * error)
    np.testing.assert_allclose(found.probabilities, (1 + found.magnetization) / 2)


@pytest.mark.slow_without_jit
def test_means_given_all_others_scatter_less_than_spins():
    model, beta = MODELS["dense"], 0.1
    drawn = [model.sample(400, beta=beta, random_state=seed).mean(axis=0) for seed in range(8)]
    given = [model.marginals(beta, n_samples=400, n_chains=1, random_state=seed).magnetization for seed in range(8)]
    assert np.var(given, axis=0).sum() < 0.5 * np.var(drawn, axis=0).sum()


@pytest.mark.slow_without_jit
def test_pixels_are_decided_by_their_marginals():
    image = np.indices((3, 4)).sum(axis=0) > 2
    noisy = image.copy()
    noisy[0, 0] = True
    model = IsingModel(grid_couplings(noisy.shape, 0.6), 0.8 * (2.0 * noisy - 1).ravel())
    likelier = model.magnetization(1.0).reshape(noisy.shape) > 0
    options = {"coupling": 0.6, "field": 0.8, "inference": "gibbs", "n_sweeps": 3000, "random_state": 0}
    assert np.array_equal(denoise_binary_image(noisy, **options), likelier)


def test_what_is_no_sample_is_refused():
    with pytest.raises(ValueError, match="n_samples=3 is at least 4"):
        MODELS["dense"].marginals(n_samples=3)
    with pytest.raises(ValueError, match="rule='x' is not known"):
        MODELS["dense"].marginals(rule="x")
