"""Atoms of a picture.

Patches of stripes and edges are each made of two or three learned atoms; the atoms show what the picture is made of.

More: methods/dictionary_learning.md
"""

import matplotlib.pyplot as plt
import numpy as np

from unmix.decomposition import DictionaryLearning

y, x = np.mgrid[:96, :96]
picture = np.where(x < 48, np.sin((x + y) / 2.2), np.sign(np.sin(y / 4))) * (1 - 0.5 * (y > 70))
patches = np.lib.stride_tricks.sliding_window_view(picture, (8, 8))[::2, ::2].reshape(-1, 64)
patches = patches - patches.mean(axis=1, keepdims=True)

learned = DictionaryLearning(32, fit_algorithm="ksvd", transform_n_nonzero_coefs=2, max_iter=15, random_state=0)
learned.fit(patches)
left = (learned.reconstruction_err_ / np.linalg.norm(patches)) ** 2
print(f"two atoms a patch: {left:.1%} of the squares are left")

figure = plt.figure()
one, many = figure.subfigures(1, 2)
axis = one.subplots()
axis.imshow(picture)
axis.set_axis_off()
for axis, atom in zip(many.subplots(6, 5).ravel(), learned.components_):
    axis.imshow(atom.reshape(8, 8))
    axis.set_axis_off()
plt.show()
