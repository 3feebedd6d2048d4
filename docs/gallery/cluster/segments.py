"""Regions of a noisy picture.

Each pixel alone is ambiguous. Where every border between neighbours has a price, regions come out whole.

More: methods/smooth_kmeans.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import KMeans, SmoothKMeans

y, x = np.mgrid[:60, :90]
truth = 1 * ((x - 30) ** 2 + (y - 30) ** 2 < 400) + 2 * (x > 60)
pixels = (truth + np.random.default_rng(0).normal(scale=0.7, size=truth.shape)).reshape(-1, 1)

ways = {
    "KMeans": KMeans(3, random_state=0),
    "SmoothKMeans": SmoothKMeans(3, coupling=1.2, neighbors=truth.shape, random_state=0),
}
figure, axes = plt.subplots(1, 3, figsize=(4.8, 2.1))
axes[0].imshow(pixels.reshape(truth.shape))
axes[0].set_title("noisy")
for axis, (name, model) in zip(axes[1:], ways.items()):
    found = model.fit(pixels)
    rank = np.argsort(np.argsort(found.cluster_centers_[:, 0]))[found.labels_].reshape(truth.shape)
    wrong = f"{(rank != truth).mean():.1%}"
    print(f"{name}: {wrong} of the pixels in the wrong region")
    axis.imshow(rank, cmap="viridis")
    axis.set_title(f"{name}\n{wrong} wrong")
for axis in axes:
    axis.set_axis_off()
plt.show()
