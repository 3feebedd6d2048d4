"""Two thirds of the pixels are missing.

What is left is enough: the same atoms that describe the rest of the picture fill the holes.

More: methods/inpainting.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.images import inpaint, psnr

y, x = np.mgrid[:72, :72]
clean = 0.5 + 0.25 * np.sin(x / 2.5) * np.cos(y / 5) + 0.2 * np.sign(np.sin((x - y) / 9))
missing = np.random.default_rng(0).random(clean.shape) < 0.67
filled = inpaint(clean, missing)
print(f"{missing.mean():.0%} missing, filled to more than {int(psnr(clean, filled))} dB")

figure, axes = plt.subplots(1, 3, figsize=(4.8, 2.1))
titles = ("true", f"{missing.mean():.0%} missing", f"filled, > {int(psnr(clean, filled))} dB")
for axis, image, title in zip(axes, (clean, np.where(missing, 0, clean), filled), titles):
    axis.imshow(image, vmin=0, vmax=1)
    axis.set_title(title)
    axis.set_axis_off()
plt.show()
