"""Somoclu, its dense kernel on the processor."""

import numpy as np

requires = ["somoclu"]


def solve(X: np.ndarray, side: int, epochs: int, first: float, last: float, seed: int, threads: int) -> np.ndarray:
    import somoclu

    model = somoclu.Somoclu(side, side, compactsupport=False, std_coeff=1.0, initialization="pca", data=X)
    model.train(epochs=epochs, radius0=first, radiusN=last, scale0=1.0, scaleN=1.0)
    return model.codebook.reshape(-1, X.shape[1])
