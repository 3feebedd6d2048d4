"""How many numbers is a face? 400 photographs of 40 people.

Data: ORL faces (Samaria and Harter 1994), not shipped: the copy used states GPL-2.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.decomposition import NMF, PCA, select_components

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "faces" / "orl.npz"
if not FILE.exists():
    sys.exit(f"the ORL faces are not at {FILE}")
with np.load(FILE) as data:
    X, person = data["X"].astype(float) / 255, data["y"]


def recognised(codes: np.ndarray) -> float:
    """The share of photographs whose nearest other one shows the same person."""
    distances = ((codes[:, None] - codes) ** 2).sum(axis=2)
    np.fill_diagonal(distances, np.inf)
    return float((person[distances.argmin(axis=1)] == person).mean())


chosen = select_components(X, random_state=0).n_components
pca, nmf = PCA(chosen).fit(X), NMF(chosen, random_state=0).fit(X)
kept = pca.explained_variance_ratio_.sum()
print(f"{len(X)} photographs of {X.shape[1]} pixels: {chosen} components above chance, {kept:.0%} of the variance")
print(f"the nearest photograph shows the same person: {recognised(X):.1%} by all pixels, "
      f"{recognised(pca.transform(X)):.1%} by {chosen} numbers")
white = pca.transform(X) / np.sqrt(pca.explained_variance_)
print(f"with every component given the same weight: {recognised(white):.1%}")
empty = (nmf.components_ < 0.01 * nmf.components_.max(axis=1, keepdims=True)).mean()
print(f"parts of NMF are {empty:.0%} empty, and {recognised(nmf.transform(X)):.1%} by their amounts")

few = [2, 5, 10, 20, chosen, 80]
shares = [recognised(PCA(k).fit_transform(X)) for k in few]
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
