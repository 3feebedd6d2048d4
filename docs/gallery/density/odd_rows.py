"""Rows that fit nowhere.

A density learned from all wines, and the five least probable: where to look first for errors, or for news.

More: methods/gaussian.md
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from unmix.density import GaussianMixture

wine = pl.read_csv("examples/wine.csv").select("flavanoids", "color_intensity")
model = GaussianMixture(3, random_state=0).fit(wine)
surprise = -model.score_samples(wine)
odd = np.argsort(-surprise)[:5]
print("least probable rows:", sorted((odd + 1).tolist()))

X = wine.to_numpy()
plt.scatter(*X.T, c=surprise, cmap="YlOrRd", s=16, edgecolors="0.6", linewidths=0.3)
plt.colorbar(label="surprise")
for place, i in enumerate(odd):
    plt.annotate(f"row {i + 1}", X[i], xytext=(6, 4 if place % 2 else -10), textcoords="offset points")
plt.xlabel("flavanoids")
plt.ylabel("colour intensity")
plt.show()
