"""Learning atoms: planted ones come back, complete or with gaps; idle and repeated ones are put to use."""

import numpy as np
import pytest

from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule
from unmix.images.learn import learn_atoms, replace_idle

pytestmark = pytest.mark.slow_without_jit


def planted(n=1500, k=24, d=16, seed=0):
    """Rows of two atoms each, and the atoms."""
    rng = np.random.default_rng(seed)
    atoms = rng.normal(size=(k, d))
    atoms /= np.linalg.norm(atoms, axis=1, keepdims=True)
    codes = np.zeros((n, k))
    for row in codes:
        row[rng.choice(k, 2, replace=False)] = rng.uniform(1, 2, 2) * rng.choice([-1, 1], 2)
    return (codes @ atoms).astype(np.float32), atoms.astype(np.float32)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_planted_atoms_come_back(share):
    rows, atoms = planted()
    rng = np.random.default_rng(1)
    rows[rng.random(rows.shape) < share] = np.nan
    start = rng.normal(size=atoms.shape).astype(np.float32)
    start /= np.linalg.norm(start, axis=1, keepdims=True)
    found = learn_atoms(rows, start, Rule(2, 0.05**2 * 16), 40)
    near = np.abs(found @ atoms.T).max(axis=0)
    assert (np.abs(start @ atoms.T).max(axis=0) > 0.97).sum() == 0
    assert (near > 0.97).mean() > 0.9


def test_idle_and_repeated_atoms_become_the_worst_residuals():
    atoms = np.eye(4, dtype=np.float32)[[0, 0, 1, 2]]
    residuals = np.array([[0, 0, 0, 3], [0, 0, 1, 0]], np.float32)
    out = replace_idle(atoms, residuals, np.array([9, 9, 0, 9]))
    assert np.array_equal(out, np.eye(4)[[0, 3, 2, 2]])
    assert np.array_equal(replace_idle(atoms, 0 * residuals, np.array([9, 9, 0, 9])), atoms)


def test_nothing_to_learn_from():
    atoms = np.eye(4, dtype=np.float32)
    assert learn_atoms(np.empty((0, 4), np.float32), atoms, Rule(2, 0.1), 5) is atoms
