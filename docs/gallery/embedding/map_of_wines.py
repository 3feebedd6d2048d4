"""A map of wines.

Nodes of a grid learn the measurements, neighbours alike. The cultivars, never shown to it, lie in regions of their own.

More: methods/som.md
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from unmix.embedding import SelfOrganizingMap

wine = pl.read_csv("examples/wine.csv")
X = wine.drop("cultivar").select((pl.all() - pl.all().mean()) / pl.all().std()).to_numpy()
model = SelfOrganizingMap((8, 12), topology="hexagonal", n_epochs=30, random_state=0).fit(X)
places = model.map_positions(X) + np.random.default_rng(0).uniform(-0.25, 0.25, (len(X), 2))
print(f"topographic error {model.topographic_error_:.2f}")

for name, colour in zip("ABC", ("#2b6cb0", "#dd6b20", "#2f855a")):
    here = (wine["cultivar"] == name).to_numpy()
    plt.scatter(places[here, 1], places[here, 0], s=22, color=colour, label=f"cultivar {name}")
plt.gca().set(xticks=[], yticks=[], aspect="equal")
plt.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=3)
plt.show()
