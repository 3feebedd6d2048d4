"""Draws docs/assets/figure-*.png: the pictures of docs/figures.md."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import polars
from matplotlib.figure import Figure

from unmix.cluster import KMeans, SoftKMeans
from unmix.decomposition import PCA
from unmix.density import GaussianMixture, KernelDensity
from unmix.embedding import LocallyLinearEmbedding, SelfOrganizingMap
from unmix.plot import (
    BandwidthDisplay,
    DensityDisplay,
    EmbeddingDisplay,
    KMeansDisplay,
    MapDisplay,
    MixtureDisplay,
    SilhouetteDisplay,
    SpectrumDisplay,
    SplitTreeDisplay,
)

ROOT = Path(__file__).parents[2]
NAMES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def penguins() -> polars.DataFrame:
    return polars.read_csv(ROOT / "examples" / "penguins.csv", null_values=["NA", ""]).drop_nulls(NAMES)


def spots() -> tuple[np.ndarray, np.ndarray]:
    """Images of 16 x 16 pixels with one bright spot each, and where it is."""
    place = np.random.default_rng(0).uniform(4, 12, (700, 2))
    rows, columns = np.indices((16, 16))
    squares = (rows - place[:, :1, None]) ** 2 + (columns - place[:, 1:, None]) ** 2
    return np.exp(-squares / 8), place


def pair(draw) -> Figure:
    """Two panels side by side, each 4 x 3 inches."""
    figure, axes = plt.subplots(1, 2, figsize=(8, 3))
    draw(*axes)
    return figure


def clusters(left, right) -> None:
    X = penguins().select((polars.col(NAMES[:2]) - polars.col(NAMES[:2]).mean()) / polars.col(NAMES[:2]).std())
    model = KMeans(3, random_state=0).fit(X)
    KMeansDisplay.from_estimator(model, X, ax=left)
    SilhouetteDisplay.from_estimator(model, X, ax=right)


def densities(left, right) -> None:
    X = penguins().select(NAMES[:2])
    model = GaussianMixture(3, random_state=0).fit(X)
    MixtureDisplay.from_estimator(model, X, ax=left)
    DensityDisplay.from_estimator(model, X, ax=right)


def widths(left, right) -> None:
    x = penguins().select("bill_length_mm").to_numpy()
    model = KernelDensity("likelihood", random_state=0).fit(x)
    BandwidthDisplay.from_estimator(model, ax=left)
    DensityDisplay.from_estimator(model, x, ax=right)
    right.set_xlabel("bill_length_mm")


def spectra(left, right) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 12)) + rng.normal(size=(200, 12))
    SpectrumDisplay.from_estimator(PCA().fit(X), X, parallel_analysis=True, ax=left)
    groups = np.array([[-6.0, -2.0], [-4.0, 2.0], [1.0, 0.0], [5.0, 2.5], [6.5, -2.0], [8.0, 1.0]])
    model = SoftKMeans(6).fit(np.repeat(groups, 100, axis=0) + 0.7 * rng.normal(size=(600, 2)))
    SplitTreeDisplay.from_estimator(model, ax=right)


def maps(left, right) -> None:
    images, place = spots()
    model = LocallyLinearEmbedding(2, n_neighbors=12).fit(images.reshape(700, -1))
    EmbeddingDisplay.from_estimator(model, ax=left)
    EmbeddingDisplay.from_estimator(
        model, values=place[:, 0], value_name="row of the spot", images=images, image_size=0.1, ax=right
    )


def planes(left, right) -> None:
    X = penguins().select((polars.col(NAMES) - polars.col(NAMES).mean()) / polars.col(NAMES).std())
    model = SelfOrganizingMap((10, 14), topology="hexagonal", n_epochs=40, random_state=0).fit(X)
    MapDisplay.from_estimator(model, X, ax=left)
    MapDisplay.from_estimator(model, columns=["flipper_length_mm"], ax=right)


def figures() -> dict[str, Figure]:
    parts = (clusters, densities, widths, spectra, maps, planes)
    return {f"figure-{draw.__name__}": pair(draw) for draw in parts}
