"""How wide should the kernel be?

Too narrow follows every row, too wide hides the second hill. The width is chosen by rows left out.

More: methods/kernel_density.md
"""

import matplotlib.pyplot as plt
import numpy as np
import polars as pl

from unmix.density import KernelDensity

flippers = pl.read_csv("examples/penguins.csv", null_values="NA").select("flipper_length_mm").drop_nulls().to_numpy()
flippers = flippers.astype(float)
best = float(KernelDensity("likelihood", random_state=0).fit(flippers).bandwidth_[0])
grid = np.linspace(165, 240, 300)[:, None]
print(f"chosen width: {best:.1f} mm")

plt.hist(flippers[:, 0], bins=40, density=True, color="#e2e8f0")
widths = {"too narrow": best / 5, "too wide": 5 * best, "chosen": best}
for name, width in widths.items():
    density = np.exp(KernelDensity(width).fit(flippers).score_samples(grid))
    plt.plot(grid, density, label=f"{name}: {width:.1f} mm", linewidth=2.2 if name == "chosen" else 1)
plt.xlabel("flipper length (mm)")
plt.yticks([])
plt.legend()
plt.show()
