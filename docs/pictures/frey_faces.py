"""Draws docs/assets/frey-faces.png: a film of one face laid flat (needs matplotlib, and ../shared for the faces)."""

from pathlib import Path

import matplotlib
import numpy as np

from unmix.embedding import LocallyLinearEmbedding

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.offsetbox import AnnotationBbox, OffsetImage

root = Path(__file__).parents[2]
faces = root / ".." / "shared" / "data" / "faces" / "frey.npz"
SHOWN, NEIGHBORS = 34, 12


def spread_out(places: np.ndarray, count: int) -> np.ndarray:
    """Rows whose places lie far apart: always the one furthest from those chosen before."""
    chosen = [int(places[:, 0].argmin())]
    away = np.linalg.norm(places - places[chosen[0]], axis=1)
    for _ in range(count - 1):
        chosen.append(int(away.argmax()))
        away = np.minimum(away, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return np.array(chosen)


def ranks(values: np.ndarray) -> np.ndarray:
    return np.argsort(np.argsort(values)) / (len(values) - 1)


def main() -> None:
    X = np.load(faces)["X"].astype(np.float64)
    model = LocallyLinearEmbedding(2, n_neighbors=NEIGHBORS).fit(X)
    print("pieces", model.n_pieces_, "distortion", np.quantile(model.distortion_, [0.1, 0.5, 0.9]).round(2))
    places = model.embedding_ * len(X) ** 0.5
    figure, axis = plt.subplots(figsize=(9, 6.4), layout="constrained")
    dots = axis.scatter(*places.T, c=model.distortion_, s=7, cmap="viridis", linewidths=0, vmin=0, vmax=1)
    for row in spread_out(places / places.std(axis=0), SHOWN):
        picture = OffsetImage(X[row].reshape(28, 20), zoom=1.3, cmap="gray")
        axis.add_artist(AnnotationBbox(picture, places[row], pad=0.05, bboxprops={"lw": 0.4}))
    axis.set(xlabel="first coordinate", ylabel="second coordinate")
    figure.colorbar(dots, label="share of the nearest on the map that are not in the data", shrink=0.8)
    path = root / "docs" / "assets" / "frey-faces.png"
    figure.savefig(path, dpi=90)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
