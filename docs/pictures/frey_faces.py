"""Draws docs/assets/frey-faces.png: a film of one face laid flat (needs ../shared/data)."""

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnnotationBbox, OffsetImage

from unmix.embedding import LocallyLinearEmbedding, false_neighbors, lost_neighbors

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "faces" / "frey.npz"
SHOWN, NEIGHBORS, ASIDE = 30, 30, 34
DARK = ListedColormap(plt.get_cmap("plasma")(np.linspace(0, 0.88, 256)))  # its yellow end is lost on white


def spread_out(places: np.ndarray, count: int) -> np.ndarray:
    """Rows whose places lie far apart: always the one furthest from those chosen before."""
    chosen = [int(places[:, 0].argmin())]
    away = np.linalg.norm(places - places[chosen[0]], axis=1)
    for _ in range(count - 1):
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return np.array(chosen)


def beside(places: np.ndarray, chosen: np.ndarray, axis: plt.Axes) -> np.ndarray:
    """Where on the page to put the chosen pictures: a little aside, where dots and other pictures are fewest."""
    dots = axis.transData.transform(places)
    angles = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    steps = ASIDE * np.column_stack([np.cos(angles), np.sin(angles)])
    taken = np.empty((0, 2))
    for row in chosen:
        spots = dots[row] + steps
        covered = (np.abs(spots[:, None] - dots) < [20, 27]).all(axis=2).sum(axis=1)
        crowded = (np.abs(spots[:, None] - taken) < [34, 46]).all(axis=2).sum(axis=1)
        taken = np.concatenate([taken, spots[[(covered + 200 * crowded).argmin()]]])
    return axis.transData.inverted().transform(taken)


def figures() -> dict[str, Figure]:
    X = np.load(DATA)["X"].astype(np.float64)
    model = LocallyLinearEmbedding(2, n_neighbors=NEIGHBORS, method="modified").fit(X)
    places, trust = model.embedding_ * len(X) ** 0.5, model.distortion(X)
    print("pieces", model.n_pieces_, "distortion", np.quantile(trust, [0.1, 0.5, 0.9]).round(2))
    print("false", false_neighbors(X, places).mean().round(3), "lost", lost_neighbors(X, places).mean().round(3))
    figure, axis = plt.subplots(figsize=(9.5, 7))
    dots = axis.scatter(*places.T, c=trust, s=9, cmap=DARK, linewidths=0, vmin=0, vmax=1)
    axis.margins(0.09)
    figure.colorbar(dots, label="distortion: nearest on the map that are not nearest in the data", shrink=0.75)
    axis.set(xlabel="first coordinate", ylabel="second coordinate", title="1,965 frames of one face, laid flat")
    axis.spines[["top", "right"]].set_visible(False)
    figure.canvas.draw()  # so that places on the page are known
    chosen = spread_out(places / places.std(axis=0), SHOWN)
    for row, spot in zip(chosen, beside(places, chosen, axis)):
        picture = OffsetImage(X[row].reshape(28, 20), zoom=1.35, cmap="gray")
        line = {"arrowstyle": "-", "lw": 0.7, "color": "0.35", "shrinkA": 0, "shrinkB": 1}
        axis.add_artist(AnnotationBbox(picture, places[row], spot, pad=0.05, bboxprops={"lw": 0.4}, arrowprops=line))
    return {"frey-faces": figure}
