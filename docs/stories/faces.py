"""How many numbers is a face? 400 photographs of 40 people.

Data: ORL faces (Samaria and Harter 1994), not shipped: the copy used states GPL-2.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial.distance import cdist

from unmix.decomposition import NMF, PCA

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "faces" / "orl.npz"
if not FILE.exists():
    sys.exit(f"the ORL faces are not at {FILE}")
with np.load(FILE) as data:
    X, person = data["X"].astype(float) / 255, data["y"]


def recognised(codes: np.ndarray) -> float:
    """The share of photographs whose nearest other one shows the same person."""
    distances = cdist(codes, codes)
    np.fill_diagonal(distances, np.inf)
    return float((person[distances.argmin(axis=1)] == person).mean())


few = [2, 5, 10, 20, 40, 80]
pca, nmf = PCA(80).fit(X), NMF(18, random_state=0).fit(X)
shares = [recognised(pca.transform(X)[:, :k]) for k in few]
print(
    f"{len(X)} photographs of {X.shape[1]} pixels: the nearest other one shows the same person in {recognised(X):.1%}"
)
print("by components:", ", ".join(f"{k} of them {share:.1%}" for k, share in zip(few, shares)))
white = pca.transform(X)[:, :40] / np.sqrt(pca.explained_variance_[:40])
print(f"40 components, each given the same weight: {recognised(white):.1%}")
print(f"18 parts of NMF, none negative: {recognised(nmf.transform(X)):.1%}")
print(f"40 components hold {pca.explained_variance_ratio_[:40].sum():.0%} of the variance")

figure = plt.figure(figsize=(8, 3.2))
left, right = figure.subfigures(1, 2)
axis = left.subplots()
axis.plot(few, shares, "o-")
axis.axhline(recognised(X), color="0.6", linewidth=1)
axis.set(xlabel="components kept", ylabel="nearest is the same person", ylim=(0, 1.02))
for axis, part in zip(right.subplots(3, 6).ravel(), nmf.components_):
    axis.imshow(part.reshape(32, 32).T, cmap="gray_r")
    axis.set_axis_off()
plt.show()
