"""All clusterings, and two short cuts.

Of eight points every clustering can be counted. Sampling meets the exact probabilities, the mean field nearly so.

More: methods/inference.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import PairwiseClustering
from unmix.costs import Pairwise, make_dissimilarities
from unmix.inference import enumerate_labellings

rng = np.random.default_rng(0)
X = np.concatenate([rng.normal(size=(4, 2)), rng.normal(size=(4, 2)) + 1.5])
D = ((X[:, None] - X) ** 2).sum(axis=2)
exact = enumerate_labellings(Pairwise(), make_dissimilarities(D), 2, 1.0)
same = exact.labellings[:, :, None] == exact.labellings[:, None]
together = np.einsum("m,mij->ij", exact.probabilities, same)

options = {"metric": "precomputed", "temperature": 1.0, "random_state": 0}
gibbs = PairwiseClustering(2, inference="gibbs", n_init=4, **options).fit(D).co_membership()
pairs = np.triu_indices(8, 1)
print(f"{len(exact.probabilities)} clusterings; sampling is off by at most {abs(gibbs - together)[pairs].max():.2f}")

plt.plot([0, 1], [0, 1], color="0.8", linewidth=1)
plt.plot(together[pairs], gibbs[pairs], "o", label="Gibbs sampling")
plt.xlabel("exact probability that two points are together")
plt.ylabel("sampled")
plt.legend()
plt.show()
