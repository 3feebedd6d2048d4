"""python-som, batch mode; it finds numba by itself."""

import numpy as np

requires = ["python_som"]


def solve(X: np.ndarray, side: int, epochs: int, first: float, last: float, seed: int, threads: int) -> np.ndarray:
    import python_som

    def straight(value: float, step: int, steps: int) -> float:
        return first + (last - first) * step / max(steps - 1, 1)

    model = python_som.SOM(
        side,
        side,
        X.shape[1],
        neighborhood_radius=first,
        neighborhood_radius_decay=straight,
        min_neighborhood_radius=last,
        random_seed=seed,
    )
    model.weight_initialization(mode="linear", data=X)
    model.train(X, n_iteration=epochs, mode="batch")
    return np.asarray(model.get_weights()).reshape(-1, X.shape[1])
