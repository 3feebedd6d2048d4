"""The tree of splits.

Cooled from one cluster down, groups part where the data call for it: first the halves, then what is inside them.

More: methods/soft_kmeans.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import SoftKMeans
from unmix.plot import SplitTreeDisplay

centres = np.array([[-6.0, -2.0], [-4.0, 2.0], [1.0, 0.0], [5.0, 2.5], [6.5, -2.0], [8.0, 1.0]])
X = np.repeat(centres, 60, axis=0) + 0.7 * np.random.default_rng(0).normal(size=(360, 2))
model = SoftKMeans(6).fit(X)

print("splits at temperatures", ", ".join(f"{T:.1f}" for T in model.critical_temperatures_))
display = SplitTreeDisplay.from_estimator(model)
display.ax_.set_title("One cluster becomes six as the temperature falls")
plt.show()
