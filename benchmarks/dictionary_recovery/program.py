"""The experiment of Aharon, Elad & Bruckstein (2006): 50 atoms of length 20, 1500 signals of 3 of them, and noise.

An atom is found if a learned one has |cosine| > 0.99 with it; they report about 92 to 96 % for K-SVD.
"""

import argparse

import numpy as np

N, D, ATOMS, NONZERO = 1500, 20, 50, 3
DECIBELS = (10, 20, 30, np.inf)


def experiment(decibels: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Signals and the atoms they were made of."""
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(ATOMS, D))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    chosen = np.argsort(rng.random((N, ATOMS)), axis=1)[:, :NONZERO]
    X = np.einsum("ns,nsd->nd", rng.normal(size=(N, NONZERO)), atoms[chosen])
    noise = rng.normal(size=X.shape)
    return X + noise * (np.linalg.norm(X) / np.linalg.norm(noise)) * 10 ** (-decibels / 20), atoms


def models(seed: int) -> dict:
    from unmix.decomposition import DictionaryLearning, MiniBatchDictionaryLearning

    options = {"transform_n_nonzero_coefs": NONZERO, "random_state": seed, "max_iter": 80}
    online = {"fit_algorithm": "omp", "tol": 0, "max_no_improvement": None}
    return {
        "K-SVD with swaps": DictionaryLearning(ATOMS, fit_algorithm="ksvd", **options),
        "K-SVD with swaps, exact updates": DictionaryLearning(ATOMS, fit_algorithm="ksvd", update="exact", **options),
        "K-SVD without swaps": DictionaryLearning(ATOMS, fit_algorithm="ksvd", swaps=False, **options),
        "online": MiniBatchDictionaryLearning(ATOMS, **online, **options),
    }


def main(options: argparse.Namespace) -> None:
    print(f"\n# atoms found of {ATOMS}, each of {options.repeat} seeds")
    for name in models(0):
        for decibels in DECIBELS:
            found = []
            for seed in range(options.repeat):
                X, atoms = experiment(decibels, seed)
                learned = models(seed)[name].fit(X).components_
                found.append(int((np.abs(atoms @ learned.T).max(axis=1) > 0.99).sum()))
            print(f"{name:34}{decibels:>6} dB  {' '.join(map(str, found))}   mean {np.mean(found):.1f}", flush=True)
