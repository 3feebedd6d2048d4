"""Noise taken off.

Atoms learned on the noisy picture itself know its stripes and edges; noise they do not know.

More: methods/image_denoising.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.images import denoise, psnr

y, x = np.mgrid[:80, :80]
clean = 0.5 + 0.3 * np.sign(np.sin((x + y) / 4)) * (x < 40) + 0.25 * np.sin(x / 3) * (x >= 40)
noisy = clean + np.random.default_rng(0).normal(0, 0.15, clean.shape)
better = denoise(noisy, sigma=0.15)
print(f"{psnr(clean, noisy):.1f} dB before, {psnr(clean, better):.1f} dB after")

figure, axes = plt.subplots(1, 3, figsize=(4.8, 2.1))
titles = ("clean", f"noisy, {psnr(clean, noisy):.1f} dB", f"denoised, {psnr(clean, better):.1f} dB")
for axis, image, title in zip(axes, (clean, noisy, better), titles):
    axis.imshow(image, vmin=0, vmax=1)
    axis.set_title(title)
    axis.set_axis_off()
plt.show()
