"""The heartbeat of an unborn child, from electrodes on its mother's abdomen.

Data: foetal ECG of the DaISy database (De Moor et al., KU Leuven), not shipped.
"""

import runpy
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.separation import FastICA, component_stability

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "ica" / "foetal_ecg.npz"
if not FILE.exists():
    sys.exit(f"the foetal ECG of the DaISy database is not at {FILE}")
with np.load(FILE) as data:
    X = data["X"]

separate = runpy.run_path("examples/foetal_ecg.py")["separate"]
sources, hearts = separate(X)
again = component_stability(FastICA(random_state=0), X[:, :5], n_runs=10, random_state=0).quality
for j, heart in enumerate(hearts):
    who = "no heart" if not heart.is_one else "the child" if heart.by_peaks > 110 else "the mother"
    rate = (
        f", {heart.by_peaks:.0f} beats a minute by peaks, {heart.by_autocorrelation:.0f} by repetition"
        if heart.is_one
        else ""
    )
    print(f"source {j + 1}: {who}{rate}; found again {again[j]:.2f}")

child = next(j for j, heart in enumerate(hearts) if heart.is_one and heart.by_peaks > 110)
t = np.arange(len(X)) / 250
figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 3.2), sharex=True)
top.plot(t, X[:, 0], color="0.5", linewidth=0.7)
top.set(title="an electrode on the abdomen: the mother's beats", yticks=[])
bottom.plot(t, sources[:, child], linewidth=0.7)
bottom.plot(t[hearts[child].beats], np.full(len(hearts[child].beats), 1.1 * sources[:, child].max()), "v", markersize=4)
bottom.set(title="the source that is the child", xlabel="seconds", yticks=[])
plt.show()
