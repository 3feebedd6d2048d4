"""The information bottleneck at one beta: a code X̂ that says as much about Y as its rate pays for.

    min over q(c|x) of  I(X;X̂) - beta I(X̂;Y)

    q(c|x) = q(c) exp(-beta KL(p(y|x) ‖ p(y|c))) / Z(x)
    q(c) = Σ_x p(x) q(c|x),   p(y|c) = Σ_x p(x) q(c|x) p(y|x) / q(c)

Each of the three lowers F = -Σ_x p(x) log Z(x), and at their fixed point F = I(X;X̂) + beta (I(X;Y) - I(X̂;Y)).
Reference: Tishby, Pereira & Bialek, The information bottleneck method, Allerton 1999.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from unmix.information.distribution import Table
from unmix.information.entropy import nats
from unmix.information.likelihood import expected_log_likelihood
from unmix.information.mutual_information import nats_shared
from unmix.information.objects import Objects, laws


class Code(NamedTuple):
    """k clusters: their masses q(c) and their laws p(y|c), and what they tell, in nats."""

    mass: np.ndarray  # (k,)
    distributions: np.ndarray  # (k, d)
    rate: float = 0.0  # I(X;X̂)
    information: float = 0.0  # I(X̂;Y)
    n_iter: int = 0

    def lagrangian(self, beta: float) -> float:
        """I(X;X̂) - beta I(X̂;Y)"""
        return self.rate - beta * self.information


def encode(rows: Table, code: Code, beta: float) -> tuple[np.ndarray, np.ndarray]:
    """q(c|x) (n, k), and the logarithm of its normalization apart from the factor exp(beta H(Y|x))."""
    logits = expected_log_likelihood(rows, code.distributions)
    logits *= beta
    logits += np.log(np.maximum(code.mass, np.finfo(float).tiny))
    top = logits.max(axis=1, keepdims=True)
    logits -= top
    q = np.exp(logits, out=logits)
    total = q.sum(axis=1, keepdims=True)
    q /= total
    return q, (np.log(total) + top)[:, 0]


def relax(objects: Objects, code: Code, beta: float, *, tol: float, max_iter: int) -> Code:
    """Repeat the three equations until F falls by no more than ``tol`` nats in an iteration."""
    free_energy = np.inf
    for iteration in range(1, max_iter + 1):
        q, log_z = encode(objects.rows, code, beta)
        before, free_energy = free_energy, -float(objects.mass @ log_z)
        code = decode(objects, q, code)._replace(n_iter=iteration)
        if before - free_energy <= tol:
            break
    return measured(objects, q, code)


def decode(objects: Objects, q: np.ndarray, before: Code) -> Code:
    """q(c) and p(y|c) of an encoder; a cluster that has lost everything keeps its law."""
    q = q * objects.mass[:, None]
    mass = q.sum(axis=0)
    sums = np.asarray(objects.rows.T @ q).T
    distributions = np.where(mass[:, None] > 0, sums / np.where(mass > 0, mass, 1.0)[:, None], before.distributions)
    return Code(mass, distributions)


def measured(objects: Objects, q: np.ndarray, code: Code) -> Code:
    """The code with its rate and its information; ``code`` is what ``q`` decodes to."""
    rate = nats_shared(q * objects.mass[:, None])
    return code._replace(rate=rate, information=nats_shared(code.mass[:, None] * code.distributions))


def hard_code(sums: np.ndarray) -> Code:
    """The code of clusters given by their joint law with Y (k, d); an empty one has the law of all."""
    mass = sums.sum(axis=1)
    marginal = sums.sum(axis=0)
    laws = np.where(mass[:, None] > 0, sums / np.where(mass > 0, mass, 1.0)[:, None], marginal)
    return Code(mass, laws, nats(mass), nats_shared(sums))


def encode_rows(block: Any, rows: None, code: Code, beta: float, least: float) -> np.ndarray:
    """q(c|x) of rows of counts in the precision of the block; infinite beta gives 1 to the nearest cluster by KL.

    No chance is below ``least``, so that a feature a cluster has not shown yet does not shut it out.
    """
    table, _ = laws(block)
    code = code._replace(distributions=np.maximum(code.distributions, least))
    if np.isfinite(beta):
        return encode(table, code, beta)[0].astype(block.dtype)
    nearest = expected_log_likelihood(table, code.distributions).argmax(axis=1)
    return np.eye(len(code.mass), dtype=block.dtype)[nearest]
