"""Parts and sources: the code of the tutorial, in cells. Run it from the folder of the project."""

# %% Substances in spectra
import numpy as np
rng = np.random.default_rng(0)
wave = np.linspace(0, 10, 200)
peaks = [((2, 1.0), (6, 0.5)), ((3.5, 0.8), (8, 0.7)), ((5, 1.0), (7, 0.4))]
pure = np.array([sum(h * np.exp(-((wave - at) ** 2) / 0.12) for at, h in two) for two in peaks])
amounts = rng.gamma(0.8, size=(120, 3))
samples = amounts @ pure * rng.gamma(400, 1 / 400, size=(120, 200))      # every reading is off by 5 %

# %% Substances in spectra
from unmix.decomposition import NMF, PCA
from unmix.validation import CrossValidation, select
counted = select(NMF(max_iter=500), samples, range(1, 6), CrossValidation("entries"), random_state=0)
print(counted.best_params)

# %% Substances in spectra
import matplotlib.pyplot as plt
models = {"PCA": PCA(3).fit(samples), "NMF": NMF(3, tol=1e-6, max_iter=2000, random_state=0).fit(samples)}
shown = {"pure": pure, "PCA": models["PCA"].components_, "NMF": models["NMF"].components_}
figure, axes = plt.subplots(1, 3, figsize=(9, 2.8), sharey=True)
for axis, (name, parts) in zip(axes, shown.items()):
    for part in parts:
        line = axis.plot(wave, part / np.abs(part).max())
    text = axis.set(title=name, xlabel="wavelength")

# %% Substances in spectra
for name, model in models.items():
    near = np.abs(np.corrcoef(pure, model.components_)[:3, 3:]).max(axis=1)
    print(name, near.round(2).tolist())

# %% Substances in spectra
found = models["NMF"].transform(samples)
print(np.abs(np.corrcoef(amounts.T, found.T)[:3, 3:]).max(axis=1).round(2).tolist())

# %% Voices in recordings
t = np.arange(3000) / 1000
sources = np.column_stack([np.sin(2 * np.pi * 2 * t), np.sign(np.sin(2 * np.pi * 3.3 * t)), rng.laplace(size=3000)])
channels = sources @ rng.normal(size=(3, 3))

# %% Voices in recordings
from unmix.separation import FastICA, match_sources, sir
ways = {"PCA": PCA(3), "FastICA": FastICA(random_state=0)}
found = {name: way.fit_transform(channels) for name, way in ways.items()}
for name, signals in found.items():
    print(name, sir(sources, signals).round(0).tolist(), "dB above the other sources")

# %% Voices in recordings
figure, axes = plt.subplots(3, 3, figsize=(9, 3.6), sharex=True)
shown = {"recorded": channels} | {name: match_sources(sources, one).sources for name, one in found.items()}
for column, (name, signals) in zip(axes.T, shown.items()):
    title = column[0].set_title(name)
    for axis, signal in zip(column, signals.T):
        line, ticks = axis.plot(t, signal, linewidth=0.7), axis.set_yticks([])

# %% Would it come out again?
from unmix.separation import component_stability
print(component_stability(FastICA(random_state=0), channels, n_runs=10, random_state=0).quality.round(2).tolist())

plt.show()
