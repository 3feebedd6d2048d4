"""IntraSOM, with its fast search for the nearest node and no normalization."""

import os
import tempfile

import numpy as np

requires = ["intrasom"]


def solve(X: np.ndarray, side: int, epochs: int, first: float, last: float, seed: int, threads: int) -> np.ndarray:
    import intrasom

    os.chdir(tempfile.gettempdir())  # it makes a folder for results where it stands, asked to save or not
    model = intrasom.SOMFactory.build(
        X,
        mapsize=(side, side),
        mapshape="planar",
        lattice="rect",
        normalization=None,
        initialization="pca",
        faster=True,
        bmu_compute_dtype="float32",
    )
    half = epochs // 2
    middle = first + (last - first) * half / (epochs - 1)
    model.train(
        n_job=threads,
        save=False,
        summary=False,
        train_rough_len=half,
        train_rough_radiusin=first,
        train_rough_radiusfin=middle,
        train_finetune_len=epochs - half,
        train_finetune_radiusin=middle,
        train_finetune_radiusfin=last,
    )
    return model.codebook.matrix
