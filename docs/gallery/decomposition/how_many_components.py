"""How many components?

Shares of variance beside those of the same wine table with its columns shuffled: what lies above is no chance.

More: methods/number_of_components.md
"""

import matplotlib.pyplot as plt
import polars as pl

from unmix.decomposition import PCA, select_components
from unmix.plot import SpectrumDisplay

wine = pl.read_csv("examples/wine.csv").drop("cultivar")
X = wine.select((pl.all() - pl.all().mean()) / pl.all().std()).to_numpy()
found = select_components(X, random_state=0)
print(f"{found.n_components} of {X.shape[1]} components lie above chance")

display = SpectrumDisplay.from_estimator(PCA().fit(X), X, parallel_analysis=True)
display.ax_.set_title(f"178 wines, 13 measurements: {found.n_components} components above chance")
plt.show()
