"""Three Gaussians among penguins.

Bills alone: a mixture with a covariance for each part follows groups that are neither round nor equal.

More: methods/gaussian_mixture.md
"""

import matplotlib.pyplot as plt
import polars as pl

from unmix.density import GaussianMixture
from unmix.plot import MixtureDisplay

bills = pl.read_csv("examples/penguins.csv", null_values="NA").select("bill_length_mm", "bill_depth_mm").drop_nulls()
model = GaussianMixture(3, random_state=0).fit(bills)
print("shares:", ", ".join(f"{share:.0%}" for share in sorted(model.weights_, reverse=True)))
scores = {k: GaussianMixture(k, random_state=0).fit(bills).bic(bills) for k in range(1, 6)}
print("least BIC with", min(scores, key=scores.get), "parts")

MixtureDisplay.from_estimator(model, bills, ax=plt.gca())
plt.show()
