"""A signal from few measurements.

Five waves in 256 samples, measured 60 times through random weights: the sparsest signal that fits is the true one.

More: methods/compressive_sensing.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.decomposition import dct_basis, recover, sense

rng = np.random.default_rng(3)
basis = dct_basis(256)
waves = rng.choice(100, 5, replace=False)
x = rng.uniform(1, 3, 5) @ basis[waves]
sizes = [10, 15, 20, 25, 30, 40, 60]
errors = []
for m in sizes:
    y, W = sense(x, m, random_state=0)
    errors.append(np.linalg.norm(recover(y, W, basis, n_nonzero=5) - x) / np.linalg.norm(x))
print("relative error:", ", ".join(f"{m} measurements {error:.2f}" for m, error in zip(sizes, errors)))

figure, (left, right) = plt.subplots(1, 2)
left.plot(x, linewidth=1)
left.set(title="the signal", xlabel="sample")
right.plot(sizes, errors, "o-")
right.set(title="error of what is recovered", xlabel="measurements", ylim=(-0.05, 1.3))
plt.show()
