"""Tables whose number of clusters is known, by family.

null         one mode: Gaussian round and correlated, uniform, Student t (3 degrees), gamma, gamma mixed        K = 1
separated    Gaussian blobs, centres at least 7 standard deviations apart, equal and unequal sizes             K = 2 … 8
tibshirani   the five models of Tibshirani, Walther and Hastie (2001)
known        ../shared/data/modelorder beside the project: sets with a known number, up to 10
mixtures     random mixtures of other make than all of these: Gaussian, flat, heavy-tailed or skewed clusters, round or
             long, of unequal sizes, the nearest centres 3 to 7 standard deviations apart
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from unmix.datasets import blobs, gaussian, skewed, student_t, tibshirani, uniform

NULLS = {
    "Gaussian, round": lambda n, d, seed: gaussian(n, d, random_state=seed),
    "Gaussian, correlated": lambda n, d, seed: gaussian(n, d, correlated=True, random_state=seed),
    "uniform": lambda n, d, seed: uniform(n, d, random_state=seed),
    "Student t, 3": lambda n, d, seed: student_t(n, d, random_state=seed),
    "gamma(1)": lambda n, d, seed: skewed(n, d, random_state=seed),
    "gamma(2), mixed": lambda n, d, seed: skewed(n, d, shape=2.0, correlated=True, random_state=seed),
}
SHAPES = [(100, 2), (1000, 2), (300, 5), (100, 10), (1000, 10)]

Case = tuple[str, np.ndarray, int]


def null(repeats: int) -> Iterator[Case]:
    for name, draw in NULLS.items():
        for seed in range(repeats):
            n, d = SHAPES[seed % len(SHAPES)]
            yield f"null: {name}", draw(n, d, seed), 1


def separated(repeats: int) -> Iterator[Case]:
    for sizes in ("equal", "unequal"):
        for k in range(2, 9):
            for seed in range(repeats):
                n, d = SHAPES[seed % len(SHAPES)]
                X, _ = blobs(max(n, 20 * k), d, k, sizes=sizes, random_state=1000 * k + seed)
                yield f"separated, {sizes}", X, k


def published(repeats: int) -> Iterator[Case]:
    for model in range(1, 6):
        for seed in range(repeats):
            X, y = tibshirani(model, random_state=seed)
            yield f"Tibshirani et al., model {model}", X, int(y.max()) + 1


def known(repeats: int) -> Iterator[Case]:
    folder = Path(__file__).parents[2] / ".." / "shared" / "data" / "modelorder"
    if not folder.is_dir():
        print("known: skipped, ../shared/data/modelorder is not on this machine")
        return
    tables = np.load(folder / "known_k.npz")
    with open(folder / "known_k.csv") as file:
        for row in csv.DictReader(file):
            if int(row["K"]) <= 10:
                yield f"known: {row['kind']}", tables[f"{row['set']}__X"].astype(float), int(row["K"])


def mixtures(repeats: int) -> Iterator[Case]:
    for seed in range(4 * repeats):
        rng = np.random.default_rng(seed)
        kind = str(rng.choice(["Gaussian", "flat", "heavy-tailed", "skewed"], p=[0.55, 0.2, 0.15, 0.1]))
        X, k = random_mixture(rng, kind)
        yield f"mixtures: {kind}", X, k


def random_mixture(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, int]:
    k, d = int(rng.integers(2, 10)), int(rng.choice([2, 2, 2, 3, 5, 10]))
    n = max(int(rng.choice([150, 300, 600, 1500])), 25 * k)
    share = np.maximum(rng.dirichlet(np.full(k, rng.choice([3.0, 20.0, 1000.0]))), 15 / n)
    shapes = [random_shape(rng, d) for _ in range(k)]
    centers = scattered(rng, shapes, d, gap=rng.uniform(3.0, 7.0))
    label = rng.choice(k, n, p=share / share.sum())
    noise = {
        "Gaussian": lambda: rng.standard_normal((n, d)),
        "flat": lambda: rng.uniform(-np.sqrt(3), np.sqrt(3), (n, d)),
        "heavy-tailed": lambda: rng.standard_t(5, (n, d)) * np.sqrt(3 / 5),
        "skewed": lambda: (rng.gamma(3, size=(n, d)) - 3) / np.sqrt(3),
    }[kind]()
    rows = np.einsum("nij,nj->ni", np.array(shapes)[label], noise) + np.array(centers)[label]
    return rows, len(np.unique(label))


def random_shape(rng: np.random.Generator, d: int) -> np.ndarray:
    """Round or long, of one size or another."""
    size = np.exp(rng.uniform(-0.5, 0.5)) if rng.random() < 0.5 else 1.0
    if rng.random() < 0.5:
        return size * np.eye(d)
    axes, _ = np.linalg.qr(rng.standard_normal((d, d)))
    return size * axes * np.exp(rng.uniform(-0.8, 0.8, d))


def scattered(rng: np.random.Generator, shapes: list[np.ndarray], d: int, gap: float) -> list[np.ndarray]:
    """Centres in a box that grows until no two are nearer than `gap` mean standard deviations along their line."""
    centers: list[np.ndarray] = []
    box = 1.0
    while len(centers) < len(shapes):
        drawn = rng.uniform(-box, box, d)
        box *= 1.02
        if all(apart(drawn - other, shapes[len(centers)], shapes[j]) >= gap for j, other in enumerate(centers)):
            centers.append(drawn)
    return centers


def apart(line: np.ndarray, first: np.ndarray, second: np.ndarray) -> float:
    length = np.linalg.norm(line)
    spread = (np.linalg.norm(first.T @ line) + np.linalg.norm(second.T @ line)) / 2 / length
    return float(length / spread)


FAMILIES = {
    "null": null,
    "separated": separated,
    "tibshirani": published,
    "known": known,
    "mixtures": mixtures,
}
