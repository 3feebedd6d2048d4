"""What the fitted attributes of every model look like: kind and shape, in letters that mean one number a model.

``"f k d"`` is an array of floats with k rows and d columns. ``d`` is ``n_features_in_``, ``n`` the rows of the fit,
``k`` clusters or components; any other word is a number that the first attribute with it settles. A star (``c*``) is a
number for each entry of the list around it, ``n+1`` one more, ``_`` any; ``|`` separates what an attribute may be. The
kinds are those of `unmix.shell.schema_check`. A model may lack an attribute, but has no other than these.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class By(NamedTuple):
    """A shape that a parameter of the model decides."""

    parameter: str
    shapes: dict[Any, str]
    otherwise: str


COMMON: dict[str, str | By] = {
    "n_features_in_": "size d",
    "feature_names_in_": "U d",
    "_fit_dtype": "dtype",
    "_fit_sparse": "flag",
    "n_iter_": "integer",
    "trace_": "list _",
    "trace_.*": "dict",
    "trace_.*.*": "plain",
}
CLUSTERS = COMMON | {"cluster_centers_": "f k d", "labels_": "i n", "inertia_": "number"}
FIRST_ROWS = {
    "first_rows_": "dict | none",
    "first_rows_.rows": "rows first d",
    "first_rows_.weights": "f first",
    "first_rows_.chosen_of": "number",
}
ANNEALED = {
    "hierarchy_": "dict",
    "hierarchy_.children": "i merges 2",
    "hierarchy_.temperatures": "f merges",
    "hierarchy_.predicted": "f _",
    "critical_temperatures_": "f _",
    "temperature_path_": "dict",
    "temperature_path_.*": "f temperatures | i temperatures",
}
ASSIGNED = COMMON | {
    "labels_": "i n",
    "probabilities_": "f n k",
    "cost_": "number",
    "first_temperature_": "number",
    "free_energy_": "number",
    "draws_": "i _ n",
    "diagnostics_": "dict",
    "diagnostics_.*": "number",
}
PAIRED = ASSIGNED | {"objects_": "f n d", "within_": "f k"}
DISTRIBUTIONS = COMMON | ANNEALED | {
    "cluster_distributions_": "f k d",
    "labels_": "i n",
    "cost_": "number",
    "information_": "number",
}  # fmt: skip
COMPONENTS = COMMON | {"components_": "f k d", "n_components_": "size k"}
SPECTRUM = COMPONENTS | {
    "singular_values_": "f k",
    "explained_variance_": "f k",
    "explained_variance_ratio_": "f k",
}
UNMIXING = COMPONENTS | {
    "mixing_": "f d k",
    "mean_": "f d",
    "whitening_": "f k d",
    "non_gaussianity_": "f k",
}
STREAM = {
    "n_samples_seen_": "number",
    "n_batches_": "integer",
    "stream_": "dict",
    "stream_.seed": "integer",
    "stream_.rows": "f held d",
    "stream_.weights": "f held | none",
    "stream_.state": "dict | none",
    "stream_.state.unit": "number",
    "stream_.state.mean": "f d",
    "stream_.state.scatter": "f d d",
    "stream_.state.weight": "number",
    "stream_.state.rows": "integer",
    "stream_.state.quiet": "integer",
    "stream_.state.matrix": "f directions d",
    "stream_.state.inverse": "f d directions",
    "stream_.state.learned": "dict",
    "stream_.state.learned.iteration": "integer",
    "stream_.state.learned.done": "flag",
    "stream_.state.learned.matrix": "f directions directions",
    "stream_.state.learned.flat": "b directions",
    "stream_.state.learned.averaged": "number",
    "stream_.state.learned.weight": "number",
    "stream_.state.learned.batches": "integer",
    "stream_.state.learned.change": "number",
}
COVARIANCES = By(
    "covariance_type",
    {"full": "f k d d", "tied": "f d d", "diag": "f k d", "spherical": "f k"},
    "f k d d | f d d",
)
ROLES = COMMON | {"roles_": "f k d", "n_roles_": "size k", "assignments_": "f n k"}
INFERRED = ROLES | {
    "absence_": "f k d",
    "role_sets_": "f sets k",
    "set_weights_": "f sets",
    "noise_": "number",
    "noise_granted_": "number",
    "log_likelihood_": "number",
}
KERNELS = COMMON | {
    "kernel_root_": "f d d",
    "bandwidth_": "f d | number",
    "kernel_covariance_": "f d d",
    "factor_": "number",
    "bandwidth_path_": "dict",
    "bandwidth_path_.*": "f factors",
    "fit_rows_": "f n d",
    "fit_weights_": "f n",
}
MINED = ROLES | {"user_counts_": "f k"}

SCHEMAS: dict[str, dict[str, str | By]] = {
    "Categorical": COMMON | {
        "counts_": "list d",
        "counts_.*": "f c*",
        "categories_": "list d",
        "categories_.*": "f c* | i c* | b c* | U c*",
        "probabilities_": "list d",
        "probabilities_.*": "f c*",
    },
    "CollaborativeFilter": COMPONENTS | {
        "user_names_": "list n | none",
        "user_names_.*": "plain",
        "item_names_": "list d | none",
        "item_names_.*": "plain",
        "regularization_": "number",
        "penalty_": "number",
        "offset_penalty_": "number",
        "spread_": "number",
        "mean_": "number",
        "codes_": "f n k",
        "user_offsets_": "f n",
        "item_offsets_": "f d",
        "known_indptr_": "starts<ratings n+1",
        "known_items_": "i<d ratings",
    },
    "CompleteMiner": MINED,
    "ConstantShiftEmbedding": COMMON | {
        "embedding_": "f n k",
        "eigenvalues_": "f k",
        "shift_": "number",
        "dissimilarity_means_": "f n",
    },
    "CorrelationClustering": ASSIGNED | {"n_clusters_": "integer"},
    "DictionaryLearning": COMPONENTS | {
        "reconstruction_err_": "number",
        "error_": "list _",
        "error_.*": "number",
    },
    "DiscreteBasis": ROLES | {"tau_": "number", "gain_": "number", "error_": "number"},
    "Factorization": COMMON | {
        "components_": "f k w",
        "intercept_": "f w",
        "model_columns_": "list w",
        "model_columns_.*": "text",
        "noise_": "f w",
        "residual_variances_": "f w",
        "losses_by_column_": "f d",
        "objective_": "number",
        "has_intercept_": "flag",
        "constraints_": "list 2",
        "constraints_.*": "constraint",
        "groups_": "list _",
        "groups_.*": "dict",
        "groups_.*.loss": "loss",
        "groups_.*.columns": "i<d c*",
        "groups_.*.shift": "f c*",
        "groups_.*.unit": "f c*",
        "groups_.*.factor": "f c*",
        "statistics_": "dict",
        "statistics_.entering": "number",
        "statistics_.leaving": "number",
        "statistics_.products": "f w pairs | f 1 pairs",
        "statistics_.pull": "f inner w",
        "statistics_.squares": "f w",
        "statistics_.cells": "f w",
        "statistics_.latent": "f k k",
        "statistics_.weight": "number",
        "statistics_.log_likelihood": "number",
        "kinds_": "list d",
        "kinds_.*": "text",
        "encoding_": "dict",
        "encoding_.library": "text",
        "encoding_.columns": "list d",
        "encoding_.columns.*": "dict",
        "encoding_.columns.*.*": "plain | list _",
        "encoding_.columns.*.*.*": "plain",
    },
    "FastICA": UNMIXING,
    "FastMiner": MINED,
    "Gaussian": COMMON | {
        "mean_": "f d",
        "covariance_": "f d d",
        "precision_": "f d d",
        "precision_cholesky_": "f d d",
        "shrinkage_": "number",
        "converged_": "flag",
    },
    "GaussianMixture": COMMON | {
        "weights_": "f k",
        "means_": "f k d",
        "covariances_": COVARIANCES,
        "precisions_": COVARIANCES,
        "precisions_cholesky_": COVARIANCES,
        "converged_": "flag",
        "lower_bound_": "number",
        "n_steps_": "integer",
        "statistics_": "dict",
        "statistics_.running": "dict",
        "statistics_.running.weights": "f k",
        "statistics_.running.means": "f k d",
        "statistics_.running.factor": COVARIANCES,
        "statistics_.running.observed": "f k d | none",
        "statistics_.running.spread": "f d",
        "statistics_.running.mass": "number",
        "statistics_.kept": "dict | none",
        "statistics_.kept.rows": "rows kept d",
        "statistics_.kept.weights": "f kept | none",
        "statistics_.kept.fitted": "number",
    },
    "GlidingHistogram": KERNELS,
    "GraphPartition": ASSIGNED,
    "GrowingKMeans": CLUSTERS | {"n_clusters_": "size k"},
    "HammingKMeans": ROLES | {"inertia_": "number"},
    "HistogramClustering": DISTRIBUTIONS | {"smoothing_": "number"},
    "HistogramDensity": COMMON | {
        "edges_": "f edges",
        "n_bins_": "i d",
        "range_": "f d 2",
        "cells_": "i cells",
        "counts_": "f cells",
        "density_": "f cells",
    },
    "Infomax": UNMIXING | STREAM | {
        "sub_gaussian_": "b k",
        "peakedness_": "f k",
        "gradient_norm_": "number",
        "stream_.state.learned.running": "f 6 directions",
    },
    "InformationBottleneck": DISTRIBUTIONS | {
        "cluster_masses_": "f k",
        "first_split_": "number",
        "information_curve_": "dict",
        "information_curve_.*": "f betas",
        "total_information_": "number",
        "least_probability_": "number",
        "rate_": "number",
    },
    "JADE": UNMIXING | {"kurtosis_": "f k"},
    "KMeans": CLUSTERS,
    "KernelDensity": KERNELS,
    "LeastAngleClustering": ASSIGNED | {"directions_": "f k d"},
    "LocallyLinearEmbedding": COMMON | {
        "embedding_": "f n k",
        "fit_rows_": "rows n d",
        "reconstruction_error_": "number",
        "distortion_": "f n",
        "row_errors_": "f n",
        "neighbors_algorithm_": "text",
        "n_pieces_": "integer",
        "n_neighbors_": "integer<n",
    },
    "MiniBatchDictionaryLearning": COMPONENTS | {
        "unit_": "number",
        "code_products_": "f k k",
        "code_signals_": "f k d",
        "n_steps_": "integer",
    },
    "MultiAssignmentClustering": INFERRED,
    "NMF": COMPONENTS | {
        "reconstruction_err_": "number",
        "statistics_": "dict",
        "statistics_.codes": By("beta_loss", {"frobenius": "f k k", "kullback-leibler": "f k k"}, "f k d | f k k"),
        "statistics_.cross": "f k d",
        "statistics_.weight": "number",
        "statistics_.rows": "number",
        "statistics_.scale": "number",
    },
    "OnlineICA": UNMIXING | STREAM | {
        "unit_": "number",
        "scatter_": "f d d",
        "covariance_": "f d d",
        "running_": "f k",
        "stream_.state.learned.running": "f 2 directions",
    },
    "OnlineKMeans": CLUSTERS | FIRST_ROWS | {"counts_": "f k"},
    "PCA": SPECTRUM | {"mean_": "f d", "noise_scale_": "number", "noise_variance_": "number", "n_samples_": "number"},
    "PairwiseClustering": PAIRED,
    "PairwiseSOM": PAIRED | {"grid_": "f k 2"},
    "ParametricDistributionalClustering": DISTRIBUTIONS | {
        "cluster_distributions_": "f k components",
        "component_means_": "f components",
        "component_widths_": "f components",
    },
    "RobustPCA": COMPONENTS | {
        "low_rank_": "f n d",
        "sparse_": "f n d",
        "singular_values_": "f k",
        "rank_": "size k",
        "penalty_": "number",
        "noise_scale_": "number",
        "dual_gap_": "number",
    },
    "RoundedSVD": ROLES | {
        "role_threshold_": "number",
        "user_threshold_": "number",
        "singular_values_": "f k",
        "directions_": "f d k",
    },
    "SVDDenoiser": ROLES | {
        "cuts_": "f cuts",
        "cv_errors_": "f _ cuts",
        "held_out_error_": "number",
        "held_out_standard_error_": "number",
        "n_components_": "size rank",
        "cut_": "number",
        "components_": "f rank d",
    },
    "SecondOrderICA": UNMIXING | {
        "method_": "text",
        "lags_": "i lags",
        "lag_weights_": "f lags",
        "autocorrelations_": "f k lags",
    },
    "SelfOrganizingMap": CLUSTERS | {
        "grid_": "f k 2",
        "quantization_error_": "number",
        "topographic_error_": "number",
    },
    "SemiNMF": COMPONENTS | {"reconstruction_err_": "number"},
    "SingleAssignmentClustering": INFERRED,
    "SmoothKMeans": CLUSTERS | {"coupling_": "number", "cost_": "number"},
    "SoftKMeans": CLUSTERS | FIRST_ROWS | ANNEALED | {
        "temperature_": "number",
        "weights_": "f k",
        "n_steps_": "integer",
        "weight_seen_": "number",
    },
    "SparseCoder": COMPONENTS,
    "TruncatedSVD": SPECTRUM,
}  # fmt: skip
