"""Maximum cuts: all splits of small graphs, planted cuts of large ones, and effort that is not wasted."""

import numpy as np
import pytest
import scipy.sparse as sp

from unmix.cluster import max_cut


@pytest.mark.parametrize("n", [17, 20])
def test_up_to_twenty_nodes_the_largest_cut_is_found(n):
    rng = np.random.default_rng(n)
    for weights in (rng.choice([-1.0, 0.0, 1.0], (n, n)), rng.normal(size=(n, n))):
        W = np.triu(weights, 1)
        W = W + W.T
        sides = np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1  # that of the last node is 0
        spins = (1 - 2 * sides).astype(np.float32)
        cuts = (W.sum() - np.einsum("ri,ri->r", spins @ W.astype(np.float32), spins)) / 4
        assert max_cut(W, random_state=0).cut_ == pytest.approx(cuts.max(), abs=1e-3)


@pytest.mark.slow_without_jit
def test_a_planted_cut_is_found():
    """Weights that a hidden split makes all positive: it cuts the positive ones of a sparse graph and nothing else."""
    rng, n = np.random.default_rng(0), 600
    side = rng.choice([-1.0, 1.0], n)
    half = sp.triu(sp.random_array((n, n), density=0.02, rng=rng), 1).tocoo()
    values = -side[half.row] * side[half.col] * half.data
    W = sp.coo_array((values, (half.row, half.col)), shape=(n, n)).tocsr()
    result = max_cut(sp.csr_array(W + W.T), random_state=0)
    assert result.cut_ == pytest.approx(values[values > 0].sum())
