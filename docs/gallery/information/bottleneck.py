"""What must be remembered?

Documents squeezed through a bottleneck: bits kept of them against bits these tell of the words. Three topics, a knee.

More: methods/information_bottleneck.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import InformationBottleneck

rng = np.random.default_rng(0)
topics = rng.dirichlet(np.full(20, 0.3), 3)
counts = np.array([rng.multinomial(60, topics[c]) for c in np.repeat([0, 1, 2], [30, 20, 10])])
curve = InformationBottleneck(60, random_state=0).fit(counts).information_curve_
hard = InformationBottleneck(3, random_state=0).fit(counts)
share = hard.information_ / hard.total_information_
print(f"3 clusters keep {hard.rate_:.2f} bits and with them {share:.0%} of what documents tell of words")

plt.plot(curve["rate"], curve["information"], ".-", label="the best there is")
plt.plot(hard.rate_, hard.information_, "D", markersize=8, label="3 clusters")
plt.axhline(hard.total_information_, color="0.7", linewidth=0.8)
plt.xlabel("bits kept of a document")
plt.ylabel("bits told of a word")
plt.legend()
plt.show()
