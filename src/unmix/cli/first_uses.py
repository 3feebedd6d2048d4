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

from unmix.cli.example_tables import LARGE, SMALL, TABLES, access, groups
from unmix.cli.function_uses import FUNCTIONS

METHODS = ("predict", "transform", "predict_proba", "score_samples", "score")

ESTIMATORS: dict[str, tuple[str, tuple[dict[str, Any], ...]]] = {
    "cluster.KMeans": ("groups", ({"n_clusters": 3}, {"n_clusters": 40, "n_init": 1})),
    "cluster.MiniBatchKMeans": ("groups", ({"n_clusters": 3},)),
    "cluster.GrowingKMeans": ("groups", ({"max_distortion": 0.1},)),
    "cluster.SoftKMeans": ("groups", ({"n_clusters": 3, "cooling": 0.6}, {"n_clusters": 3, "temperature": 4.0})),
    "cluster.SmoothKMeans": ("pixels", ({"n_clusters": 3, "neighbors": (15, 20)},)),
    "cluster.PairwiseClustering": (
        "few groups",
        (
            {"n_clusters": 3},
            *({"n_clusters": 3, "inference": i} for i in ("sequential_mean_field", "metropolis")),
            {"n_clusters": 3, "inference": "gibbs", "temperature": 1.0},
        ),
    ),
    "cluster.LeastAngleClustering": ("few groups", ({"n_clusters": 3},)),
    "cluster.HistogramClustering": (
        "counts",
        ({"n_clusters": 3, "cooling": 0.6}, {"n_clusters": 3, "cooling": 0.6, "inference": "gibbs"}),
    ),
    "cluster.InformationBottleneck": ("counts", ({"n_clusters": 3, "curve": 5, "n_init": 2},)),
    "cluster.ParametricDistributionalClustering": (
        "counts",
        ({"n_clusters": 3, "n_components": 6, "cooling": 0.6},),
    ),
    "cluster.CorrelationClustering": ("likes", ({"metric": "precomputed"},)),
    "cluster.GraphPartition": ("links", ({"n_clusters": 3, "metric": "precomputed"},)),
    "decomposition.PCA": ("groups", ({"n_components": 2},)),
    "decomposition.TruncatedSVD": ("groups", ({"n_components": 2},)),
    "decomposition.RobustPCA": ("few groups", ({},)),
    "decomposition.CollaborativeFilter": ("ratings", ({"n_components": 1},)),
    "decomposition.SparseCoder": (
        "groups",
        (
            {"dictionary": "overcomplete_dct", "transform_n_nonzero_coefs": 2},
            {"dictionary": "overcomplete_dct", "transform_algorithm": "lasso_lars", "transform_alpha": 0.3},
            {"dictionary": "overcomplete_dct", "transform_algorithm": "mp", "transform_n_nonzero_coefs": 2},
        ),
    ),
    "decomposition.DictionaryLearning": (
        "groups",
        ({"n_components": 5, "max_iter": 5}, {"n_components": 5, "max_iter": 5, "fit_algorithm": "ksvd"}),
    ),
    "decomposition.MiniBatchDictionaryLearning": (
        "groups",
        ({"n_components": 5, "max_iter": 5}, {"n_components": 5, "max_iter": 5, "fit_algorithm": "omp"}),
    ),
    "decomposition.NMF": (
        "amounts",
        ({"n_components": 2}, *({"n_components": 2, "beta_loss": b} for b in ("kullback-leibler", "itakura-saito"))),
    ),
    "decomposition.SemiNMF": ("groups", ({"n_components": 2},)),
    "decomposition.Factorization": (
        "groups",
        (
            {"n_components": 2},
            {"n_components": 2, "loss": "huber", "codes": "ridge", "components": "ridge"},
            {"n_components": 2, "loss": "squared", "codes": "non_negative", "components": "non_negative"},
            {"n_components": 3, "loss": "squared", "codes": "one_hot"},
        ),
    ),
    "density.Gaussian": ("groups", ({},)),
    "density.GaussianMixture": (
        "groups",
        tuple({"n_components": 3, "covariance_type": kind} for kind in ("full", "tied", "diag", "spherical")),
    ),
    "density.KernelDensity": ("groups", ({"bandwidth": "likelihood"}, {"bandwidth": 1.0})),
    "density.GlidingHistogram": ("groups", ({"width": 5.0},)),
    "density.HistogramDensity": ("groups", ({},)),
    "density.Categorical": ("categories", ({},)),
    "embedding.SelfOrganizingMap": (
        "groups",
        ({"shape": (3, 3), "n_epochs": 3}, {"shape": (3, 3), "n_epochs": 3, "method": "online"}),
    ),
    "embedding.PairwiseSOM": ("few groups", ({"shape": (1, 3), "n_steps": 20},)),
    "embedding.LocallyLinearEmbedding": ("few groups", ({"n_components": 2, "n_neighbors": 75},)),
    "embedding.ConstantShiftEmbedding": ("dissimilarities", ({"n_components": 2, "metric": "precomputed"},)),
    "separation.FastICA": (
        "groups",
        ({"n_components": 3}, {"n_components": 3, "solver": "gradient"}, {"n_components": 3, "fun": "exp"}),
    ),
    "separation.Infomax": ("groups", ({"n_components": 3}, {"n_components": 3, "solver": "natural", "batch_size": 50})),
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


OTHER_TABLES: dict[str, tuple[tuple[str, dict[str, Any]], ...]] = {  # that lead to kernels of their own
    "density.GaussianMixture": (("ratings", {"n_components": 2, "missing": "ignore"}),),
    "density.KernelDensity": (
        ("plane", {"bandwidth": "likelihood"}),
        ("plane", {"algorithm": "grid", "bandwidth": 0.5}),
    ),
    "decomposition.NMF": (("holed amounts", {"n_components": 2, "missing": "ignore"}),),
    "decomposition.Factorization": (
        ("ratings", {"n_components": 1, "codes": "non_negative", "components": "non_negative"}),
    ),
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
    for kind, given in (*((table, given) for given in options), *OTHER_TABLES.get(name, ())):
        for X in tables(TABLES[kind], make(name, given)):
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
    kinds = ("table.csv", "long.csv", "access.csv", "image.npy", "holes.npy", "video.npy")
    place = {name: os.path.join(folder, name) for name in kinds}
    for name, rows in (("table.csv", SMALL), ("long.csv", LARGE)):
        np.savetxt(place[name], groups(rows), delimiter=",", header="a,b,c,d,e,f", comments="", fmt="%.4f")
    with open(place["access.csv"], "w", encoding="utf-8") as file:
        file.write("user,permission\n")
        file.writelines(f"u{i},p{j}\n" for i, j in np.argwhere(access(60)))
    image = np.add.outer(np.arange(32.0), np.arange(32.0)) + np.random.default_rng(0).normal(size=(32, 32))
    np.save(place["image.npy"], image)
    np.save(place["holes.npy"], np.where(np.random.default_rng(1).random(image.shape) < 0.1, np.nan, image))
    np.save(place["video.npy"], np.random.default_rng(0).random((12, 16, 16)))
    return place


COMMANDS: dict[str, tuple[str, ...]] = {
    "explore": ("explore table.csv --out explored", "explore long.csv --out again"),
    "roles": ("roles access.csv --out roles",),
    "separate": ("separate table.csv --out separated", "separate long.csv --out again"),
    "denoise": ("denoise image.npy --out clean.npy",),
    "inpaint": ("inpaint holes.npy --out whole.npy", "inpaint holes.npy --method pursuit --out again.npy"),
    "background": ("background video.npy --out apart",),
}


def run_command(lines: tuple[str, ...]) -> None:
    """Each command on a file of its kind, in a folder that is removed; what it prints is not shown."""
    from unmix.cli.main import main

    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
        place = files(folder)
        for line in lines:
            *words, out = line.split()
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                main([*(place.get(word, word) for word in words), os.path.join(folder, out)], standalone_mode=False)


def names() -> list[str]:
    """Everything that can be warmed: the commands first, since they take longest."""
    return [*COMMANDS, *FUNCTIONS, *ESTIMATORS]


def first_use(name: str) -> None:
    """The first use of an estimator or a command, by its name."""
    use_with(name, first_fit, 1)


def every_use(name: str) -> None:
    """The same in all forms that people use."""
    use_with(name, every_fit, None)


def use_with(name: str, fit: Callable[[str], None], most_lines: int | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few steps on a small table: of course it did not converge
        if name in ESTIMATORS:
            fit(name)
        elif name in FUNCTIONS:
            FUNCTIONS[name]()
        else:
            run_command(COMMANDS[name][:most_lines])
