import numpy as np
import pytest
from scipy.sparse import random_array

from unmix.costs.links import make_links
from unmix.costs.moves import packed
from unmix.costs.potts import Couplings, Potts
from unmix.inference.local.potts_sweep import potts_sweep
from unmix.inference.local.sweeps import mean_field_sweep
from unmix.inference.mean_field import make_sweep, softmax


def problem(k):
    rng = np.random.default_rng(k)
    links = make_links(random_array((40, 40), density=0.1, rng=rng))
    return Couplings(links, rng.normal(size=(40, k))), rng.dirichlet(np.ones(k), 40), rng.permutation(40)


@pytest.mark.parametrize("k", [1, 2, 7, 30])
@pytest.mark.parametrize("beta, damping", [(0.5, 0.0), (3.0, 0.3), (1e4, 0.0)])
def test_all_clusters_at_once_are_one_after_the_other(k, beta, damping):
    data, q, order = problem(k)
    one, other = q.copy(), q.copy()
    change = potts_sweep(data, one, beta, damping)(order)
    rooms = np.zeros((2, k))
    expected = mean_field_sweep(packed(Potts().state(data, other)), other, order, beta, damping, *rooms)
    np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)
    np.testing.assert_allclose(change, expected, rtol=0, atol=1e-12)


def test_its_fixed_point_is_the_mean_field():
    data, q, order = problem(4)
    sweep = make_sweep(Potts(), data, q, 0.8, 0.0)
    for _ in range(200):
        sweep(order)
    np.testing.assert_allclose(q, softmax(Potts().fields(data, q), 0.8), atol=1e-10)
