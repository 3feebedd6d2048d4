"""What listeners hear: groups from judgements of similarity that are no distances.

Data: Aural Sonar (Philips et al. 2006) and Voting, from the similarity collection of Chen et al. 2009; not shipped.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import PairwiseClustering
from unmix.embedding import ConstantShiftEmbedding

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "proximity"
if not FOLDER.is_dir():
    sys.exit(f"the similarity data are not at {FOLDER}")

figure, axes = plt.subplots(1, 2, figsize=(8, 3.4))
for axis, name in zip(axes, ("AuralSonar", "Voting")):
    with np.load(FOLDER / f"{name}.npz") as data:
        S, y = (data["S"] + data["S"].T) / 2, data["y"]
    D = S.max() - S
    np.fill_diagonal(D, 0)
    centred = S - S.mean(axis=0) - S.mean(axis=1)[:, None] + S.mean()
    values = np.linalg.eigvalsh(centred)
    negative = -values[values < 0].sum() / np.abs(values).sum()
    labels = PairwiseClustering(2, metric="precomputed", random_state=0).fit(D).labels_
    pure = sum(np.unique(y[labels == c], return_counts=True)[1].max() for c in (0, 1))
    usual = np.unique(y, return_counts=True)[1].max()
    print(f"{name}: {len(y)} objects, {negative:.0%} of the spectrum is negative")
    print(
        f"  two groups: {pure / len(y):.0%} with their own kind; by always naming the larger kind {usual / len(y):.0%}"
    )
    places = ConstantShiftEmbedding(2, metric="precomputed").fit(D).embedding_
    for kind in np.unique(y):
        axis.plot(*places[y == kind].T, ".", label=f"kind {kind}")
    axis.plot(
        *places[labels == labels[0]].T,
        "o",
        markerfacecolor="none",
        color="0.4",
        markersize=8,
        linewidth=0.5,
        markeredgewidth=0.5,
        label="first group found",
    )
    axis.set(title=name, xticks=[], yticks=[])
    axis.legend(fontsize=7)
plt.show()
