"""A small use of every estimator and command: what `unmix warm` runs, and what the startup benchmark times.

Each estimator has the kind of table it is for and its options; a new public estimator gets its line here. An estimator
may stand several times where its options lead to different kernels.
"""

from __future__ import annotations

import inspect
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from typing import Any

import numpy as np

SMALL, LARGE = 300, 6000  # rows; the large table is past what is solved without kernels
METHODS = ("predict", "transform", "predict_proba", "score_samples", "score")

ESTIMATORS: dict[str, tuple[str, tuple[dict[str, Any], ...]]] = {
    "cluster.KMeans": ("groups", ({"n_clusters": 3}, {"n_clusters": 40, "n_init": 1})),
    "cluster.OnlineKMeans": ("groups", ({"n_clusters": 3},)),
    "cluster.GrowingKMeans": ("groups", ({"max_distortion": 0.1},)),
    "cluster.SoftKMeans": ("groups", ({"n_clusters": 3, "cooling": 0.6}, {"n_clusters": 3, "temperature": 4.0})),
    "cluster.SmoothKMeans": ("pixels", ({"n_clusters": 3, "neighbors": (15, 20)},)),
    "cluster.PairwiseClustering": ("few groups", ({"n_clusters": 3},)),
    "cluster.LeastAngleClustering": ("few groups", ({"n_clusters": 3},)),
    "cluster.HistogramClustering": ("counts", ({"n_clusters": 3, "cooling": 0.6},)),
    "cluster.InformationBottleneck": ("counts", ({"n_clusters": 3, "curve": 5, "n_init": 2},)),
    "cluster.ParametricDistributionalClustering": (
        "counts",
        ({"n_clusters": 3, "n_components": 6, "cooling": 0.6},),
    ),
    "cluster.CorrelationClustering": ("likes", ({},)),
    "cluster.GraphPartition": ("links", ({"n_clusters": 3},)),
    "decomposition.PCA": ("groups", ({"n_components": 2},)),
    "decomposition.TruncatedSVD": ("groups", ({"n_components": 2},)),
    "decomposition.RobustPCA": ("few groups", ({},)),
    "decomposition.CollaborativeFilter": ("ratings", ({"n_components": 1},)),
    "decomposition.SparseCoder": (
        "groups",
        (
            {"dictionary": "overcomplete_dct", "n_nonzero": 2},
            {"dictionary": "overcomplete_dct", "method": "lasso", "alpha": 0.3},
        ),
    ),
    "decomposition.DictionaryLearning": ("groups", ({"n_components": 5, "max_iter": 5},)),
    "decomposition.MiniBatchDictionaryLearning": ("groups", ({"n_components": 5, "max_iter": 5},)),
    "decomposition.NMF": (
        "amounts",
        ({"n_components": 2}, *({"n_components": 2, "beta_loss": b} for b in ("kullback-leibler", "itakura-saito"))),
    ),
    "decomposition.SemiNMF": ("groups", ({"n_components": 2},)),
    "density.Gaussian": ("groups", ({},)),
    "density.GaussianMixture": (
        "groups",
        tuple({"n_components": 3, "covariance_type": kind} for kind in ("full", "tied", "diag", "spherical")),
    ),
    "density.KernelDensity": ("groups", ({}, {"bandwidth": 1.0})),
    "density.GlidingHistogram": ("groups", ({"width": 5.0},)),
    "density.HistogramDensity": ("groups", ({},)),
    "density.Categorical": ("categories", ({},)),
    "embedding.SelfOrganizingMap": ("groups", ({"shape": (3, 3), "n_epochs": 3},)),
    "embedding.PairwiseSOM": ("few groups", ({"shape": (1, 3), "n_steps": 20},)),
    "embedding.LocallyLinearEmbedding": ("few groups", ({"n_components": 2, "n_neighbors": 75},)),
    "embedding.ConstantShiftEmbedding": ("dissimilarities", ({"n_components": 2},)),
    "separation.FastICA": ("groups", ({"n_components": 3}, {"n_components": 3, "solver": "gradient"})),
    "separation.Infomax": ("groups", ({"n_components": 3},)),
    "separation.JADE": ("groups", ({"n_components": 3},)),
    "separation.OnlineICA": ("groups", ({"n_components": 3},)),
    "separation.SecondOrderICA": ("groups", ({"n_components": 3},)),
    "roles.MultiAssignmentClustering": ("access", ({"n_roles": 3, "n_init": 1, "moves": 2, "cooling": 0.6},)),
    "roles.SingleAssignmentClustering": ("access", ({"n_roles": 6, "moves": 2, "cooling": 0.6},)),
    "roles.DiscreteBasis": ("access", ({"n_roles": 3},)),
    "roles.HammingKMeans": ("access", ({"n_roles": 6},)),
    "roles.RoundedSVD": ("access", ({"n_roles": 3},)),
    "roles.SVDDenoiser": ("access", ({},)),
    "roles.FastMiner": ("access", ({},)),
    "roles.CompleteMiner": ("access", ({},)),
    "validation.ColumnMeans": ("groups", ({},)),
    "validation.Constant": ("groups", ({},)),
    "validation.OneCluster": ("groups", ({},)),
}


def groups(n: int) -> np.ndarray:
    """Three groups that are not round, in six columns."""
    rng = np.random.default_rng(0)
    return 4.0 * rng.normal(size=(3, 6))[np.arange(n) % 3] + rng.laplace(size=(n, 6))


def dissimilarities(n: int) -> np.ndarray:
    X = groups(n)
    return np.sum((X[:, None] - X) ** 2, axis=2)


def links(n: int) -> np.ndarray:
    same = np.equal.outer(np.arange(n) % 3, np.arange(n) % 3)
    upper = np.triu(np.random.default_rng(0).random((n, n)) < np.where(same, 0.7, 0.05), 1).astype(float)
    return upper + upper.T


def ratings(n: int) -> np.ndarray:
    X = groups(n)
    X[:, 1:][np.random.default_rng(1).random((n, 5)) < 0.25] = np.nan
    return X


def access(n: int) -> np.ndarray:
    """Users with one or two of three roles over nine permissions."""
    roles = np.kron(np.eye(3, dtype=int), np.ones(3, dtype=int))
    return np.maximum(roles[np.arange(n) % 3], roles[np.arange(n) // 4 % 3]).astype(float)


TABLES: dict[str, Callable[[int], np.ndarray]] = {
    "groups": groups,
    "few groups": lambda n: groups(min(n, SMALL)),
    "pixels": lambda n: groups(15 * 20),
    "amounts": lambda n: np.abs(groups(n)) + 0.1,
    "counts": lambda n: np.floor(3 * np.abs(groups(min(n, SMALL)))) + 1,
    "categories": lambda n: np.arange(3 * n).reshape(n, 3) % [3.0, 2.0, 4.0],
    "ratings": lambda n: ratings(min(n, SMALL)),
    "dissimilarities": lambda n: dissimilarities(100),
    "links": lambda n: links(100),
    "likes": lambda n: 2 * links(60) - 1 + np.eye(60),
    "access": lambda n: access(min(n, SMALL)),
}


def first_fit(name: str) -> None:
    """What a newcomer does: fit the estimator, as it stands first in the list, to 300 rows."""
    table, options = ESTIMATORS[name]
    make(name, options[0]).fit(TABLES[table](SMALL))


def make(name: str, options: dict[str, Any]) -> Any:
    family, kind = name.split(".")
    constructor = getattr(import_module(f"unmix.{family}"), kind)
    seeded = "random_state" in inspect.signature(constructor).parameters
    return constructor(**options, **({"random_state": 0} if seeded else {}))


def every_fit(name: str) -> None:
    """All options, in double and single precision, few rows and many, with weights and sparse where it takes them."""
    table, options = ESTIMATORS[name]
    for given in options:
        for X in tables(TABLES[table], make(name, given)):
            use(make(name, given), X)


def tables(make_table: Callable[[int], np.ndarray], model: Any) -> Iterator[Any]:
    """The forms in which tables come: two precisions, in the order of columns, one that may not be written."""
    for X in {len(X): X for X in map(make_table, (SMALL, LARGE))}.values():
        yield from (X, X.astype(np.float32), np.asfortranarray(X))
    X.flags.writeable = False
    yield X
    if model.__sklearn_tags__().input_tags.sparse and not np.isnan(X).any():
        from scipy import sparse

        yield from (sparse.csr_matrix(np.maximum(X, 0.0).astype(kind)) for kind in (np.float64, np.float32))


def use(model: Any, X: Any) -> None:
    model.fit(X)
    for method in METHODS:
        if hasattr(model, method):
            getattr(model, method)(X)
    if "sample_weight" in inspect.signature(model.fit).parameters:
        model.fit(X, sample_weight=np.full(X.shape[0], 2.0))


def files(folder: str) -> dict[str, str]:
    """A file for each command to read."""
    X, who = groups(SMALL), access(60)
    place = {name: os.path.join(folder, name) for name in ("table.csv", "access.csv", "image.npy", "video.npy")}
    np.savetxt(place["table.csv"], X, delimiter=",", header="a,b,c,d,e,f", comments="", fmt="%.4f")
    with open(place["access.csv"], "w", encoding="utf-8") as file:
        file.write("user,permission\n")
        file.writelines(f"u{i},p{j}\n" for i, j in np.argwhere(who))
    np.save(
        place["image.npy"],
        np.add.outer(np.arange(32.0), np.arange(32.0)) + np.random.default_rng(0).normal(size=(32, 32)),
    )
    np.save(place["video.npy"], np.random.default_rng(0).random((12, 16, 16)))
    return place


COMMANDS: dict[str, tuple[str, ...]] = {
    "explore": ("explore", "table.csv", "--out", "explored"),
    "roles": ("roles", "access.csv", "--out", "roles"),
    "separate": ("separate", "table.csv", "--out", "separated"),
    "denoise": ("denoise", "image.npy", "--out", "clean.npy"),
    "background": ("background", "video.npy", "--out", "apart"),
}


def run_command(name: str) -> None:
    """A command on a file of its kind, in a folder that is removed; what it prints is not shown."""
    from unmix.cli.main import main

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        place = files(folder)
        words = [place.get(word, word) for word in COMMANDS[name]]
        words[-1] = os.path.join(folder, words[-1])
        with redirect_stdout(nowhere), redirect_stderr(nowhere):
            main(words, standalone_mode=False)


def select() -> None:
    """The choice of a number of clusters, of mixture components and of components."""
    from unmix.validation import select as choose

    X = groups(SMALL)
    for name in ("cluster.KMeans", "density.GaussianMixture"):
        choose(make(name, {}), X, range(1, 5), random_state=0)


def names() -> list[str]:
    """Everything that can be warmed: the commands first, since they take longest."""
    return [*COMMANDS, "select", *ESTIMATORS]


def first_use(name: str) -> None:
    """The first use of an estimator or a command, by its name."""
    use_with(name, first_fit)


def every_use(name: str) -> None:
    """The same, of an estimator in all forms that people use."""
    use_with(name, every_fit)


def use_with(name: str, fit: Callable[[str], None]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few steps on a small table: of course it did not converge
        if name in ESTIMATORS:
            fit(name)
        elif name == "select":
            select()
        else:
            run_command(name)
