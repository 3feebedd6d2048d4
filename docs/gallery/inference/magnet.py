"""A magnet warms up.

Spins that like to agree: cold they all do, hot they forget each other, and between lies a transition.

More: methods/ising.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import IsingModel
from unmix.cluster.ising import grid_couplings

model = IsingModel(grid_couplings((12, 12)))
temperatures = np.linspace(1.6, 4.5, 12)
order = []
for T in temperatures:
    starts = [model.sample(60, beta=1 / T, burn_in=400, thin=3, random_state=seed) for seed in range(5)]
    order.append(float(np.median([np.abs(spins.mean(axis=1)).mean() for spins in starts])))
print(f"mean magnetization: {order[0]:.2f} at T = {temperatures[0]:.1f}, {order[-1]:.2f} at T = {temperatures[-1]:.1f}")

plt.plot(temperatures, order, "o-")
plt.axvline(2 / np.log(1 + np.sqrt(2)), color="0.6", linewidth=1)
plt.annotate("transition of an\nunlimited grid", (2.35, 0.8), color="0.4")
plt.xlabel("temperature")
plt.ylabel("magnetization of 12 x 12 spins")
plt.show()
