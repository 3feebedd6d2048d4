"""Single precision in, single precision out, for every estimator; and what it costs."""

import warnings

import numpy as np
import pytest

from unmix.cli.example_tables import SMALL, TABLES
from unmix.cli.first_uses import ESTIMATORS, make
from unmix.decomposition import SemiNMF
from unmix.embedding import SelfOrganizingMap

# Sums, counts and numbers about the fit stay in double precision: further rows are added to them, or they are read.
DOUBLE = {
    "counts_", "user_counts_", "set_weights_", "fit_weights_", "weights_", "within_", "running_", "statistics_",
    "stream_", "edges_", "density_", "cuts_", "noise_", "groups_", "residual_variances_", "losses_by_column_",
    "lag_weights_", "hierarchy_",
    "critical_temperatures_", "temperature_path_", "information_curve_", "bandwidth_path_", "component_means_",
    "component_widths_", "probabilities_", "categories_", "grid_", "trace_",
}  # fmt: skip
LOG_DENSITIES = {  # of a model that answers in double precision
    "decomposition.PCA", "density.Categorical", "roles.MultiAssignmentClustering", "roles.SingleAssignmentClustering",
    "validation.ColumnMeans", "validation.Constant",
}  # fmt: skip


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", ESTIMATORS)
def test_single_precision_is_kept(name):
    table, options = ESTIMATORS[name]
    X = TABLES[table](SMALL).astype(np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = make(name, options[0]).fit(X)
        answers = {key: value for key, value in vars(model).items() if key.endswith("_") and key not in DOUBLE}
        for method in ("transform", "predict_proba", "score_samples"):
            if hasattr(model, method) and not (method == "score_samples" and name in LOG_DENSITIES):
                answers[method] = getattr(model, method)(X)
        if hasattr(model, "inverse_transform"):
            answers["inverse_transform"] = model.inverse_transform(model.transform(X))
    floats = {key: np.asarray(value) for key, value in answers.items() if isinstance(value, np.ndarray)}
    wide = {key: value.dtype for key, value in floats.items() if value.dtype.kind == "f" and value.dtype != np.float32}
    assert not wide


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize(
    "make_model, error",
    [
        (lambda: SemiNMF(3, random_state=0), "reconstruction_err_"),
        (lambda: SemiNMF(3, init="random", random_state=0), "reconstruction_err_"),
        (lambda: SelfOrganizingMap((4, 4), random_state=0), "quantization_error_"),
    ],
    ids=["SemiNMF", "SemiNMF random", "SelfOrganizingMap"],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_single_precision_ends_where_double_precision_does(make_model, error, offset):
    for seed in range(3):
        X = (np.random.default_rng(seed).normal(size=(200, 6)) + offset).astype(np.float32)
        single, double = make_model().fit(X), make_model().fit(X.astype(np.float64))
        assert getattr(single, error) == pytest.approx(getattr(double, error), rel=1e-3)
        assert single.transform(X).dtype == np.float32
