"""Another BLAS computes other last bits, and the same answer: what is promised where versions differ."""

import os
import subprocess
import sys

import numpy as np
import pytest

pytestmark = [pytest.mark.slow_without_jit, pytest.mark.long]
# Answers that do not hang on last bits: well separated groups, gaps between variances, parts with rows of their own.
FIT = """
import sys
import numpy as np
from unmix.cluster import KMeans, SoftKMeans
from unmix.decomposition import NMF, PCA, TruncatedSVD
from unmix.density import Gaussian, GaussianMixture
from unmix.separation import FastICA

rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 12)) * np.linspace(1, 3, 12) + 25.0 * rng.integers(0, 3, 3000)[:, None]
S = rng.laplace(size=(3000, 3)) @ rng.normal(size=(3, 3))
parts = np.vstack([np.eye(3), rng.dirichlet(np.ones(3), 297)]) @ np.kron(np.eye(3), rng.gamma(2.0, size=(1, 4)) + 0.5)
found = {
    "PCA": np.abs(PCA(3).fit(X).components_),
    "TruncatedSVD": np.abs(TruncatedSVD(2, random_state=0).fit(X).components_),
    "KMeans": KMeans(3, random_state=0).fit(X).cluster_centers_,
    "SoftKMeans": SoftKMeans(3, random_state=0).fit(X).cluster_centers_,
    "Gaussian": Gaussian().fit(X).score_samples(X[:50]),
    "GaussianMixture": GaussianMixture(3, random_state=0).fit(X).means_,
    "NMF": NMF(3, random_state=0, tol=1e-9, max_iter=2000).fit(parts).components_,
    "FastICA": FastICA(3, random_state=0, tol=1e-10, max_iter=500).fit(S).components_,
}
np.savez(sys.argv[1], **found)
"""


def fitted(path, root, **environment):
    settings = {**os.environ, "PYTHONPATH": str(root / "src"), "OPENBLAS_NUM_THREADS": "1", **environment}
    subprocess.run([sys.executable, "-W", "ignore", "-c", FIT, str(path)], env=settings, check=True)
    with np.load(path) as found:
        return dict(found)


def test_other_kernels_of_blas_give_the_same_answer(tmp_path, pytestconfig):
    root = pytestconfig.rootpath
    here = fitted(tmp_path / "here.npz", root)
    other = fitted(tmp_path / "other.npz", root, OPENBLAS_CORETYPE="Prescott")
    for name, expected in here.items():
        scale = np.abs(expected).max()
        assert np.allclose(other[name], expected, rtol=0, atol=1e-7 * scale), name
