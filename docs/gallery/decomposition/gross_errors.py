"""Gross errors taken out.

One cell in ten is far off. Low rank plus few errors comes apart exactly, with a proof that no better split exists.

More: methods/robust_pca.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.decomposition import RobustPCA

rng = np.random.default_rng(0)
truth = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 90))
X = truth.copy()
wrong = rng.random(X.shape) < 0.1
X[wrong] += rng.choice([-8.0, 8.0], wrong.sum())

model = RobustPCA().fit(X)
print(
    f"rank {model.rank_}, errors found {(model.support_ & wrong).sum()} of {wrong.sum()}, "
    f"none invented: {not (model.support_ & ~wrong).any()}"
)

figure, axes = plt.subplots(3, 1)
for axis, part, title in zip(axes, (X, model.low_rank_, model.sparse_), ("given", "low rank", "errors")):
    axis.imshow(part, cmap="RdBu_r", vmin=-6, vmax=6, aspect="auto")
    axis.set(ylabel=title, xticks=[], yticks=[])
plt.show()
