"""Dictionary learning: atoms in which every row is a combination of few."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array

from unmix.algorithms.dictionary.ksvd import Problem, ksvd, rounding_of
from unmix.algorithms.dictionary.priced import (
    PricedProblem,
    in_energy_order,
    leading_directions,
    learn_priced,
    positive_parts,
)
from unmix.algorithms.dictionary.start import STARTS, start_atoms
from unmix.algorithms.sparse_codes.dictionary import prepare
from unmix.algorithms.sparse_codes.encode import rule_for
from unmix.algorithms.sparse_codes.range import in_unit, safe_unit
from unmix.core.arguments import one_of, whole_number, zero_or_more
from unmix.core.iteration.loop import costs_in
from unmix.decomposition.shared.in_dictionary import InDictionary, check_coding, check_flag
from unmix.io.dispatch import as_blocks
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.progress import with_callbacks

FIT_ALGORITHMS = ("lars", "cd", "ksvd")
UPDATES = ("approximate", "exact")
LEAST_TOL = 1e-4  # of K-SVD, whose error jumps with every swap


class DictionaryLearning(InDictionary):
    """Dictionary learning: atoms in which every row is a combination of few.

    Objective: minimise ``½ Σ_i w_i ‖x_i - z_i U‖² + alpha Σ_i w_i Σ_k |z_ik|`` over codes Z and atoms ``u_k`` of length
    one, the rows of U ("lars", "cd"); or ``Σ_i w_i ‖x_i - z_i U‖²`` over codes with at most s non-zeros each ("ksvd").
    There may be more atoms than columns.

    Algorithm: at a price, codes by the lasso, exactly, and atoms to their minimum one after the other, in turns, so
    that the objective never rises; atoms that no code uses go where residuals are largest. K-SVD codes all rows by
    orthogonal matching pursuit, refits one atom after the other together with its coefficients to the rank-1 fit of
    what the other atoms leave of its rows, and exchanges atoms that are hardly missed for directions that the residuals
    lack; the dictionary with the least error is kept. An iteration costs n k d + n k s² / 2 for coding and a few n s d
    for the rest (n k² for codes at a price); rows are held in memory.

    Parameters
    ----------
    n_components : int, optional
        The number of atoms, k; by default as many as columns.
    alpha : float, default=1
        The price of a code, for "lars" and "cd".
    max_iter : int, default=1000
        Most rounds of coding and refitting.
    tol : float, default=1e-8
        Stop when the objective falls by less than this share of it in a round; K-SVD, when the squared error has not
        fallen by this share, 1e-4 at least, in five rounds. 0 makes `max_iter` rounds of K-SVD.
    fit_algorithm : {"lars", "cd", "ksvd"}, default="lars"
        How codes are found in `fit`. "lars" and "cd" are two names of one problem, which has one answer.
    transform_algorithm : {"omp", "mp", "lasso_lars", "lasso_cd", "lars", "threshold"}, default="omp"
        How `transform` finds codes, see `SparseCoder`.
    transform_n_nonzero_coefs : int, optional
        Most non-zeros of a code, s, of `transform` and of K-SVD. By default a tenth of the columns, with
        `transform_tol` as many as it takes.
    transform_alpha : float, optional
        The price in `transform`; by default `alpha`.
    transform_tol : float, optional
        Stop a pursuit when ``‖x - z U‖ ≤ transform_tol``: for signals with noise of known size. What falls in K-SVD is
        then the number of non-zeros (plus the error in units of transform_tol²); in the first rounds, where atoms are
        bad, codes are kept short.
    transform_relative_tol : float, optional
        Stop a pursuit when ``‖x - z U‖ ≤ transform_relative_tol ‖x‖``, in the place of `transform_tol`: where the noise
        grows with the signal, or rows come in different units.
    n_jobs : int, optional
        Taken and not used: threads are those of `unmix.execution`.
    code_init : (n, k) array, optional
        Taken and not used: codes are exact wherever they start.
    dict_init : (k, d) array or {"svd", "samples", "random", "dct"}, optional
        The first atoms: given ones, the leading right singular vectors, different rows drawn at random, random
        directions, or cosines (`overcomplete_dct`). By default "svd", for K-SVD "samples".
    callback : callable, optional
        Called after every fifth round of "lars" and "cd" with a dict of "ii", "code", "dictionary" and
        "current_cost".
    verbose : bool, default=False
        Taken and not used: nothing is printed. See `unmix.execution` for ways to watch a fit.
    split_sign : bool, default=False
        Codes of 2 k columns: positive parts, then negative parts.
    random_state : int, RandomState or None, default=None
        Decides the start and every draw; an integer gives the same atoms again.
    positive_code, positive_dict : bool, default=False
        Codes, or atoms, from 0 up; not for "ksvd".
    transform_max_iter : int, default=1000
        Most steps of the lasso on the active set of one row.
    update : {"approximate", "exact"}, default="approximate"
        K-SVD: refit an atom by power steps from where it is, three sweeps over all atoms, or to the singular vector
        itself. The first is faster and as good, since the next coding changes the fit anyway. With NaN it is always the
        first.
    swaps : bool, default=True
        K-SVD: exchange atoms. Without, it stays in the local minimum its start leads to.
    missing : {"error", "ignore"}, default="error"
        Refuse NaN, or take them for entries that were not observed (K-SVD, with a pursuit or the lasso for codes).

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        Atoms of length one, by falling energy of their coefficients; the largest entry of each is positive, unless
        codes have to be. Given atoms keep their places, but in K-SVD.
    error_ : list of float
        The objective after each round; of K-SVD the squared error.
    reconstruction_err_ : float
        ``√(Σ_i w_i ‖x_i - z_i U‖²)`` over the observed entries.
    n_iter_ : int
    trace_ : list of dict
        The objective (of K-SVD the squared error) and the non-zeros of each round, and the number of swaps.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    Notes
    -----
    Nothing is centred: subtract means first where they are of no interest (of each patch of an image, say). With
    ``fit_algorithm="ksvd"`` and ``missing="ignore"`` NaN are entries that were not observed: codes and atoms are fitted
    to the others, and ``inverse_transform`` of the codes fills the gaps.

    References
    ----------
    Mairal, Bach, Ponce & Sapiro, Online learning for matrix factorization and sparse coding, JMLR 11, 2010.
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
    >>> model = DictionaryLearning(12, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, random_state=0).fit(X)
    >>> bool(model.reconstruction_err_ < 0.2 * np.linalg.norm(X))
    True
    >>> int((model.transform(X) != 0).sum(axis=1).max())
    2
    >>> priced = DictionaryLearning(12, alpha=0.1, transform_algorithm="lasso_lars").fit(X)
    >>> bool((np.diff(priced.error_) <= 1e-9).all())
    True
    """

    __metadata_request__fit = NOT_ROUTED

    def __init__(
        self,
        n_components=None,
        *,
        alpha=1,
        max_iter=1000,
        tol=1e-8,
        fit_algorithm="lars",
        transform_algorithm="omp",
        transform_n_nonzero_coefs=None,
        transform_alpha=None,
        transform_tol=None,
        transform_relative_tol=None,
        n_jobs=None,
        code_init=None,
        dict_init=None,
        callback=None,
        verbose=False,
        split_sign=False,
        random_state=None,
        positive_code=False,
        positive_dict=False,
        transform_max_iter=1000,
        update="approximate",
        swaps=True,
        missing="error",
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.fit_algorithm = fit_algorithm
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.transform_tol = transform_tol
        self.transform_relative_tol = transform_relative_tol
        self.n_jobs = n_jobs
        self.code_init = code_init
        self.dict_init = dict_init
        self.callback = callback
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter
        self.update = update
        self.swaps = swaps
        self.missing = missing

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Learn atoms from the rows of X, which may be weighted (weight 2 is the row twice)."""
        self._check_parameters()
        blocks, weights = self._counted(sample_weight, self._signals(X, reset=True))
        k, seed = self.n_components or blocks.shape[1], self._seed()
        check_code_init(self.code_init, k)
        unit = safe_unit(blocks)
        with self._fitting(blocks, seed, weights), costs_in(1 / unit / unit):
            learn = self._by_ksvd if self.fit_algorithm == "ksvd" else self._at_a_price
            self.components_, self.n_iter_, error = learn(blocks, weights, k, seed, unit)
        scale = unit if self.fit_algorithm == "ksvd" else 1.0
        self.error_ = [row["error" if "error" in row else "objective"] / scale / scale for row in self.trace_]
        self.reconstruction_err_ = float(np.sqrt(error)) / unit
        return self

    def _at_a_price(self, blocks, weights, k, seed, unit):
        rows, blocks = in_memory(blocks, unit)
        start = first_atoms(self.dict_init, blocks, k, weights, seed, positive=self.positive_dict)
        price = self._price(self.alpha)._replace(alpha=float(self.alpha) * unit)
        stops = self.max_iter, float(self.tol), self.callback
        found = learn_priced(PricedProblem(blocks, rows, weights, price, bool(self.positive_dict), *stops), start)
        given = is_given(self.dict_init)
        atoms = found.atoms if given else in_energy_order(found, bool(self.positive_code))
        return atoms, found.iteration, found.error

    def _by_ksvd(self, blocks, weights, k, seed, unit):
        start = first_atoms("samples" if self.dict_init is None else self.dict_init, blocks, k, weights, seed)
        found = ksvd(self._problem(blocks, weights, k, seed, unit), start)
        return found.atoms, found.iterations, found.error

    def _problem(self, blocks, weights, k, seed, unit):
        rows, blocks = in_memory(blocks, unit)
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
            max(float(self.tol), LEAST_TOL) if self.tol else 0.0,
            seed,
        )

    def _takes_gaps(self) -> bool:
        return self.fit_algorithm == "ksvd" and super()._takes_gaps()

    def _check_parameters(self) -> None:
        check_learning(self, FIT_ALGORITHMS)
        whole_number("max_iter", self.max_iter, 1 if self.fit_algorithm == "ksvd" else 0)
        one_of("update", self.update, UPDATES)


def in_memory(blocks, unit):
    """All rows as one dense array, times a unit, and in blocks."""
    rows = blocks.gather()
    if hasattr(rows, "toarray") or unit != 1.0:
        rows = in_unit(rows.toarray() if hasattr(rows, "toarray") else rows, unit)
        return rows, as_blocks(rows)
    return np.asarray(rows), blocks


def check_learning(model, algorithms) -> None:
    """What both ways to learn atoms have in common."""
    check_coding(model)
    one_of("fit_algorithm", model.fit_algorithm, algorithms)
    if model.n_components is not None:
        whole_number("n_components", model.n_components, 1, ", or None for as many as columns")
    zero_or_more("tol", model.tol)
    check_flag("positive_dict", model.positive_dict)
    if (model.positive_code or model.positive_dict) and model.fit_algorithm not in ("lars", "cd"):
        name = "positive_code" if model.positive_code else "positive_dict"
        raise ValueError(f"{name}=True needs fit_algorithm='lars' or 'cd', not {model.fit_algorithm!r}")
    if model.callback is not None and not callable(model.callback):
        raise ValueError(f"callback={model.callback!r}: give a function of one argument, or None")
    if isinstance(model.dict_init, str):
        one_of("dict_init", model.dict_init, ("svd", *STARTS), "an array of atoms")


def check_code_init(code_init, k) -> None:
    if code_init is not None and (np.ndim(code_init) != 2 or np.shape(code_init)[1] != k):
        raise ValueError(f"code_init has shape {np.shape(code_init)}; give one row a signal and {k} columns, or None")


def is_given(dict_init) -> bool:
    return dict_init is not None and not isinstance(dict_init, str)


def first_atoms(init, blocks, k, weights, seed, anywhere=False, positive=False) -> np.ndarray:
    """Atoms of length one from a name or from an array."""
    if is_given(init):
        atoms = prepare(given_atoms(init, k, blocks.shape[1]), blocks.dtype).atoms.copy()
    elif init is None or init == "svd":
        others = start_atoms(blocks, k, weights, "samples", seed, anywhere=anywhere)
        rows = blocks.gather()
        atoms = leading_directions(rows.toarray() if hasattr(rows, "toarray") else rows, weights, others)
    else:
        atoms = start_atoms(blocks, k, weights, init, seed, anywhere=anywhere)
    return positive_parts(atoms) if positive else atoms


def given_atoms(init, k, d) -> np.ndarray:
    atoms = check_array(init, dtype=np.float64, input_name="dict_init")
    if atoms.shape != (k, d):
        raise ValueError(f"dict_init has shape {atoms.shape}; for {k} atoms of {d} columns give that shape")
    return atoms
