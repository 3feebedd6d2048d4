"""Settings of criteria are refused when the criterion is made, in one sentence with name, value and remedy."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from unmix.validation import (
    AIC,
    BIC,
    ICL,
    MDL,
    Consensus,
    CrossValidation,
    DaviesBouldin,
    GapStatistic,
    MixtureOrder,
    PosteriorAgreement,
    Separation,
    Silhouette,
    SplitFeatures,
    Stability,
    row_stability,
)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: Silhouette(max_rows=0), "max_rows=0: give a whole number from 1 up"),
        (lambda: Silhouette(max_rows=2.5), "max_rows=2.5: give a whole number from 1 up"),
        (
            lambda: Silhouette("cosine"),
            "metric='cosine' is not known; give 'euclidean', 'sqeuclidean' or 'precomputed'",
        ),
        (lambda: DaviesBouldin(-1), "n_bootstrap=-1: give a whole number from 0 up"),
        (lambda: GapStatistic(n_references=1), "n_references=1: give a whole number from 2 up"),
        (lambda: GapStatistic(n_references="20"), "n_references='20': give a whole number from 2 up"),
        (lambda: GapStatistic(max_rows=0), "max_rows=0: give a whole number from 2 up"),
        (lambda: GapStatistic("flat"), "reference='flat' is not known; give 'pca', 'uniform' or a function"),
        (lambda: GapStatistic(None), "reference=None is not known; give 'pca', 'uniform' or a function"),
        (lambda: CrossValidation(n_splits=True), "n_splits=True: give a whole number from 1 up"),
        (lambda: CrossValidation(test_fraction="a"), "test_fraction='a': give a number from 0 to 1"),
        (lambda: CrossValidation(["rows"]), "what=['rows'] is not known; give 'rows' or 'entries'"),
        *(
            (lambda kind=kind: kind("soft"), "likelihood='soft' is not known; give 'mixture' or 'classification'")
            for kind in (AIC, BIC, ICL, MDL)
        ),
        (lambda: Stability("halves"), "perturb='halves' is not known; give 'noise', 'split' or 'subsample'"),
        (lambda: Stability(fraction=0), "fraction=0 leaves no rows to fit"),
        (lambda: Stability(enough="much"), "enough='much': give a number"),
        (lambda: MixtureOrder("AIC"), "by='AIC' is not known; give 'ICL' or 'BIC'"),
        (lambda: PosteriorAgreement(prior="flat"), "prior='flat' is not known; give 'uniform' or 'sizes'"),
        (lambda: MDL(resolution=0), "resolution=0: give a number above 0"),
        (lambda: MDL(resolution="fine"), "resolution='fine': give a number above 0"),
        (lambda: MDL(resolution=np.nan), "resolution=nan: give a number above 0"),
    ],
)
def test_one_sentence_with_the_name_the_value_and_the_remedy(make, words):
    with pytest.raises(ValueError) as refused:
        make()
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize(
    "settings, words",
    [
        ({"n_resamples": 0}, "n_resamples=0: give a whole number from 1 up"),
        ({"fraction": 1.5}, "fraction=1.5: give a number above 0 and at most 1"),
        ({"max_rows": 1}, "max_rows=1: give a whole number from 2 up"),
        (
            {"sample_weight": [1.0, 2.0]},
            "sample_weight has shape (2,); give 10 finite weights, none negative and not all zero",
        ),
    ],
)
def test_settings_of_the_stability_of_rows(settings, words):
    X = np.arange(10.0)[:, None]
    with pytest.raises(ValueError) as refused:
        row_stability(KMeans(2, n_init=1, random_state=0).fit(X), X, **settings)
    assert str(refused.value) == words


@pytest.mark.parametrize("criterion", [Separation, Consensus])
def test_what_must_be_called_or_made_is_told_so(criterion):
    with pytest.raises(TypeError, match="reference='pca' is no function; give one, such as uniform_reference"):
        criterion(reference="pca")
    with pytest.raises(TypeError, match="pairs no samples; give SplitObjects"):
        PosteriorAgreement(SplitFeatures)
