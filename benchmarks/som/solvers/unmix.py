"""unmix.embedding.SelfOrganizingMap."""

import numpy as np

requires = ["unmix"]


def solve(X: np.ndarray, side: int, epochs: int, first: float, last: float, seed: int, threads: int) -> np.ndarray:
    import unmix
    from unmix.embedding import SelfOrganizingMap

    model = SelfOrganizingMap((side, side), n_epochs=epochs, sigma=(first, last), decay="linear", random_state=seed)
    with unmix.execution(threads=threads):
        return model.fit(X).cluster_centers_
