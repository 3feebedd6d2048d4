"""The models and the table that every executor must fit to the same bits."""

import numpy as np

from unmix.cluster import GrowingKMeans, KMeans, MiniBatchKMeans, SoftKMeans
from unmix.constraints import L1, UnitNorm
from unmix.decomposition import NMF, PCA, DictionaryLearning, Factorization, SemiNMF, TruncatedSVD
from unmix.density import GaussianMixture
from unmix.embedding import SelfOrganizingMap
from unmix.separation import FastICA, Infomax


def table(dtype: str = "f8") -> np.ndarray:
    """Overlapping groups, so that iterative fits take many iterations; more rows than a few leaves hold."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(6, 5)) * 1.5
    return (centres[rng.integers(0, 6, 40_000)] + rng.normal(size=(40_000, 5))).astype(dtype)


MODELS = {
    "PCA": lambda: PCA(3),
    "PCA randomized": lambda: PCA(2, svd_solver="randomized", random_state=0),
    "PCA missing": lambda: PCA(2, missing="ignore"),
    "TruncatedSVD": lambda: TruncatedSVD(2, random_state=0),
    "DictionaryLearning": lambda: DictionaryLearning(
        8, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=6, random_state=0
    ),
    "NMF": lambda: NMF(3, tol=0, max_iter=8, random_state=0),
    "NMF divergence": lambda: NMF(2, beta_loss="kullback-leibler", tol=0, max_iter=3, random_state=0),
    "SemiNMF": lambda: SemiNMF(3, tol=0, max_iter=3, random_state=0),
    "Factorization": lambda: Factorization(
        2, loss="huber", codes="ridge", components="ridge", tol=0, max_iter=6, random_state=0
    ),
    "Factorization missing": lambda: Factorization(
        2, loss="squared", codes=L1(0.1), components=UnitNorm(), tol=0, max_iter=5, random_state=0
    ),
    "KMeans": lambda: KMeans(6, swaps=2, tol=0, max_iter=8, random_state=0),
    "SoftKMeans": lambda: SoftKMeans(3, temperature=4.0, cooling=0.7, max_iter=12, random_state=0),
    "GaussianMixture": lambda: GaussianMixture(3, tol=0, max_iter=8, random_state=0),
    "MiniBatchKMeans": lambda: MiniBatchKMeans(6, max_iter=2, random_state=0),
    "GrowingKMeans": lambda: GrowingKMeans(0.5, max_iter=6, random_state=0),
    "SelfOrganizingMap": lambda: SelfOrganizingMap((4, 5), n_epochs=4, random_state=0),
    "FastICA": lambda: FastICA(2, random_state=0),
    "Infomax": lambda: Infomax(2, random_state=0),
    "SelfOrganizingMap online": lambda: SelfOrganizingMap((3, 3), method="online", n_epochs=1, random_state=0),
}


def data(name: str, dtype: str = "f8") -> np.ndarray:
    """The table, with holes where the model is to fill them, without signs where it takes amounts."""
    X = np.abs(table(dtype)) if name.startswith("NMF") else table(dtype)
    if name.endswith("missing"):
        X[np.random.default_rng(1).random(X.shape) < 0.05] = np.nan
    return X


def fitted_bits(model) -> dict[str, bytes]:
    """Every fitted array and number, byte by byte."""
    numbers = {k: v for k, v in vars(model).items() if k.endswith("_") and k not in ("trace_", "feature_names_in_")}
    return {k: np.asarray(v).tobytes() for k, v in numbers.items() if np.asarray(v).dtype.kind in "fiub"}


def different(model, expected: dict[str, bytes]) -> list[str]:
    bits = fitted_bits(model)
    return sorted(k for k in expected.keys() | bits.keys() if expected.get(k) != bits.get(k))
