"""embo at its default restarts, iterations and tolerance; without its pool of processes, which costs more."""

import numpy as np

requires = ["embo"]


def solve(counts: np.ndarray, betas: np.ndarray, seed: int, threads: int) -> tuple[np.ndarray, np.ndarray]:
    from embo import InformationBottleneck

    np.random.seed(seed)  # noqa: NPY002, the peer draws from the global generator
    joint = counts / counts.sum()
    px, py = joint.sum(axis=1), joint.sum(axis=0)
    curve = []
    for beta in betas:
        # it takes exp of minus beta times a divergence in bits, so that its beta is ours times log 2
        found = InformationBottleneck.beta_iter(1, beta * np.log(2), px, py, joint.T / px, px.size, 3, 100)
        curve.append(found[:2])
    rate, information = np.array(curve).T
    return rate, information
