"""Every cost with a tiny problem: what is new adds a line to CASES and is tested with all others."""

import numpy as np
from scipy.sparse import csr_array

from unmix.costs.correlation import Correlation
from unmix.costs.cut import Cut
from unmix.costs.histogram import Histogram
from unmix.costs.least_angle import LeastAngle
from unmix.costs.links import make_links
from unmix.costs.pairwise import Pairwise, make_dissimilarities
from unmix.costs.pairwise_neighborhood import PairwiseNeighborhood
from unmix.costs.potts import Couplings, Potts
from unmix.costs.smooth_means import LinkedRows, SmoothMeans
from unmix.costs.squared_distance import SquaredDistance, Weighted

rng = np.random.default_rng(0)
n = 6
X = rng.normal(size=(n, 2))
D = ((X[:, None] - X[None]) ** 2).sum(-1) + rng.random((n, n))
gaps = D.copy()
gaps[0, 3] = gaps[3, 0] = gaps[1, 5] = np.nan
W = rng.random((n, n)) * (rng.random((n, n)) < 0.7)
S = rng.normal(size=(n, n))
sparse_S = csr_array(np.where(rng.random((n, n)) < 0.5, S, 0))
weights = rng.integers(1, 4, n) / 3  # light enough for samplers to wander at the temperature of the tests
counts = rng.poisson(1.5, (n, 4)).astype(float)
counts[2] = 0.0  # a row that says nothing
law = counts.sum(axis=0) / counts.sum()

CASES = {
    "squared_distance": (SquaredDistance(), X),
    "squared_distance of weighted rows": (SquaredDistance(), Weighted(X, weights)),
    "histogram": (Histogram(law, 1.0, 3.0), counts),
    "histogram, sparse, not smoothed": (Histogram(law, 0.0, 3.0), csr_array(counts)),
    "pairwise": (Pairwise(), make_dissimilarities(D)),
    "pairwise with gaps": (Pairwise(), make_dissimilarities(gaps)),
    "correlation": (Correlation(), make_links(S)),
    "correlation above 0.3": (Correlation(0.3), make_links(S)),
    "correlation, sparse, above -0.2": (Correlation(-0.2), make_links(sparse_S)),
    "cut": (Cut("cut"), make_links(W)),
    "ratio cut": (Cut("ratio"), make_links(W)),
    "normalized cut": (Cut("normalized"), make_links(csr_array(W))),
    "ratio cut into 3": (Cut("ratio", 3), make_links(W)),
    "normalized cut into 3": (Cut("normalized", 3), make_links(W)),
    "ratio cut of dissimilarities": (Cut("ratio", 3, dissimilarities=True), make_links(W)),
    "normalized cut of dissimilarities": (Cut("normalized", dissimilarities=True), make_links(csr_array(W))),
    "potts": (Potts(), Couplings(make_links(S), rng.normal(size=(n, 3)))),
    "potts, sparse": (Potts(), Couplings(make_links(sparse_S), rng.normal(size=(n, 3)))),
    "smooth means": (SmoothMeans(), LinkedRows(X, make_links(csr_array(W)))),
    "pairwise map": (
        PairwiseNeighborhood(np.array([[0.7, 0.3, 0], [0.2, 0.6, 0.2], [0, 0.3, 0.7]])),
        make_dissimilarities(D),
    ),
    "least angle": (LeastAngle(), X),
}
K = 3
