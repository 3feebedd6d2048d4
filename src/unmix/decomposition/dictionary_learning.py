"""Dictionary learning: atoms in which every row is a combination of few."""

from __future__ import annotations

from numbers import Real

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.dictionary.ksvd import Problem, ksvd, rounding_of
from unmix.algorithms.dictionary.start import STARTS, start_atoms
from unmix.algorithms.sparse_codes.dictionary import prepare
from unmix.algorithms.sparse_codes.encode import rule_for
from unmix.algorithms.sparse_codes.range import in_unit, safe_unit
from unmix.core.arguments import whole_number
from unmix.decomposition.in_dictionary import Coding, InDictionary, check_coding
from unmix.io.dispatch import as_blocks
from unmix.shell.progress import with_callbacks

UPDATES = ("approximate", "exact")


class DictionaryLearning(InDictionary):
    """Dictionary learning by K-SVD with swaps: atoms for codes with few non-zeros.

    Objective: minimise ``Σ_i w_i ‖x_i - z_i U‖²`` over codes with at most s non-zeros each and atoms ``u_k`` of length
    one, the rows of U. There may be more atoms than columns.

    Algorithm: code all rows by orthogonal matching pursuit; refit one atom after the other together with its
    coefficients to the rank-1 fit of what the other atoms leave of its rows; exchange atoms that are hardly missed
    (unused and repeated ones are not missed at all) for directions that the residuals lack. The dictionary with the
    least error is kept. An iteration costs n k d + n k s² / 2 for coding and a few n s d for the rest; rows are held
    in memory.

    Parameters
    ----------
    n_components : int, optional
        The number of atoms, k; by default as many as columns.
    transform_n_nonzero_coefs : int, optional
        Most non-zeros of a code, s. By default a tenth of the columns, with `transform_tol` as many as it takes.
    transform_tol : float, optional
        Stop a code when ``‖x - z U‖ ≤ transform_tol``: for signals with noise of known size. What falls is then the
        number of non-zeros (plus the error in units of transform_tol²); in the first half of the rounds, where atoms
        are bad, codes are kept short.
    transform_relative_tol : float, optional
        Stop a code when ``‖x - z U‖ ≤ transform_relative_tol ‖x‖``, in the place of `transform_tol`: where the noise
        grows with the signal, or rows come in different units.
    max_iter : int, default=50
        Most rounds of coding and refitting.
    tol : float, default=1e-4
        Stop when the squared error has not fallen by this share in five rounds.
    init : {"samples", "random", "dct"} or (k, d) array, default="samples"
        The first atoms: different rows drawn at random, random directions, cosines (`overcomplete_dct`), or given ones.
    update : {"approximate", "exact"}, default="approximate"
        Refit an atom by power steps from where it is, three sweeps over all atoms, or to the singular vector itself.
        The first is faster and as good, since the next coding changes the fit anyway. With NaN it is always the first.
    swaps : bool, default=True
        Exchange atoms. Without, K-SVD stays in the local minimum its start leads to.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        Atoms of length one, by falling energy of their coefficients; the largest entry of each is positive.
    reconstruction_err_ : float
        ``√(Σ_i w_i ‖x_i - z_i U‖²)`` over the observed entries.
    n_iter_ : int
    trace_ : list of dict
        The squared error, the non-zeros and the number of swaps of each round.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    Notes
    -----
    Nothing is centred: subtract means first where they are of no interest (of each patch of an image, say). NaN are
    entries that were not observed: codes and atoms are fitted to the others, and ``inverse_transform`` of the codes
    fills the gaps.

    References
    ----------
    Aharon, Elad & Bruckstein, K-SVD: an algorithm for designing overcomplete dictionaries for sparse representation,
    IEEE Trans. Signal Processing 54, 2006. Rubinstein, Zibulevsky & Elad, Efficient implementation of the K-SVD
    algorithm using batch orthogonal matching pursuit, 2008.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import DictionaryLearning
    >>> rng = np.random.default_rng(0)
    >>> atoms = rng.normal(size=(12, 8))
    >>> X = np.vstack([rng.normal(size=2) @ atoms[rng.choice(12, 2, replace=False)] for _ in range(400)])
    >>> model = DictionaryLearning(12, transform_n_nonzero_coefs=2, random_state=0).fit(X)
    >>> bool(model.reconstruction_err_ < 0.2 * np.linalg.norm(X))
    True
    >>> int((model.transform(X) != 0).sum(axis=1).max())
    2
    """

    def __init__(
        self,
        n_components=None,
        *,
        transform_n_nonzero_coefs=None,
        transform_tol=None,
        transform_relative_tol=None,
        max_iter=50,
        tol=1e-4,
        init="samples",
        update="approximate",
        swaps=True,
        random_state=None,
    ):
        self.n_components = n_components
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_tol = transform_tol
        self.transform_relative_tol = transform_relative_tol
        self.max_iter = max_iter
        self.tol = tol
        self.init = init
        self.update = update
        self.swaps = swaps
        self.random_state = random_state

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Learn atoms from the rows of X, which may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks, weights = self._counted(sample_weight, self._signals(X, reset=True))
        k, seed = self.n_components or blocks.shape[1], self._seed()
        with self._fitting(blocks, seed, weights):
            start = first_atoms(self.init, blocks, k, weights, seed)
            unit = safe_unit(blocks)
            found = ksvd(self._problem(blocks, weights, k, seed, unit), start)
        self.components_, self.n_iter_ = found.atoms, found.iterations
        self.reconstruction_err_ = float(np.sqrt(found.error)) / unit
        return self

    def _problem(self, blocks, weights, k, seed, unit):
        rows = blocks.gather()
        if hasattr(rows, "toarray") or unit != 1.0:
            rows = in_unit(rows.toarray() if hasattr(rows, "toarray") else rows, unit)
            blocks = as_blocks(rows)
        stop = None if self.transform_tol is None else self.transform_tol * unit
        known = ~np.isnan(rows)
        return Problem(
            blocks,
            np.ascontiguousarray(rows),
            None if known.all() else known.astype(rows.dtype),
            np.ones(len(rows)) if weights is None else weights,
            rounding_of(rows),
            rule_for(self.transform_n_nonzero_coefs, stop, k, blocks.shape[1], self.transform_relative_tol),
            self.update == "exact",
            bool(self.swaps),
            self.max_iter,
            float(self.tol),
            seed,
        )

    def _coding(self):
        relative = self.transform_relative_tol
        return Coding("omp", self.transform_n_nonzero_coefs, self.transform_tol, relative_tol=relative)

    def _check_parameters(self) -> None:
        check_coding(self._coding(), "transform_")
        if self.n_components is not None:
            whole_number("n_components", self.n_components, 1, ", or None for as many as columns")
        whole_number("max_iter", self.max_iter, 1)
        if not (isinstance(self.tol, Real) and 0 <= self.tol < 1):
            raise ValueError(f"tol={self.tol!r}: give a share between 0 and 1")
        if self.update not in UPDATES:
            raise ValueError(f"update={self.update!r}: choose 'approximate' or 'exact'")
        check_init(self.init)


def check_init(init) -> None:
    if isinstance(init, str) and init not in STARTS:
        raise ValueError(f"init={init!r} is not known; choose {', '.join(map(repr, STARTS))} or give an array of atoms")


def first_atoms(init, blocks, k, weights, seed, anywhere=False) -> np.ndarray:
    """Atoms of length one from a name or from an array."""
    if isinstance(init, str):
        return start_atoms(blocks, k, weights, init, seed, anywhere=anywhere)
    atoms = check_array(init, dtype=np.float64, input_name="init")
    if atoms.shape != (k, blocks.shape[1]):
        raise ValueError(f"init has shape {atoms.shape}; for {k} atoms of {blocks.shape[1]} columns give that shape")
    return prepare(atoms, blocks.dtype).atoms.copy()
