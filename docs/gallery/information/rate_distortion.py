"""How few bits will do?

Letters sent with some of them wrong: the fewest bits for each share of errors, and the closed form for two letters.

More: methods/information.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.information import entropy, rate_distortion

betas = np.geomspace(0.3, 12, 40)
for law in ([0.5, 0.5], [0.8, 0.2], [0.4, 0.3, 0.2, 0.1]):
    curve = rate_distortion(law, 1 - np.eye(len(law)), betas)
    print(f"{law}: {entropy(law):.2f} bits without errors")
    plt.plot(curve.distortion, curve.rate, label=f"letters with {law}")
share = np.linspace(0.001, 0.499, 60)
closed = [1 - entropy([d, 1 - d]) for d in share]
plt.plot(share[::4], closed[::4], "k.", label="1 - H(D)")
plt.xlabel("share of wrong letters")
plt.ylabel("bits a letter")
plt.legend()
plt.show()
