"""Joint diagonalization against brute-force minimisation, exact cases and invariances."""

import numpy as np
import pytest
from scipy.optimize import minimize

from unmix.separation import joint_diagonalize


def family(d, m, noise, seed):
    """m matrices A diag A', a little disturbed, the first positive definite."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d)) + 2 * np.eye(d)
    matrices = np.einsum("ia,ma,ja->mij", A, rng.normal(size=(m, d)), A)
    matrices[0] = A @ A.T
    E = noise * rng.normal(size=(m, d, d))
    return matrices + E + E.transpose(0, 2, 1), A


def off(W, matrices, constraint, weights):
    """The objective by its definition, rows brought to unit length in the constraint."""
    W = W / np.sqrt(np.einsum("ia,ab,ib->i", W, constraint, W))[:, None]
    turned = np.array([W @ C @ W.T for C in matrices])
    turned[:, range(len(W)), range(len(W))] = 0
    return float((weights * np.square(turned).sum((1, 2))).sum())


@pytest.mark.parametrize("method", ["ffdiag", "qdiag"])
@pytest.mark.parametrize("d, seed", [(2, 0), (2, 1), (3, 2), (3, 3)])
def test_it_is_the_minimum_that_brute_force_finds(method, d, seed):
    matrices, A = family(d, 6, 0.1, seed)
    weights = np.random.default_rng(seed).uniform(0.5, 2, 6)
    rng = np.random.default_rng(9)
    found = joint_diagonalize(matrices, method, weights=weights, constraint=matrices[0], tol=1e-12, max_iter=20000)
    assert found.converged
    starts = [np.linalg.inv(A), *rng.normal(size=(5, d, d))]

    def objective(flat):
        return off(flat.reshape(d, d), matrices, matrices[0], weights)

    costs = []
    for start in starts:
        end = minimize(objective, start.ravel(), method="BFGS", options={"gtol": 1e-8, "maxiter": 400})
        W = end.x.reshape(d, d)
        # two rows that are the same are no solution, small as their off-diagonal entries may be
        if abs(np.linalg.det(W / np.linalg.norm(W, axis=1)[:, None])) > 1e-3:
            costs.append(end.fun)
    reached = off(found.transform, matrices, matrices[0], weights)
    assert reached <= min(costs) * (1 + 1e-6)
    assert reached == pytest.approx(found.cost, rel=1e-6)
    np.testing.assert_allclose(np.einsum("ia,ab,ib->i", found.transform, matrices[0], found.transform), 1, rtol=1e-9)


@pytest.mark.parametrize("method", ["ffdiag", "qdiag", "jacobi"])
def test_matrices_with_a_common_form_are_diagonalised_exactly(method):
    matrices, A = family(6, 9, 0.0, 4)
    found = joint_diagonalize(matrices, method)
    product = np.abs(found.transform @ A)
    rest = np.sort(product / product.max(1, keepdims=True), axis=1)[:, :-1]
    assert rest.max() < 1e-6 and found.cost < 1e-10
    np.testing.assert_allclose(
        found.diagonals[3], np.diag(found.transform @ matrices[3] @ found.transform.T), atol=1e-9
    )


def test_rotations_are_the_best_rotation():
    rng = np.random.default_rng(0)
    matrices = rng.normal(size=(4, 2, 2))
    matrices = matrices + matrices.transpose(0, 2, 1)
    found = joint_diagonalize(matrices, "jacobi", constraint=np.eye(2))
    angles = np.linspace(0, np.pi / 2, 20001)
    turns = np.array([[np.cos(angles), np.sin(angles)], [-np.sin(angles), np.cos(angles)]])
    entries = np.einsum("at,mab,bt->mt", turns[0], matrices, turns[1])
    assert found.cost == pytest.approx(2 * np.square(entries).sum(0).min(), rel=1e-6)
    np.testing.assert_allclose(found.transform @ found.transform.T, np.eye(2), atol=1e-12)


@pytest.mark.parametrize("method", ["ffdiag", "qdiag", "jacobi"])
def test_other_coordinates_give_the_same_answer(method):
    """Equivariance: of B C B' the transform is that of C times the inverse of B."""
    matrices, _ = family(4, 8, 0.05, 5)
    B = np.random.default_rng(6).normal(size=(4, 4)) + 2 * np.eye(4)
    plain = joint_diagonalize(matrices, method, constraint=matrices[0], tol=1e-13, max_iter=5000)
    mixed = joint_diagonalize(B @ matrices @ B.T, method, constraint=B @ matrices[0] @ B.T, tol=1e-13, max_iter=5000)
    np.testing.assert_allclose(np.abs(mixed.transform @ B), np.abs(plain.transform), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_size_of_the_matrices_does_not_matter(scale):
    matrices, _ = family(3, 5, 0.05, 7)
    found, scaled = joint_diagonalize(matrices), joint_diagonalize(scale * matrices)
    np.testing.assert_allclose(scaled.transform * np.sqrt(scale), found.transform, rtol=1e-6)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({"matrices": np.eye(3)}, "shape"),
        ({"matrices": [np.full((2, 2), np.nan)]}, "NaN"),
        ({"matrices": [np.eye(2)], "method": "power"}, "method='power'"),
        ({"matrices": [np.eye(2)], "weights": [-1.0]}, "weights"),
        ({"matrices": [np.ones((2, 2))]}, "positive definite"),
    ],
)
def test_what_cannot_be_is_said(arguments, message):
    with pytest.raises(ValueError, match=message):
        joint_diagonalize(**arguments)


def test_the_likelihood_of_gaussian_pieces_is_at_its_maximum():
    rng = np.random.default_rng(8)
    A = rng.normal(size=(3, 3))
    pieces = [(rng.normal(size=(200, 3)) * rng.uniform(0.3, 2, 3)) @ A.T for _ in range(5)]
    matrices, weights = np.array([piece.T @ piece / 200 for piece in pieces]), rng.uniform(0.5, 2, 5)

    def loss(W):
        turned = W @ matrices @ W.T
        each = np.log(np.diagonal(turned, axis1=1, axis2=2)).sum(1) - np.linalg.slogdet(turned)[1]
        return 0.5 * weights @ each / weights.sum()

    found = joint_diagonalize(matrices, "likelihood", weights=weights, tol=1e-10)
    assert found.converged
    best = min(
        minimize(lambda flat: loss(flat.reshape(3, 3)), start.ravel(), method="BFGS", options={"gtol": 1e-9}).fun
        for start in (np.linalg.inv(A), *rng.normal(size=(5, 3, 3)))
    )
    assert loss(found.transform) == pytest.approx(best, rel=1e-6)
    with pytest.raises(ValueError, match=r"matrices\[1\] is not positive definite"):
        joint_diagonalize([np.eye(2), np.diag([1.0, -1.0])], "likelihood")
