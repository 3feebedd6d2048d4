"""Where a relation is none of the method, and why. Everything else must hold."""

ORIGIN = "it measures from zero, so an offset is another table"
AMOUNTS = "its entries are amounts from zero up: an offset is another table, or refused"
YES_NO = "its entries are yes and no, which have no unit and no zero to count from"
LEVELS = "some of its columns hold levels, named by their place, which have no unit and no zero to count from"
NAMED_COLUMNS = "its dictionary is given for the columns as they stand"
ORDERED = "neighbouring columns (or rows) are near each other: their order is part of the table"
DRAWN_BY_PLACE = "it draws rows by their place and ends in one of several dictionaries of like quality"

ROLE_MINERS = (
    "MultiAssignmentClustering",
    "SingleAssignmentClustering",
    "DiscreteBasis",
    "HammingKMeans",
    "RoundedSVD",
    "SVDDenoiser",
    "FastMiner",
    "CompleteMiner",
)

EXCEPTIONS: dict[tuple[str, str], str] = {
    **{
        (name, "offset"): AMOUNTS
        for name in (
            "HistogramClustering",
            "InformationBottleneck",
            "ParametricDistributionalClustering",
            "NMF",
            "NMF multiplicative",
            "NMF divergence",
            "NMF ratio",
            "Factorization non-negative",
        )
    },
    **{
        (name, "offset"): ORIGIN
        for name in (
            "LeastAngleClustering",
            "TruncatedSVD",
            "RobustPCA",
            "SparseCoder",
            "SparseCoder lasso",
            "DictionaryLearning",
            "DictionaryLearning at a price",
            "MiniBatchDictionaryLearning",
            "SemiNMF",
        )
    },
    **{(name, relation): YES_NO for name in ROLE_MINERS for relation in ("unit_power_of_two", "unit_any", "offset")},
    **{
        ("Factorization mixed", relation): LEVELS
        for relation in (
            "far_row_finite",
            "far_row_asked_about",
            "unit_power_of_two",
            "unit_any",
            "offset",
            "order_of_columns",
            "batch_of_another_size",
        )
    },
    ("Factorization mixed", "in_batches"): "a most probable level is another one or the same, and never near",
    ("Factorization clusters", "offset"): "it has no constant beside the codes, and measures from zero",
    ("NMF ratio", "sparse_is_dense"): "it compares by ratio, and what a sparse table leaves out is zero: refused",
    ("SparseCoder", "order_of_columns"): NAMED_COLUMNS,
    ("SparseCoder lasso", "order_of_columns"): NAMED_COLUMNS,
    ("ParametricDistributionalClustering", "order_of_columns"): ORDERED,
    ("SecondOrderICA", "order_of_rows"): ORDERED,
    ("SmoothKMeans", "far_row_finite"): "its rows are the places of an image, which has no room for one more",
    ("DictionaryLearning", "order_of_rows"): DRAWN_BY_PLACE,
}
