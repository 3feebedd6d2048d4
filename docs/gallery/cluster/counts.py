"""Documents by their words.

Rows of counts are compared as distributions. Sorted by topic found, the words of each topic stand out.

More: methods/histogram_clustering.md
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.metrics import adjusted_rand_score

from unmix.cluster import HistogramClustering, KMeans

rng = np.random.default_rng(0)
topics = rng.dirichlet(np.full(60, 0.3), 3)
topic = rng.integers(0, 3, 150)
counts = np.array([rng.multinomial(rng.integers(8, 80), topics[c]) for c in topic])

model = HistogramClustering(3, random_state=0).fit(counts)
agreement = adjusted_rand_score(topic, model.labels_)
by_distance = adjusted_rand_score(topic, KMeans(3, random_state=0).fit(counts).labels_)
print(f"agreement with the topics: {agreement:.2f}, by K-means of the counts {by_distance:.2f}")

words = np.lexsort((-topics.max(axis=0), topics.argmax(axis=0)))
figure, axes = plt.subplots(1, 2)
for axis, rows, title in zip(axes, (np.arange(150), np.argsort(model.labels_, kind="stable")), ("as given", "sorted")):
    axis.imshow(np.sqrt(counts[rows][:, words]), cmap="Blues", aspect="auto")
    axis.set(title=title, xlabel="words", xticks=[], yticks=[])
axes[0].set_ylabel("documents")
plt.show()
