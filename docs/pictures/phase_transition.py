"""Draws docs/assets/phase-transition.png: where sparse signals come back from random measurements, and where not."""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from unmix.decomposition import recover, sense

D, TRIALS = 100, 10
SHARES = np.linspace(0.05, 0.95, 19)  # both of M/D and of K/M
METHODS = {"omp": "orthogonal matching pursuit", "lasso": "basis pursuit (lasso, refitted)"}


def success(measured: float, dense: float, method: str, rng: np.random.Generator) -> float:
    """The share of signals that come back to a thousandth."""
    m = max(round(measured * D), 1)
    k = max(round(dense * m), 1)
    X = np.zeros((TRIALS, D))
    for row in X:
        row[rng.choice(D, k, replace=False)] = rng.normal(size=k)
    y, W = sense(X, m, random_state=rng)
    back = recover(y, W, n_nonzero=m, method=method)
    return float((np.linalg.norm(back - X, axis=1) < 1e-3 * np.linalg.norm(X, axis=1)).mean())


def enough(measured: float) -> float:
    """The largest K/M with M ≥ 2 K log(D/K), which theory calls enough up to the constant."""
    dense = np.linspace(0.01, 0.975, 500)
    too_many = 2 * dense * np.log(1 / (dense * measured)) > 1
    return float(dense[np.argmax(too_many)]) if too_many.any() else float("nan")


def figures() -> dict[str, Figure]:
    figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), sharey=True)
    for axis, (method, title) in zip(axes, METHODS.items(), strict=True):
        rng = np.random.default_rng(0)
        grid = np.array([[success(measured, dense, method, rng) for measured in SHARES] for dense in SHARES])
        image = axis.imshow(grid, origin="lower", extent=(0.025, 0.975, 0.025, 0.975), aspect="auto", cmap="cividis")
        axis.plot(SHARES, [enough(measured) for measured in SHARES], "w--", linewidth=1.2, label="M = 2 K log(D/K)")
        axis.set(title=title, xlabel="M / D, measurements a dimension", ylim=(0.025, 0.975))
        axis.legend(loc="upper left", frameon=False, labelcolor="white")
    axes[0].set_ylabel("K / M, non-zeros a measurement")
    figure.colorbar(image, ax=axes, label="share of signals recovered")
    return {"phase-transition": figure}
