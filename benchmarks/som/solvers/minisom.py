"""MiniSom, its batch training; its straight decay ends at a width of one."""

import numpy as np

requires = ["minisom"]


def solve(X: np.ndarray, side: int, epochs: int, first: float, last: float, seed: int, threads: int) -> np.ndarray:
    from minisom import MiniSom

    model = MiniSom(side, side, X.shape[1], sigma=first, sigma_decay_function="linear_decay_to_one", random_seed=seed)
    model.pca_weights_init(X)
    model.train_batch_offline(X, epochs)
    return model.get_weights().reshape(-1, X.shape[1])
