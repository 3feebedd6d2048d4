"""Background and mover.

The light changes, a disc passes by. What stays is of low rank, what moves is sparse: two films instead of one.

More: methods/background.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.images import background

rng = np.random.default_rng(0)
y, x = np.mgrid[:40, :60]
wall = 0.4 + 0.2 * ((x // 6 + y // 5) % 2)
frames = (1 + 0.25 * np.sin(np.arange(40) / 5))[:, None, None] * wall
for t in range(40):
    frames[t][(x - 1.6 * t) ** 2 + (y - 20) ** 2 < 36] = 1.0
frames += rng.normal(0, 0.01, frames.shape)
found = background(frames, noise=0.01)
print(f"rank {found.rank}, {found.moving.mean():.1%} of all pixels move")

figure, axes = plt.subplots(3, 3)
for line, images, name in zip(axes, (frames, found.background, found.movers), ("film", "background", "mover")):
    line[0].set_ylabel(name)
    for axis, t in zip(line, (6, 18, 30)):
        axis.imshow(images[t], vmin=0, vmax=1)
        axis.set(xticks=[], yticks=[])
plt.show()
