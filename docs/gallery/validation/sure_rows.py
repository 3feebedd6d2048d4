"""How sure is each row?

Refitted on half of the rows again and again, rows in the middle keep their group; those at the border change it.

More: methods/criteria.md
"""

import matplotlib.pyplot as plt

from unmix.cluster import KMeans
from unmix.datasets import blobs
from unmix.validation import row_stability

X, _ = blobs(400, 2, 3, separation=2.2, random_state=2)
model = KMeans(3, random_state=0).fit(X)
sure = row_stability(model, X, random_state=0)
print(f"{(sure > 0.95).mean():.0%} of the rows keep their group in more than 95 of 100 refits")
print(f"{(sure < 0.8).mean():.0%} change it in more than 20")

plt.scatter(*X.T, c=sure, cmap="inferno", vmin=0.5, s=14)
plt.colorbar(label="share of refits that agree")
plt.gca().set(xticks=[], yticks=[])
plt.show()
