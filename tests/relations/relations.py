"""Each relation as pairs of fits that must agree: the same table seen in two ways, or a table and one made from it."""

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.utils import get_tags
from sklearn.utils.validation import has_fit_parameter

import unmix
from tests.relations.answers import Asked, difference
from tests.relations.subjects import Subject

SAME_BITS = 0.0


class DoesNotApply(Exception):
    """Why a relation cannot be asked of an estimator, read off the estimator itself."""


@dataclass(frozen=True)
class Fit:
    """A table as one fit sees it, and the rows asked about afterwards."""

    model: Any
    data: Any
    weights: np.ndarray | None = None
    how: Callable[..., Any] = lambda model, data, **more: model.fit(data, **more)
    threads: int | None = None
    asked: Any = None  # rows asked about; else those at `places` of the table
    places: Any = field(default_factory=lambda: slice(None))
    keep: Any = field(default_factory=lambda: slice(None))  # which of the rows asked about are compared
    columns: Any = field(default_factory=lambda: slice(None))  # the columns of the table in the order of the other fit
    unit: float = 1.0
    shift: Any = 0.0  # what was added to each column
    log_shift: float = 0.0  # what a row more takes from every log density


class Finding(NamedTuple):
    """How far two fits are apart, question by question, and how far they may be."""

    what: str
    differences: dict[str, float]
    most: float

    @property
    def broken(self) -> dict[str, float]:
        return {what: found for what, found in self.differences.items() if not found <= self.most}


class Trial(NamedTuple):
    """A subject, one plain table of it, and whether every size is to be tried."""

    subject: Subject
    X: np.ndarray
    rng: np.random.Generator
    long: bool

    def fit(self, data: Any = None, **changes: Any) -> Fit:
        return replace(Fit(self.subject.make(changes.get("unit", 1.0)), self.X if data is None else data), **changes)

    def compare(self, what: str, one: Fit, other: Fit, most: float | None = None) -> Finding:
        return Finding(what, differences(self.subject, one, other), self.subject.near if most is None else most)

    @property
    def drawn(self) -> float:
        """What rows in another order, or drawn by weight, may change."""
        return self.subject.near if self.subject.drawn is None else self.subject.drawn

    def need(
        self, *, weights: bool = False, sparse: bool = False, rows: bool = False, asked: bool = False, method: str = ""
    ) -> None:
        model = self.subject.make(1.0)
        if asked and all(answer.of_fit or not answer.of_rows for answer in self.subject.answers.values()):
            raise DoesNotApply("it answers for the rows it was fitted to only")
        if weights and not has_fit_parameter(model, "sample_weight"):
            raise DoesNotApply("it takes no weights")
        if sparse and not get_tags(model).input_tags.sparse:
            raise DoesNotApply("it takes no sparse tables")
        if rows and self.subject.square:
            raise DoesNotApply("its table is of pairs of objects, not of rows")
        if method and not hasattr(model, method):
            raise DoesNotApply(f"it has no {method}")


def answers(subject: Subject, fit: Fit) -> dict[str, np.ndarray]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # few rows, few steps: not the point; overflows stay errors
        with ExitStack() as stack:
            if fit.threads:
                stack.enter_context(unmix.execution(threads=fit.threads))
            model = fit.how(fit.model, fit.data, **({} if fit.weights is None else {"sample_weight": fit.weights}))
        places = np.arange(fit.data.shape[0] if hasattr(fit.data, "shape") else len(fit.asked))[fit.places]
        asked = Asked(fit.data[places] if fit.asked is None else fit.asked, places)
        said = {what: np.asarray(answer.ask(model, asked)) for what, answer in subject.answers.items()}
    for what, answer in subject.answers.items():
        if answer.of_rows:
            said[what] = said[what][fit.keep]
        if answer.of_columns:
            said[what] = said[what][:, fit.columns]
    return said


def differences(subject: Subject, one: Fit, other: Fit) -> dict[str, float]:
    """The difference of each answer, in the unit of the second fit."""
    if other.asked is not None:
        subject = replace(subject, answers={what: said for what, said in subject.answers.items() if not said.of_fit})
    first, second = answers(subject, one), answers(subject, other)
    d = subject.table(8, np.random.default_rng(0)).shape[1]
    found = {}
    for what, answer in subject.answers.items():
        expected = answer.rescale(first[what].astype(float), other.unit / one.unit, d)
        if what == "log density":
            expected = expected + other.log_shift - one.log_shift
        # values about an offset are compared without it: beside it every difference would look small
        found[what] = answer.differ(expected, second[what] - other.shift if answer.of_columns else second[what])
    return found


def far_row(X: np.ndarray, size: float) -> np.ndarray:
    return size * (1.0 + np.arange(X.shape[1]))[None]


def far_sizes(trial: Trial) -> list[float]:
    return [1e4, 1e6, 1e8, 1e10, 1e12] if trial.long else [1e4, 1e12]


def precisions(trial: Trial) -> list[tuple[type, float]]:
    return [(np.float64, trial.subject.near), (np.float32, trial.subject.single)]


def far_row_asked_about(trial: Trial) -> Iterator[Finding]:
    """Rows are asked about one by one: a far one among them changes no answer about the others."""
    trial.need(rows=True, asked=True)
    n = len(trial.X)
    for dtype, most in precisions(trial):
        X = trial.X.astype(dtype)
        for size in far_sizes(trial):
            far = far_row(X, size).astype(dtype)
            asked = np.vstack([X[: n // 2], far, X[n // 2 :], far])
            keep = np.delete(np.arange(n + 2), [n // 2, n + 1])
            other = trial.fit(X, asked=asked, keep=keep)
            yield trial.compare(f"{size:g} in {dtype.__name__}", trial.fit(X), other, most)


def far_row_fitted(trial: Trial) -> Iterator[Finding]:
    """One far row, where the model has a part to spare for it, changes nothing for the others."""
    subject = trial.subject
    if subject.roomier is None and subject.spoil is None:
        raise DoesNotApply("a far row may move all of it")
    for dtype, most in precisions(trial):
        X = trial.X.astype(dtype)
        for size in far_sizes(trial):
            if subject.spoil:
                spoilt = subject.spoil(X, size).astype(dtype)
                other = trial.fit(spoilt)
            else:
                shift = float(np.log(len(X) / (len(X) + 1)))
                n = len(X)
                data = np.vstack([X[: n // 3], far_row(X, size).astype(dtype), X[n // 3 :]])
                places = np.delete(np.arange(n + 1), n // 3)
                other = trial.fit(data, model=subject.roomier(1.0), places=places, log_shift=shift)
            found = trial.compare(f"{size:g} in {dtype.__name__}", trial.fit(X), other, most)
            # the part to spare has a centre too
            yield found._replace(differences={k: v for k, v in found.differences.items() if "centres" not in k})


def far_row_finite(trial: Trial) -> Iterator[Finding]:
    """With one far row in the table every number about the others is still a number, or the fit is refused in words."""
    trial.need(rows=True)
    for dtype, _ in precisions(trial):
        X = trial.X.astype(dtype)
        plain = answers(trial.subject, trial.fit(X))
        for size in far_sizes(trial):
            data = np.vstack([X, far_row(X, size).astype(dtype)])
            try:
                said = answers(trial.subject, trial.fit(data, places=slice(0, len(X))))
            except ValueError as refusal:
                # beyond 1e6 what varies in the others is near the rounding of the far one's square
                if size < 1e6 or ("rank" not in str(refusal) and "vary in" not in str(refusal)):
                    raise
                continue
            lost = {what: max(0.0, lacking(said[what], what) - lacking(plain[what], what)) for what in said}
            yield Finding(f"{size:g} in {dtype.__name__}", lost, 0.0)


def lacking(value: np.ndarray, what: str) -> float:
    """The share that is no number; a density may be zero, its logarithm minus infinity."""
    return float(np.mean(np.isnan(value) if what == "log density" else ~np.isfinite(value)))


def weight_zero_is_absent(trial: Trial) -> Iterator[Finding]:
    """Rows of weight zero are not there, whatever finite numbers they hold."""
    trial.need(weights=True)
    n = len(trial.X)
    for dtype, most in precisions(trial):
        X = trial.X.astype(dtype)
        values = [2.0, 1e30] if dtype is np.float32 or not trial.long else [2.0, 1e30, 1e150, 1e300]
        for value in values:
            where = np.array([0, 0, n // 3, n // 2, n])
            data = np.insert(X, where, dtype(value) if np.nanmin(X) < 0 else dtype(abs(value)), axis=0)
            weights = np.insert(np.ones(n), where, 0.0)
            other = trial.fit(data, weights=weights, places=np.flatnonzero(weights))
            yield trial.compare(f"{value:g} in {dtype.__name__}", trial.fit(X), other, max(most, trial.drawn))
    weights = np.where(np.arange(n) % 4 == 0, 0.0, 1.0)
    kept = np.flatnonzero(weights)
    other = trial.fit(weights=weights, places=kept)
    yield trial.compare("every fourth row", trial.fit(trial.X[kept]), other, trial.drawn)


def weight_zero_not_finite(trial: Trial) -> Iterator[Finding]:
    """Infinity is refused in a row of weight zero as in any other."""
    trial.need(weights=True)
    data, weights = trial.X.copy(), np.ones(len(trial.X))
    data[3], weights[3] = np.inf, 0.0
    refused = 0.0
    try:
        trial.subject.make(1.0).fit(data, sample_weight=weights)
    except ValueError as error:
        refused = float("infinit" in str(error))
    yield Finding("infinity", {"not refused": 1.0 - refused}, 0.0)


def weight_two_is_twice(trial: Trial) -> Iterator[Finding]:
    """A row of weight w is the row w times."""
    trial.need(weights=True)
    weights = np.array([1, 2, 3, 1, 0, 2])[np.arange(len(trial.X)) % 6]
    first = np.concatenate([[0], np.cumsum(weights)[:-1]])[weights > 0]
    repeated = trial.fit(np.repeat(trial.X, weights, axis=0), places=first)
    weighted = trial.fit(weights=weights.astype(float), places=weights > 0)
    yield trial.compare("0 to 3", repeated, weighted, trial.drawn)


def weights_of_one_are_none(trial: Trial) -> Iterator[Finding]:
    """Weights that are all one change no bit."""
    trial.need(weights=True)
    yield trial.compare("ones", trial.fit(), trial.fit(weights=np.ones(len(trial.X))), SAME_BITS)


def as_csr(X: np.ndarray) -> Any:
    """What is not observed is not stored either."""
    rows, columns = np.nonzero(np.nan_to_num(X))
    return sparse.csr_array((X[rows, columns], (rows, columns)), shape=X.shape)


def sparse_is_dense(trial: Trial) -> Iterator[Finding]:
    """A table is the same whether its zeros are stored or not."""
    trial.need(sparse=True)
    X = trial.X if (trial.X == 0).mean() > 0.05 or np.isnan(trial.X).any() or trial.subject.square else holes(trial)
    yield trial.compare("csr", trial.fit(X), trial.fit(as_csr(X)))


def holes(trial: Trial) -> np.ndarray:
    """The table with a few zeros in it, which leave its answer clear."""
    return np.where(np.random.default_rng(5).random(trial.X.shape) < 0.08, 0.0, trial.X)


def sparse_in_any_form(trial: Trial) -> Iterator[Finding]:
    """Entries stored in two halves, out of order, with wide indices or as zeros make the same table."""
    trial.need(sparse=True)
    plain = as_csr(trial.X)
    twice = sparse.csr_array(
        (np.repeat(plain.data / 2, 2), np.repeat(plain.indices, 2), 2 * plain.indptr), shape=plain.shape
    )
    backwards = plain.copy()
    for a, b in zip(plain.indptr[:-1], plain.indptr[1:]):
        backwards.data[a:b], backwards.indices[a:b] = plain.data[a:b][::-1], plain.indices[a:b][::-1]
    wide = plain.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    forms = {"entries twice": twice, "out of order": backwards, "wide indices": wide}
    if not np.isnan(trial.X).any():  # there a zero is a number and what is not stored is not known
        dense = np.nan_to_num(trial.X)
        forms["zeros stored"] = sparse.csr_array(
            (dense.ravel(), np.tile(np.arange(dense.shape[1]), len(dense)), np.arange(len(dense) + 1) * dense.shape[1]),
            shape=dense.shape,
        )
    for what, data in forms.items():
        data.has_canonical_format = data.has_sorted_indices = None
        data = sparse.csr_array((data.data, data.indices, data.indptr), shape=data.shape)
        yield trial.compare(what, trial.fit(plain), trial.fit(data), SAME_BITS)


def unit_power_of_two(trial: Trial) -> Iterator[Finding]:
    """In a unit that is a power of two the same digits come out, in that unit; for two factors, of an even power.

    Each of them takes the root of the unit, which for odd powers is no power of two: then the answer is as near as in
    any other unit.
    """
    for exponent in (-40, -7, 3, 60) if trial.long else (-40, 60):
        unit = 2.0**exponent
        most = None if trial.subject.two_factors and exponent % 2 else 1e-13
        yield trial.compare(f"2^{exponent}", trial.fit(), trial.fit(trial.X * unit, unit=unit), most)


def unit_any(trial: Trial) -> Iterator[Finding]:
    """In any other unit the same answer comes out, to rounding."""
    for unit in (0.01, 3.0, 2.54, 1e6) if trial.long else (0.01, 3.0):
        yield trial.compare(f"{unit:g}", trial.fit(), trial.fit(trial.X * unit, unit=unit))


def offset(trial: Trial) -> Iterator[Finding]:
    """Values may be counted from anywhere."""
    trial.need(rows=True)
    for away in (1024.0, -(2.0**20), 2.0**30) if trial.long else (1024.0, -(2.0**20)):
        shift = away * np.where(trial.subject.one_scale | (np.arange(trial.X.shape[1]) % 2), 1.0, -0.5)
        yield trial.compare(f"{away:g}", trial.fit(), trial.fit(trial.X + shift, shift=shift))


def order_of_rows(trial: Trial) -> Iterator[Finding]:
    """The order of rows means nothing."""
    for turn in range(3 if trial.long else 1):
        order = np.random.default_rng(turn).permutation(len(trial.X))
        data = trial.X[np.ix_(order, order)] if trial.subject.square else trial.X[order]
        yield trial.compare(f"order {turn}", trial.fit(), trial.fit(data, places=np.argsort(order)), trial.drawn)


def order_of_columns(trial: Trial) -> Iterator[Finding]:
    """The order of columns means nothing."""
    trial.need(rows=True)
    for turn in range(3 if trial.long else 1):
        order = np.random.default_rng(turn).permutation(trial.X.shape[1])
        other = trial.fit(trial.X[:, order], columns=np.argsort(order))
        yield trial.compare(f"order {turn}", trial.fit(), other, trial.drawn)


def single_precision(trial: Trial) -> Iterator[Finding]:
    """Single precision gives the answer of double precision, within its own."""
    yield trial.compare("float32", trial.fit(), trial.fit(trial.X.astype(np.float32)), trial.subject.single)


def in_one_call(trial: Trial) -> Iterator[Finding]:
    """`fit_transform` is `fit` and `transform`; `fit_predict` gives the labels of `fit`."""
    model = trial.subject.make(1.0)
    calls = [call for call in ("fit_transform", "fit_predict") if hasattr(model, call)]
    if not calls:
        raise DoesNotApply("it has neither fit_transform nor fit_predict")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        fitted = trial.subject.make(1.0).fit(trial.X)
        for call in calls:
            said = np.asarray(getattr(trial.subject.make(1.0), call)(trial.X))
            if call == "fit_predict":
                two = fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(trial.X)
            else:
                two = np.asarray(fitted.transform(trial.X))
            yield Finding(call, {call: difference(said.astype(float), two.astype(float))}, trial.subject.near)


def saved_and_loaded(trial: Trial) -> Iterator[Finding]:
    """A model read back from its file says the same to the bit."""
    trial.need(method="save")

    def by_file(model: Any, data: Any, **more: Any) -> Any:
        with TemporaryDirectory() as folder:
            model.fit(data, **more).save(Path(folder) / "a.model")
            return unmix.load(Path(folder) / "a.model")

    yield trial.compare("file", trial.fit(), trial.fit(how=by_file), SAME_BITS)


def larger(trial: Trial) -> np.ndarray:
    """A table of several leaves, where it is fitted in moderate time."""
    return trial.subject.table(9000 if trial.long and trial.subject.grows else trial.subject.n, trial.rng)


def any_number_of_threads(trial: Trial) -> Iterator[Finding]:
    """One thread or several give the same bits."""
    X = larger(trial)
    for threads in (2, 3):
        asked = {"asked": X[: trial.subject.n], "places": slice(0, trial.subject.n)}
        one, other = trial.fit(X, threads=1, **asked), trial.fit(X, threads=threads, **asked)
        yield trial.compare(f"{threads} threads", one, other, SAME_BITS)


def from_anywhere(trial: Trial) -> Iterator[Finding]:
    """Memory, disk and Dask hold the same table."""
    trial.need(rows=True, method="save")
    import dask.array as da

    X = larger(trial)
    plain = trial.fit(X, asked=X[: trial.subject.n], places=slice(0, trial.subject.n))
    with TemporaryDirectory() as folder:
        np.save(Path(folder) / "x.npy", X)
        mapped = np.load(Path(folder) / "x.npy", mmap_mode="r")
        for what, data in {"memmap": mapped, "dask": da.from_array(X, chunks=(37, 2))}.items():
            yield trial.compare(what, plain, replace(plain, data=data, model=trial.subject.make(1.0)), SAME_BITS)


def in_batches(trial: Trial) -> Iterator[Finding]:
    """Batches of any size, the table read some times, lead to the same answer, as near as steps of a stream can."""
    trial.need(method="partial_fit")

    def by(parts: int, first: float = 0.0) -> Callable[..., Any]:
        def fit(model: Any, data: Any) -> Any:
            if first:
                model.partial_fit(first * data[: len(data) // 3])
            for _ in range(20):
                for batch in np.array_split(data, parts):
                    model.partial_fit(batch)
            return model

        return fit

    asked = {"asked": trial.X}  # sums over the last batch are no answers about the table
    near = max(trial.subject.near, 0.05)
    found = trial.compare("three parts", trial.fit(how=by(1), **asked), trial.fit(how=by(3), **asked), near)
    yield found._replace(differences={k: v for k, v in found.differences.items() if trial.subject.answers[k].of_rows})


def batch_of_another_size(trial: Trial) -> Iterator[Finding]:
    """A first batch a million times smaller leaves a model that later batches can still teach."""
    trial.need(method="partial_fit")

    def taught(model: Any, data: Any) -> Any:
        model.partial_fit(1e-6 * data)
        for _ in range(20):
            model.partial_fit(data)
        return model

    said = answers(trial.subject, trial.fit(how=taught))
    yield Finding("first batch", {what: lacking(value, what) for what, value in said.items()}, 0.0)


def in_a_frame(trial: Trial) -> Iterator[Finding]:
    """Names of columns mean nothing: frames of pandas and polars are the array they hold."""
    trial.need(rows=True, method="save")
    import pandas
    import polars

    names = [f"column {i} ✓" for i in range(trial.X.shape[1])]
    asked = {"asked": trial.X}
    for what, frame in {
        "pandas": pandas.DataFrame(trial.X, columns=names),
        "polars": polars.DataFrame(trial.X, schema=names, orient="row"),
    }.items():
        yield trial.compare(what, trial.fit(**asked), trial.fit(frame, asked=frame), SAME_BITS)


def no_stream_used_twice(trial: Trial) -> Iterator[Finding]:
    """Every stream of random numbers is drawn from once: two purposes never share one."""
    if "values" in trial.subject.answers:
        raise DoesNotApply("all grid points are judged by the same random numbers, to differ by their model alone")
    opened: Counter = Counter()
    original = np.random.default_rng

    def counting(seed: Any = None) -> np.random.Generator:
        name = (seed.entropy, *seed.spawn_key) if isinstance(seed, np.random.SeedSequence) else (seed,)
        if isinstance(name[0], int | np.integer) and name[0] != 0:  # of 0 come patterns fixed for every table and fit
            opened[name] += 1
        return original(seed)

    np.random.default_rng = counting
    try:
        answers(trial.subject, trial.fit())
    finally:
        np.random.default_rng = original
    again = sum(count - 1 for count in opened.values())
    yield Finding(f"{len(opened)} streams", {"used again": float(again)}, 0.0)


RELATIONS: dict[str, Callable[[Trial], Iterator[Finding]]] = {
    relation.__name__: relation
    for relation in (
        far_row_asked_about,
        far_row_fitted,
        far_row_finite,
        weight_zero_is_absent,
        weight_zero_not_finite,
        weight_two_is_twice,
        weights_of_one_are_none,
        sparse_is_dense,
        sparse_in_any_form,
        unit_power_of_two,
        unit_any,
        offset,
        order_of_rows,
        order_of_columns,
        single_precision,
        in_one_call,
        saved_and_loaded,
        any_number_of_threads,
        from_anywhere,
        in_batches,
        batch_of_another_size,
        in_a_frame,
        no_stream_used_twice,
    )
}


def trial_of(subject: Subject, long: bool, turn: int = 0) -> Trial:
    rng = np.random.default_rng(turn)
    return Trial(subject, subject.table(subject.n, rng), rng, long)
