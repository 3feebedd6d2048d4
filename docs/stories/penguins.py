"""Species are groups, sexes are a direction: what four measurements say about penguins.

Data: examples/penguins.csv (CC0), shipped with the project.
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl
from sklearn.metrics import adjusted_rand_score

from unmix.decomposition import PCA
from unmix.density import GaussianMixture

NAMES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]
table = pl.read_csv("examples/penguins.csv", null_values="NA").drop_nulls(NAMES)
X = table.select((pl.col(NAMES) - pl.col(NAMES).mean()) / pl.col(NAMES).std()).to_numpy()
species, male = table["species"].to_numpy(), (table["sex"] == "male").fill_null(False).to_numpy()
known = table["sex"].is_not_null().to_numpy()


def fitted(rows, k):
    return GaussianMixture(k, n_init=5, random_state=0).fit(rows)


costs = {k: fitted(X, k).bic(X) for k in range(1, 7)}
best = min(costs, key=costs.get)
labels = fitted(X, best).predict(X)
right = sum(np.unique(species[labels == c], return_counts=True)[1].max() for c in range(best))
agreement = adjusted_rand_score(species, labels)
print(
    f"{len(X)} penguins: least BIC with {best} groups, {right} with their own species, "
    f"adjusted Rand index {agreement:.2f}"
)

figure, axes = plt.subplots(1, 2, figsize=(8, 3.4))
axes[0].plot(list(costs), list(costs.values()), "o-")
axes[0].set(xlabel="groups", ylabel="BIC, lower is better")
for c in range(best):
    rows, here = X[labels == c], labels == c
    name = np.unique(species[here], return_counts=True)
    name = name[0][name[1].argmax()]
    one, two = fitted(rows, 1).bic(rows), fitted(rows, 2).bic(rows)
    along = PCA(1).fit_transform(rows)[:, 0]
    told = (along > np.median(along))[known[here]]
    share = max(np.mean(told == male[here & known]), np.mean(told != male[here & known]))
    print(
        f"{name}: one group {one:.0f}, two groups {two:.0f}; "
        f"the longest direction cut in the middle tells {share:.0%} of the sexes"
    )
    axes[1].plot(
        table["flipper_length_mm"].to_numpy()[here & male],
        table["body_mass_g"].to_numpy()[here & male],
        "^",
        markersize=4,
        color=f"C{c}",
        label=f"{name}, male",
    )
    axes[1].plot(
        table["flipper_length_mm"].to_numpy()[here & known & ~male],
        table["body_mass_g"].to_numpy()[here & known & ~male],
        "o",
        markersize=4,
        color=f"C{c}",
        alpha=0.35,
    )
axes[1].set(xlabel="flipper length (mm)", ylabel="body mass (g)")
axes[1].legend(fontsize=7)
plt.show()
