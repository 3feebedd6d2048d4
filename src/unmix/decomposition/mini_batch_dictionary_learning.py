"""Online dictionary learning: atoms from rows that come a few at a time."""

from __future__ import annotations

import numpy as np

from unmix.algorithms.dictionary.online import (
    Coder,
    OnlineState,
    Passes,
    begin,
    change_unit,
    in_order,
    learn_batch,
    online_dictionary,
)
from unmix.algorithms.sparse_codes.encode import rule_for
from unmix.algorithms.sparse_codes.range import in_unit, safe_unit
from unmix.core.arguments import whole_number
from unmix.decomposition.dictionary_learning import check_learning, first_atoms, given_atoms, is_given
from unmix.decomposition.shared.in_dictionary import InDictionary, check_flag
from unmix.shell.estimator import NOT_ROUTED
from unmix.shell.progress import with_callbacks

FIT_ALGORITHMS = ("lars", "cd", "omp")


class MiniBatchDictionaryLearning(InDictionary):
    """Online dictionary learning: atoms for sparse codes, improved after every few rows.

    Objective: as `DictionaryLearning`, ``min Σ w (½ ‖x - z U‖² + alpha Σ|z|)`` ("lars", "cd"), or
    ``min Σ w ‖x - z U‖²`` with at most s non-zeros a code ("omp"); atoms have length one.

    Algorithm: code a batch with the present atoms, add its codes to the sums ``A = Σ w zᵀz`` and ``B = Σ w zᵀx``, in
    which older batches fade, and set one atom after the other to the minimum of the quadratic they describe. Atoms that
    are hardly used or much like another go to the worst residuals. Memory is k² + k d beside the batch; a batch of m
    rows costs m k d + m k s² / 2 + k² d.

    Parameters
    ----------
    n_components : int, optional
        The number of atoms, k; by default as many as columns.
    alpha : float, default=1
        The price of a code, for "lars" and "cd".
    max_iter : int, default=1000
        Most passes over the rows of `fit`.
    fit_algorithm : {"lars", "cd", "omp"}, default="lars"
        How batches are coded. "lars" and "cd" are two names of one problem, which has one answer.
    n_jobs : int, optional
        Taken and not used: threads are those of `unmix.execution`.
    batch_size : int, default=256
        Rows of a step.
    shuffle : bool, default=True
        Take the rows of `fit` in a new order in every pass, or always as they stand.
    dict_init : (k, d) array or {"samples", "svd", "random", "dct"}, optional
        The first atoms: given ones, rows of the (first) data, their leading right singular vectors (which takes all
        rows into memory), random directions, or cosines. By default "samples".
    transform_algorithm : {"omp", "mp", "lasso_lars", "lasso_cd", "lars", "threshold"}, default="omp"
        How `transform` finds codes, see `SparseCoder`.
    transform_n_nonzero_coefs : int, optional
        Most non-zeros of a code, s, of `transform` and of batches coded by "omp". By default a tenth of the columns,
        with `transform_tol` as many as it takes.
    transform_alpha : float, optional
        The price in `transform`; by default `alpha`.
    transform_tol : float, optional
        Stop a pursuit when ``‖x - z U‖ ≤ transform_tol``.
    transform_relative_tol : float, optional
        Stop a pursuit when ``‖x - z U‖ ≤ transform_relative_tol ‖x‖``, in the place of `transform_tol`.
    verbose : bool, default=False
        Taken and not used: nothing is printed. See `unmix.execution` for ways to watch a fit.
    split_sign : bool, default=False
        Codes of 2 k columns: positive parts, then negative parts.
    random_state : int, RandomState or None, default=None
        Decides the start and the order of the rows; an integer gives the same atoms again.
    positive_code, positive_dict : bool, default=False
        Codes, or atoms, from 0 up; not for "omp".
    transform_max_iter : int, default=1000
        Most steps of the lasso on the active set of one row.
    callback : callable, optional
        Called after every batch of `fit` with a dict of "step", "dictionary" and "batch_cost".
    tol : float, default=1e-3
        Stop when a batch changes the atoms by no more than this, in Frobenius' norm divided by k. 0 never does.
    max_no_improvement : int or None, default=10
        Stop after so many batches without a lower cost, which is smoothed over a pass. None never does. Neither counts
        in the first pass, or the first hundred batches.

    Attributes
    ----------
    components_ : (k, n_features_in_) array
        Atoms of length one; after `fit` by falling energy, the largest entry of each positive, unless codes have to be.
        Given atoms keep their places.
    code_products_, code_signals_ : (k, k) and (k, n_features_in_) arrays
        The sums A and B, of the rows times `unit_`.
    unit_ : float
        1, or for rows of extreme size the power of four that brings them where squares can be summed.
    n_iter_ : int
        Passes of `fit`.
    n_steps_ : int
        Batches seen.
    trace_ : list of dict
        The squared error of the codes of each pass (of rows times `unit_`), each batch coded with the atoms it found.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Set where the columns have names.

    References
    ----------
    Mairal, Bach, Ponce & Sapiro, Online learning for matrix factorization and sparse coding, JMLR 11, 2010.

    Examples
    --------
    >>> import numpy as np
    >>> from unmix.decomposition import MiniBatchDictionaryLearning
    >>> rng = np.random.default_rng(0)
    >>> atoms = rng.normal(size=(24, 16))
    >>> X = np.vstack([rng.normal(size=2) @ atoms[rng.choice(24, 2, replace=False)] for _ in range(2000)])
    >>> model = MiniBatchDictionaryLearning(
    ...     24, fit_algorithm="omp", transform_n_nonzero_coefs=2, max_iter=20, random_state=0
    ... ).fit(X)
    >>> left = X - model.inverse_transform(model.transform(X))
    >>> bool(np.linalg.norm(left) < 0.2 * np.linalg.norm(X))
    True
    """

    __metadata_request__fit = __metadata_request__partial_fit = NOT_ROUTED

    def __init__(
        self,
        n_components=None,
        *,
        alpha=1,
        max_iter=1000,
        fit_algorithm="lars",
        n_jobs=None,
        batch_size=256,
        shuffle=True,
        dict_init=None,
        transform_algorithm="omp",
        transform_n_nonzero_coefs=None,
        transform_alpha=None,
        transform_tol=None,
        transform_relative_tol=None,
        verbose=False,
        split_sign=False,
        random_state=None,
        positive_code=False,
        positive_dict=False,
        transform_max_iter=1000,
        callback=None,
        tol=1e-3,
        max_no_improvement=10,
    ):
        self.n_components = n_components
        self.alpha = alpha
        self.max_iter = max_iter
        self.fit_algorithm = fit_algorithm
        self.n_jobs = n_jobs
        self.batch_size = batch_size
        self.shuffle = shuffle
        self.dict_init = dict_init
        self.transform_algorithm = transform_algorithm
        self.transform_n_nonzero_coefs = transform_n_nonzero_coefs
        self.transform_alpha = transform_alpha
        self.transform_tol = transform_tol
        self.transform_relative_tol = transform_relative_tol
        self.verbose = verbose
        self.split_sign = split_sign
        self.random_state = random_state
        self.positive_code = positive_code
        self.positive_dict = positive_dict
        self.transform_max_iter = transform_max_iter
        self.callback = callback
        self.tol = tol
        self.max_no_improvement = max_no_improvement

    @with_callbacks
    def fit(self, X, y=None, sample_weight=None):
        """Learn atoms from the rows of X, in at most `max_iter` passes.

        A row of weight 2 counts as two in its batch; the two rows themselves may come in different batches.
        """
        self._check_parameters()
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=True))
        seed = self._seed()
        with self._fitting(blocks, seed, weights):
            self.unit_ = safe_unit(blocks)
            knowledge = self._begin(blocks, weights, seed)
            stops = float(self.tol), self.max_no_improvement, self.callback
            passes = Passes(self.batch_size, self.max_iter, bool(self.shuffle), *stops)
            coder = self._coder(knowledge.atoms)
            found = online_dictionary(blocks, knowledge, coder, passes, seed, weights, self.unit_)
        self.n_iter_ = found.iteration
        given = is_given(self.dict_init)
        return self._store(found.knowledge if given else in_order(found.knowledge, bool(self.positive_code)))

    def partial_fit(self, X, y=None, sample_weight=None):
        """Go on with the rows of X, in one pass and in their order; atoms keep their places."""
        self._check_parameters()
        fresh = not hasattr(self, "components_")
        blocks, weights = self._counted(sample_weight, self._blocks(X, reset=fresh))
        unit = safe_unit(blocks, 1.0 if fresh else self.unit_)
        knowledge = self._begin(blocks, weights, self._seed()) if fresh else self._knowledge(unit)
        self.unit_ = unit
        coder = self._coder(knowledge.atoms)
        for start in range(0, blocks.shape[0], self.batch_size):
            some = np.arange(start, min(start + self.batch_size, blocks.shape[0]))
            batch_weights = None if weights is None else weights[some]
            knowledge = learn_batch(in_unit(blocks.take(some), unit), knowledge, coder, batch_weights)[0]
        return self._store(knowledge)

    def _begin(self, blocks, weights, seed) -> OnlineState:
        k = self.n_components or blocks.shape[1]
        if is_given(self.dict_init) and self.max_iter == 0:  # to hand out what was given, as it was
            return begin(given_atoms(self.dict_init, k, blocks.shape[1]).astype(blocks.dtype))
        init = "samples" if self.dict_init is None else self.dict_init
        return begin(first_atoms(init, blocks, k, weights, seed, anywhere=True, positive=self.positive_dict))

    def _knowledge(self, unit) -> OnlineState:
        known = OnlineState(self.components_, self.code_products_, self.code_signals_, self.n_steps_)
        return known if unit == self.unit_ else change_unit(known, unit / self.unit_)

    def _coder(self, atoms) -> Coder:
        if self.fit_algorithm != "omp":
            price = self._price(self.alpha)
            return Coder(price._replace(alpha=price.alpha * self.unit_), bool(self.positive_dict))
        stop = None if self.transform_tol is None else self.transform_tol * self.unit_
        k, d = atoms.shape
        return Coder(rule_for(self.transform_n_nonzero_coefs, stop, k, d, self.transform_relative_tol))

    def _store(self, knowledge: OnlineState):
        self.components_, self.code_products_, self.code_signals_ = knowledge.atoms, knowledge.A, knowledge.B
        self.n_steps_ = knowledge.batches
        return self

    @property
    def _A(self):
        """`code_products_`, by its letter in the paper."""
        return self.code_products_

    @property
    def _B(self):
        """`code_signals_`, by its letter in the paper."""
        return self.code_signals_

    def _takes_gaps(self) -> bool:
        return False

    def _check_parameters(self) -> None:
        check_learning(self, FIT_ALGORITHMS)
        whole_number("max_iter", self.max_iter, 0)
        whole_number("batch_size", self.batch_size, 1)
        check_flag("shuffle", self.shuffle)
        if self.max_no_improvement is not None:
            whole_number("max_no_improvement", self.max_no_improvement, 0, ", or None")
