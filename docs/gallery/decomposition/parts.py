"""Digits from parts.

Non-negative factors add up and never cancel, so what comes out are strokes, not shadows of whole digits.

More: methods/nmf.md
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from unmix.decomposition import NMF

X = load_digits().data
model = NMF(16, random_state=0).fit(X)
error = model.reconstruction_err_ / np.linalg.norm(X)
print(f"16 parts of 64 pixels keep {1 - error**2:.0%} of the squares of {len(X)} images")

figure, axes = plt.subplots(4, 8)
example = X[7]
for axis, image in zip(axes[:, :4].ravel(), model.components_):
    axis.imshow(image.reshape(8, 8), cmap="Blues")
amounts = model.transform(X[:16])
for axis, image in zip(axes[:, 4:].ravel(), model.inverse_transform(amounts)):
    axis.imshow(image.reshape(8, 8), cmap="gray_r")
for axis in axes.ravel():
    axis.set_axis_off()
figure.suptitle("16 parts                                    16 digits made of them")
plt.show()
