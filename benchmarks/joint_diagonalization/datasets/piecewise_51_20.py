"""51 covariances of 2,000 moments each, 20 sources whose power changes from piece to piece."""

import numpy as np


def load(quick: bool) -> dict:
    rng = np.random.default_rng(0)
    n_sources, pieces, moments = 20, 11 if quick else 51, 2000
    mixing = rng.normal(size=(n_sources, n_sources))
    matrices = []
    for _ in range(pieces):
        S = rng.normal(size=(moments, n_sources)) * np.sqrt(rng.uniform(0.1, 1, n_sources))
        matrices.append(mixing @ (S.T @ S / moments) @ mixing.T)
    return {"matrices": np.array(matrices), "mixing": mixing}
