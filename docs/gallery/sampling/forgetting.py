"""How fast a chain forgets.

Two chains of five states with the same stationary law: the gap of the spectrum says how long the start is remembered.

More: methods/markov_chain.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.sampling import MarkovChain

law = np.array([0.1, 0.15, 0.2, 0.25, 0.3])
for name, reach in (("to neighbours", 1), ("anywhere", 4)):
    P = np.zeros((5, 5))
    for i in range(5):
        near = [j for j in range(5) if 0 < abs(i - j) <= reach]
        for j in near:
            P[i, j] = min(1.0, law[j] / law[i]) / (2 * reach)
        P[i, i] = 1 - P[i].sum()
    chain = MarkovChain(P)
    print(f"steps {name}: gap {chain.spectral_gap():.2f}, within 1 % after {chain.mixing_time(0.01)} steps")
    now, distance = np.eye(5)[0], []
    for _ in range(60):
        distance.append(0.5 * np.abs(now - chain.stationary()).sum())
        now = now @ P
    plt.semilogy(distance, label=f"steps {name}")
plt.axhline(0.01, color="0.7", linewidth=0.8)
plt.ylim(1e-5, 1)
plt.xlabel("steps")
plt.ylabel("distance to the stationary law")
plt.legend()
plt.show()
