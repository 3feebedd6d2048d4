"""Three signals, mixed and unmixed.

Three channels each hold all three signals. Knowing nothing but that the sources are independent, they come apart.

More: methods/fastica.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.separation import FastICA, match_sources, sir

rng = np.random.default_rng(0)
t = np.arange(2000) / 1000
S = np.column_stack([np.sin(2 * np.pi * 3 * t), np.sign(np.sin(2 * np.pi * 5 * t)), rng.laplace(size=2000)])
X = S @ rng.normal(size=(3, 3)) + 0.05 * rng.normal(size=(2000, 3))

found = FastICA(random_state=0).fit_transform(X)
print("signal above the others, in dB:", ", ".join(f"{value:.0f}" for value in sir(S, found)))

figure, axes = plt.subplots(3, 2, sharex=True)
for row, mixed, source in zip(axes, X.T, match_sources(S, found).sources.T):
    row[0].plot(t, mixed, color="0.5", linewidth=0.7)
    row[1].plot(t, source, linewidth=0.7)
axes[0, 0].set_title("recorded")
axes[0, 1].set_title("found")
for axis in axes.ravel():
    axis.set_yticks([])
for axis in axes[-1]:
    axis.set_xlabel("seconds")
plt.show()
