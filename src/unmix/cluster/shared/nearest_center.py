"""What estimators whose answer is a set of centres say of new rows: the nearest centre, the distances, the cost."""

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from unmix.algorithms.kmeans.lloyd import labels_and_cost as assess
from unmix.shell.estimator import Estimator


class NearestCenter(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, Estimator):
    """Base of estimators that fit `cluster_centers_`."""

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def predict(self, X):
        """The number of the nearest centre of each row."""
        check_is_fitted(self)
        return np.asarray(assess.assess(self._blocks(X, reset=False), None, self.cluster_centers_).labels)

    def transform(self, X):
        """Distances (n, k) to the centres."""
        check_is_fitted(self)
        return assess.distances(self._blocks(X, reset=False), self.cluster_centers_)

    def score(self, X, y=None, sample_weight=None):
        """Minus the objective on X."""
        check_is_fitted(self)
        X, weights = self._counted(sample_weight, self._blocks(X, reset=False))
        return -assess.assess(X, weights, self.cluster_centers_).cost

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
