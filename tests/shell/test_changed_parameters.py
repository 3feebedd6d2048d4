"""A parameter changed since the fit, or read from a crafted file, is refused by its name when the model is used."""

import numpy as np
import pytest

from unmix.cluster import PairwiseClustering
from unmix.decomposition import NMF, CollaborativeFilter, SparseCoder
from unmix.density import GaussianMixture, KernelDensity
from unmix.embedding import PairwiseSOM
from unmix.roles import DiscreteBasis

X = np.random.default_rng(0).random((12, 4))
D = np.abs(X[:, None] - X[None]).sum(axis=2)
BITS = (X > 0.5).astype(float)

CHANGES = {
    "solver": (NMF(2, random_state=0), X, "transform", "x"),
    "beta_loss": (NMF(2, random_state=0), X, "transform", "x"),
    "covariance_type": (GaussianMixture(2, random_state=0), X, "predict", "x"),
    "algorithm": (KernelDensity(), X, "score_samples", "x"),
    "max_iter": (CollaborativeFilter(1), X, "predict", np.inf),
    "penalty": (DiscreteBasis(2), BITS, "transform", 0),
    "metric": (PairwiseClustering(2, metric="precomputed", random_state=0), D, "predict", "euclidean"),
    "metric ": (PairwiseSOM((2,), metric="precomputed", random_state=0), D, "predict", None),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_parameter_is_named(name):
    model, rows, method, value = CHANGES[name]
    model.fit(rows)
    getattr(model, method)(rows)  # as it was, it answers
    model.set_params(**{name.strip(): value})
    with pytest.raises(ValueError, match=f"{name.strip()}="):
        getattr(model, method)(rows)


def test_a_tolerance_may_be_a_whole_number_of_any_size():
    atoms = np.eye(4)
    codes = SparseCoder(atoms, transform_algorithm="omp", transform_tol=2**70).transform(X)
    np.testing.assert_array_equal(codes, 0)  # no residual is that long: no atom is needed
