"""A walk through a banana.

A density known up to a factor: a hundred chains walk through it, and a verdict says whether to believe them.

More: methods/metropolis_hastings.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.sampling import metropolis_hastings


def log_p(points):
    x, y = points.T
    return -(x**2) / 8 - (y + x**2 / 4 - 2) ** 2


start = np.random.default_rng(0).normal(size=(100, 2))
chains = metropolis_hastings(log_p, start=start, n_steps=8000, random_state=0)
print(chains.verdict().partition(". ")[0])
print(f"variance of x: {chains.pooled[:, 0].var():.1f}, exactly 4")

plt.plot(*chains.pooled[::250].T, ".", markersize=2, alpha=0.5)
plt.plot(*chains.samples[0, :60].T, "-", linewidth=1, color="#dd6b20", label="60 steps of one chain")
plt.legend()
plt.show()
