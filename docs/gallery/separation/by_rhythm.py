"""Gaussian sources, by their rhythm.

Both sources are Gaussian, so their distributions tell nothing. Their memories differ, and that is enough.

More: methods/second_order_ica.md
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.signal import lfilter

from unmix.separation import SecondOrderICA, match_sources, sir

rng = np.random.default_rng(0)
noise = rng.normal(size=(2, 6000))
slow, fast = lfilter([1], [1, -0.98], noise[0]), lfilter([1], [1, 1.4, 0.9], noise[1])
S = np.column_stack([slow / slow.std(), fast / fast.std()])
X = S @ np.array([[1.0, 0.6], [0.7, 1.0]])

found = match_sources(S, SecondOrderICA().fit_transform(X)).sources
print(
    "signal above the other, in dB: channels",
    ", ".join(f"{value:.0f}" for value in sir(S, X)),
    "sources",
    ", ".join(f"{value:.0f}" for value in sir(S, found)),
)

figure, axes = plt.subplots(2, 2, sharex=True)
for row, mixed, source in zip(axes, X[:500].T, found[:500].T):
    row[0].plot(mixed, color="0.5", linewidth=0.8)
    row[1].plot(source, linewidth=0.8)
axes[0, 0].set_title("recorded")
axes[0, 1].set_title("found")
for axis in axes.ravel():
    axis.set_yticks([])
plt.show()
