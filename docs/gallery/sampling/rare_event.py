"""A rare event.

Beyond four deviations lies one draw in 31,574. Drawing more widely, and weighing what is drawn, sees it far more often.

More: methods/monte_carlo.md
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.stats import norm

from unmix.sampling import importance, monte_carlo


def beyond(X):
    return (X[:, 0] > 4).astype(float)


plain, weighed = [], []
for seed in range(30):
    plain.append(monte_carlo(beyond, norm(0, 1), 10_000, random_state=seed).mean)
    weighed.append(importance(beyond, lambda X: norm.pdf(X[:, 0]), norm(2, 2), 10_000, random_state=seed).mean)
truth = norm.sf(4)
spread = [np.sqrt(np.mean((np.array(found) / truth - 1) ** 2)) for found in (plain, weighed)]
print(f"relative error of 10,000 draws: plain {spread[0]:.0%}, weighed {spread[1]:.0%}")

plt.plot(plain, "o", label="plain")
plt.plot(weighed, "o", label="drawn more widely, and weighed")
plt.axhline(truth, color="0.6", linewidth=1, label="true probability")
plt.xlabel("repetition")
plt.ylabel("P(x > 4)")
plt.legend()
plt.show()
