"""embo with a tolerance of 1e-5 and up to 1000 iterations."""

import numpy as np

requires = ["embo"]


def solve(counts: np.ndarray, betas: np.ndarray, seed: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
    from embo import InformationBottleneck

    np.random.seed(seed)  # noqa: NPY002, the peer draws from the global generator
    joint = counts / counts.sum()
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    curve = []
    for beta in betas:
        found = InformationBottleneck.beta_iter(1, beta * np.log(2), px, py, joint.T / px, px.size, 3, 1000, rtol=1e-5)
        curve.append(found[:2])
    rate, information = np.array(curve).T
    return rate, information
