"""unmix.cluster.InformationBottleneck."""

import numpy as np

requires = ["unmix"]


def solve(counts: np.ndarray, betas: np.ndarray, seed: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
    import unmix
    from unmix.cluster import InformationBottleneck

    with unmix.execution(threads=threads):
        model = InformationBottleneck(len(counts), curve=betas, n_init=1, random_state=seed).fit(counts)
    return model.information_curve_["rate"], model.information_curve_["information"]
