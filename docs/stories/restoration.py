"""A photograph with noise and holes, restored by what it knows of itself.

Data: the camera picture of scikit-image (CC0), not shipped for its size.
"""

import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.interpolate import griddata
from scipy.ndimage import gaussian_filter, median_filter

from unmix.images import denoise, estimate_noise, inpaint, psnr, read_image

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "images" / "skimage_camera.png"
if not FILE.exists():
    sys.exit(f"the camera picture is not at {FILE}")
clean = np.asarray(read_image(FILE).pixels, dtype=float)[60:220, 150:310]
clean = clean / clean.max()
rng = np.random.default_rng(0)

noisy = clean + rng.normal(0, 0.1, clean.shape)
blurred = max((gaussian_filter(noisy, width) for width in np.arange(0.4, 2.0, 0.1)), key=lambda one: psnr(clean, one))
cleaned = {
    "Gaussian blur, best width": blurred,
    "median of 3 x 3": median_filter(noisy, 3),
    "learned atoms": denoise(noisy),
}
print(f"noise {estimate_noise(noisy):.2f} estimated, 0.10 true; {psnr(clean, noisy):.1f} dB")
for name, image in cleaned.items():
    print(f"  {name}: {psnr(clean, image):.1f} dB")

missing = rng.random(clean.shape) < 0.7
places = np.argwhere(~missing)
linear = griddata(places, clean[~missing], tuple(np.indices(clean.shape)), method="linear")
nearest = griddata(places, clean[~missing], tuple(np.indices(clean.shape)), method="nearest")
filled = inpaint(clean, missing)
print(f"{missing.mean():.0%} of the pixels missing")
for name, image in (("linear interpolation", np.where(np.isnan(linear), nearest, linear)), ("learned atoms", filled)):
    print(f"  {name}: {psnr(clean, image):.1f} dB")

figure, axes = plt.subplots(2, 3, figsize=(7.5, 5.2))
shown = [("true", clean), ("noisy", noisy), ("noise taken off", cleaned["learned atoms"])]
shown += [("true", clean), ("70 % missing", np.where(missing, 0, clean)), ("filled in", filled)]
for axis, (title, image) in zip(axes.ravel(), shown):
    axis.imshow(image, vmin=0, vmax=1)
    axis.set_title(title)
    axis.set_axis_off()
plt.show()
