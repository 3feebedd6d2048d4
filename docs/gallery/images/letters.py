"""A black and white picture repaired.

A fifth of the pixels flipped. Pixels like their neighbours: the most probable picture is found exactly, by a cut.

More: methods/ising.md
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath

from unmix.cluster import denoise_binary_image

outline = TextPath((4, 8), "unmix", size=44, prop=FontProperties(family="DejaVu Sans", weight="bold"))
y, x = np.mgrid[:50, :175]
truth = Path(outline.vertices, outline.codes).contains_points(np.column_stack([x.ravel(), y.ravel()]))
truth = truth.reshape(x.shape)[::-1]
noisy = truth ^ (np.random.default_rng(0).random(truth.shape) < 0.2)
restored = denoise_binary_image(noisy)
print(f"wrong pixels: {(noisy != truth).mean():.0%} before, {(restored != truth).mean():.0%} after")

figure, axes = plt.subplots(2, 1)
for axis, image, name in zip(axes, (noisy, restored), ("noisy", "restored")):
    axis.imshow(image, cmap="gray_r")
    axis.set(ylabel=name, xticks=[], yticks=[])
plt.show()
