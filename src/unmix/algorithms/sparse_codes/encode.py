"""Codes of all rows of a table in a dictionary, block by block."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import csr_array

from unmix.algorithms.sparse_codes.codes import to_csr, to_dense, trimmed
from unmix.algorithms.sparse_codes.dictionary import Dictionary, prepare
from unmix.algorithms.sparse_codes.lasso import Price, lasso_block, unnormalised
from unmix.algorithms.sparse_codes.masked import gappy_block
from unmix.algorithms.sparse_codes.matching_pursuit import mp_block
from unmix.algorithms.sparse_codes.orthogonal_matching_pursuit import Rule, omp_block
from unmix.algorithms.sparse_codes.patterns import gappy_lasso_block, gappy_mp_block
from unmix.core.blocks import RowBlocks

PURSUITS = {"omp": omp_block, "mp": mp_block}
GAPPY = {"omp": gappy_block, "mp": gappy_mp_block}


def rule_for(
    n_nonzero: int | None,
    tol: float | None,
    n_atoms: int,
    d: int,
    relative_tol: float | None = None,
    method: str = "omp",
) -> Rule:
    """A tenth of the columns where nothing is said, as many as it takes where only an error is.

    As many atoms as columns tell any row once coefficients are refitted; plain matching pursuit may take them all.
    """
    most = n_atoms if method == "mp" else min(n_atoms, d)
    if n_nonzero is None:
        n_nonzero = max(d // 10, 1) if tol is None and relative_tol is None else most
    error, share = tol or 0.0, relative_tol or 0.0
    return Rule(min(n_nonzero, most), error * error, share * share)


def pursue(X: RowBlocks, dictionary: Dictionary, rule: Rule, method: str = "omp", gaps: bool = False) -> np.ndarray:
    """Packed codes (see codes.py) by a pursuit; with `gaps`, NaN are entries that were not observed."""
    return X.map((GAPPY if gaps else PURSUITS)[method], dictionary, rule)


def encode(
    X: RowBlocks,
    atoms: np.ndarray,
    method: str = "omp",
    *,
    n_nonzero: int | None = None,
    tol: float | None = None,
    relative_tol: float | None = None,
    alpha: float = 1.0,
    price: Price | None = None,
    gaps: bool = False,
    sparse: bool = False,
) -> Any:
    """Z with X ≈ Z atoms: an ndarray, or CSR with ``sparse=True``; "lasso" and "threshold" have a price, or `alpha`."""
    k, d = atoms.shape
    if method in ("lasso", "threshold"):
        dense = X.map(*priced(method, np.ascontiguousarray(atoms, X.dtype), gaps), price or Price(alpha))
        return csr_array(dense) if sparse else dense
    rule = rule_for(n_nonzero, tol, k, d, relative_tol, method)
    codes = pursue(X, prepare(atoms, X.dtype), rule, method, gaps)
    return to_csr(trimmed(codes), k) if sparse else to_dense(codes, k)


def priced(method: str, atoms: np.ndarray, gaps: bool) -> tuple[Any, Any]:
    """What codes a block at a price, and the dictionary in the form it takes."""
    if method == "threshold":
        return threshold_block, atoms
    return (gappy_lasso_block if gaps else lasso_block), unnormalised(atoms)


def threshold_block(block: Any, rows: Any, atoms: np.ndarray, price: Price) -> np.ndarray:
    """z_k = sign(<x, u_k>) max(|<x, u_k>| - alpha, 0): one comparison; in an orthonormal basis this is the lasso."""
    shares = np.asarray(block @ atoms.T)
    codes = np.maximum(shares if price.positive else np.abs(shares), price.alpha) - shares.dtype.type(price.alpha)
    return codes if price.positive else np.copysign(codes, shares) + 0.0
