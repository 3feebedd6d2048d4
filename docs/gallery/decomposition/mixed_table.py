"""A hole filled, and how far to trust it.

Every tenth penguin's weight is hidden. Species, sex and lengths tell it, each with an interval of 90 %.

More: methods/factorization.md
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from unmix.decomposition import Factorization

penguins = pl.read_csv("examples/penguins.csv", null_values="NA")
hidden = (np.arange(len(penguins)) % 10 == 0) & penguins["body_mass_g"].is_not_null().to_numpy()
holed = penguins.with_columns(body_mass_g=pl.when(pl.Series(hidden)).then(None).otherwise(pl.col("body_mass_g")))

model = Factorization(4, random_state=0).fit(holed)
column = penguins.columns.index("body_mass_g")
true, told = (table["body_mass_g"].to_numpy()[hidden] for table in (penguins, model.impute(holed)))
low, high = (end[hidden, column] for end in model.impute_interval(holed, 0.9))
inside = ((low <= true) & (true <= high)).sum()
print(f"off by {np.abs(true - told).mean():.0f} g on average; {inside} of {hidden.sum()} inside their interval")

order = np.argsort(true)
plt.vlines(np.arange(len(order)), low[order], high[order], color="#bcd0e8", linewidth=5, label="interval of 90 %")
plt.plot(told[order], "o", markersize=4, label="filled in")
plt.plot(true[order], "_", color="black", markersize=9, label="true")
plt.ylabel("body mass (g)")
plt.xlabel("penguins whose weight was hidden")
plt.xticks([])
plt.legend()
plt.show()
