"""Sparse coding: each row as a combination of few atoms of a given dictionary."""

from __future__ import annotations

from numbers import Real
from typing import NamedTuple

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_array, check_is_fitted

from unmix.factors.bases.cosine import dct_basis, overcomplete_dct
from unmix.factors.bases.fourier import fourier_basis
from unmix.factors.sparse.coding import encode
from unmix.shell.estimator import Estimator
from unmix.shell.parameters import whole_number
from unmix.shell.progress import with_callbacks

METHODS = ("omp", "mp", "lasso")
NAMED = {
    "dct": dct_basis,
    "overcomplete_dct": lambda d: overcomplete_dct(2 * d, d),
    "fourier": fourier_basis,
}


class SparseCoder(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):
    """Codes with few non-zeros in a fixed dictionary: ``X ≈ Z U``, atoms are the rows of U.

    Objective, for every row: ``min ‖x - z U‖²`` with at most `n_nonzero` non-zeros in z ("omp", "mp"), the fewest
    non-zeros with ``‖x - z U‖ ≤ tol``, or ``min ½ ‖x - z U‖² + alpha Σ|z|`` ("lasso").

    Algorithm: the first two are hard in general, and pursuit is greedy: it takes the atom most like the residual and
    either refits all taken so far ("omp", orthogonal matching pursuit) or subtracts the new one's share ("mp"). If a
    code with fewer than `recovery_bound(U)` non-zeros exists, both find its atoms. The lasso is convex and solved to
    rounding by steps on active sets. Everything runs on inner products: for n rows, k atoms and s non-zeros the cost is
    n k d + n k s² / 2, compiled, over all threads.

    Parameters
    ----------
    dictionary : (k, d) array or {"dct", "overcomplete_dct", "fourier"}, default="dct"
        Atoms as rows, of any length (zero and repeated ones do no harm), or the name of a dictionary for as many
        columns as the data have; "overcomplete_dct" has 2 d atoms.
    method : {"omp", "mp", "lasso"}, default="omp"
    n_nonzero : int, optional
        Most non-zeros of a code. By default a tenth of the columns, with `tol` as many as it takes. Not for "lasso".
    tol : float, optional
        Stop when ``‖x - z U‖ ≤ tol``; where a row has NaN, at the same mean square of an entry. Not for "lasso".
    alpha : float, default=1.0
        The price of the lasso. Not for pursuit.
    output : {"dense", "sparse"}, default="dense"
        What `transform` returns: an array, or a CSR array of the non-zeros.

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        The dictionary, as given, in the precision of the data.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    Notes
    -----
    "omp" takes NaN as entries that were not observed: such a row is coded by the observed part of the atoms, each
    compared at the length that part has. ``inverse_transform`` then fills the gaps.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import SparseCoder, dct_basis
    >>> U = np.vstack([np.eye(16), dct_basis(16)])
    >>> x = 3 * U[2] - 2 * U[20]
    >>> coder = SparseCoder(U, n_nonzero=2).fit([x])
    >>> code = coder.transform([x])
    >>> np.flatnonzero(code), code[code != 0].round(3)
    (array([ 2, 20]), array([ 3., -2.]))
    >>> bool(np.allclose(coder.inverse_transform(code), x))
    True

    References
    ----------
    Mallat & Zhang, Matching pursuits with time-frequency dictionaries, IEEE Trans. Signal Processing 41, 1993.
    Pati, Rezaiifar & Krishnaprasad, Orthogonal matching pursuit, Asilomar 1993. Rubinstein, Zibulevsky & Elad,
    Efficient implementation of the K-SVD algorithm using batch orthogonal matching pursuit, 2008. Tropp, Greed is good,
    IEEE Trans. Information Theory 50, 2004.
    """

    def __init__(self, dictionary="dct", *, method="omp", n_nonzero=None, tol=None, alpha=1.0, output="dense"):
        self.dictionary = dictionary
        self.method = method
        self.n_nonzero = n_nonzero
        self.tol = tol
        self.alpha = alpha
        self.output = output

    @with_callbacks
    def fit(self, X, y=None):
        """Check the parameters against the columns of X; nothing is learned."""
        check_coding(self.method, self.n_nonzero, self.tol, self.alpha, self.output)
        blocks = self._rows(X, reset=True)
        if not blocks.reduce(count_observed).total:
            raise ValueError("Input X has no observed value: every entry is NaN")
        self.components_ = self._atoms(blocks.shape[1]).astype(blocks.dtype)
        return self

    def transform(self, X):
        """Codes Z (n, k) of the rows of X."""
        check_is_fitted(self)
        rows = self._rows(X, reset=False)
        return encode(
            rows,
            self.components_,
            self.method,
            n_nonzero=self.n_nonzero,
            tol=self.tol,
            alpha=self.alpha,
            gaps=self.method == "omp" and not rows.sparse,
            sparse=self.output == "sparse",
        )

    def inverse_transform(self, X):
        """``Z U``: rows from their codes, dense or CSR."""
        check_is_fitted(self)
        return decode(X, self.components_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.method == "omp"
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags

    @property
    def _n_features_out(self):
        return len(self.components_)

    def _rows(self, X, reset):
        return self._blocks(X, reset=reset, allow_nan=self.method == "omp" and not hasattr(X, "tocsr"))

    def _atoms(self, d):
        if isinstance(self.dictionary, str):
            if self.dictionary not in NAMED:
                names = ", ".join(map(repr, NAMED))
                raise ValueError(
                    f"dictionary={self.dictionary!r} is not known; give an array of atoms or one of {names}"
                )
            return NAMED[self.dictionary](d)
        atoms = check_array(self.dictionary, dtype=np.float64, input_name="dictionary")
        if atoms.shape[1] != d:
            raise ValueError(
                f"dictionary has atoms of length {atoms.shape[1]}, but X has {d} features; they must agree"
            )
        return atoms


class Count(NamedTuple):
    total: int


def count_observed(block, rows) -> Count:
    return Count(block.shape[0] if hasattr(block, "tocsr") else int(block.size - np.isnan(block).sum()))


def check_coding(method, n_nonzero, tol, alpha, output="dense") -> None:
    """Refuse what cannot be a way to code, by the name of the parameter."""
    if method not in METHODS:
        raise ValueError(f"method={method!r} is not known; choose {', '.join(map(repr, METHODS))}")
    if n_nonzero is not None:
        whole_number("n_nonzero", n_nonzero, 1, ", or None")
    if tol is not None and not (isinstance(tol, Real) and 0 <= tol < np.inf):
        raise ValueError(f"tol={tol!r}: give the largest norm of a residual, a number from 0 up, or None")
    if not (isinstance(alpha, Real) and 0 < alpha < np.inf):
        raise ValueError(f"alpha={alpha!r}: give a number above 0; without a price, use method='omp'")
    if output not in ("dense", "sparse"):
        raise ValueError(f"output={output!r}: choose 'dense' or 'sparse'")


def decode(codes, components):
    """``Z U`` for codes given as an array, a table or CSR."""
    codes = check_array(codes, dtype=[np.float64, np.float32], accept_sparse="csr")
    if codes.shape[1] != len(components):
        raise ValueError(f"codes have {codes.shape[1]} columns, expected {len(components)}: one an atom")
    return codes @ components.astype(codes.dtype)
