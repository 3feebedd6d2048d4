import numpy as np
import pytest
from sklearn.decomposition import PCA as Reference

from unmix.algorithms.principal.number_of_components import count_components, log_evidence, most_evident


@pytest.mark.parametrize("k", [1, 2, 4])
def test_evidence_picks_what_scikit_learn_picks(k):
    rng = np.random.default_rng(k)
    X = rng.standard_normal((400, k)) @ rng.standard_normal((k, 8)) * 3 + rng.standard_normal((400, 8))
    variances = Reference().fit(X).explained_variance_
    assert most_evident(variances, 400, 8) == Reference("mle", svd_solver="full").fit(X).n_components_ == k


def test_evidence_by_hand():
    # d = 2, k = 1, n = 4, λ = (2, 1): every term of the formula written out
    expected = (
        -np.log(2)
        - np.log(np.pi)  # log Γ(1) = 0
        - 2 * np.log(2)  # n/2 (log 2 + log 1)
        + np.log(2 * np.pi)  # m = 1
        - 0.5 * (np.log(0.5) + np.log(1) + np.log(4))
        - 0.5 * np.log(4)
    )
    assert log_evidence(np.array([2.0, 1.0]), 1, 4) == pytest.approx(expected)


def test_share_takes_the_fewest():
    variances = np.array([5.0, 3.0, 2.0])
    assert [count_components(share, variances, 10, 3) for share in (0.1, 0.49, 0.51, 0.79, 0.81)] == [1, 1, 2, 2, 3]
    assert count_components(0.9, np.zeros(3), 10, 3) == 1
