"""A year of flights from a file that need not fit into memory.

Data: nycflights13 (CC0): 336,776 flights from New York in 2013, of which 327,346 arrived; not shipped for its size.
"""

import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

from unmix.cluster import KMeans

FILE = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data") / "large" / "nycflights13_numeric.npz"
if not FILE.exists():
    sys.exit(f"the flights of nycflights13 are not at {FILE}")
USED = ["sched_dep_time", "dep_delay", "arr_delay", "air_time", "distance"]
with np.load(FILE, allow_pickle=True) as data:
    names = data["columns"].tolist()
    flights = data["X"][:, [names.index(name) for name in USED]].astype(float)
flights[:, 0] = flights[:, 0] // 100 + flights[:, 0] % 100 / 60  # hours of the day
X = (flights - flights.mean(axis=0)) / flights.std(axis=0)

with tempfile.TemporaryDirectory() as folder:
    np.save(Path(folder) / "flights.npy", X)
    from_file = KMeans(6, random_state=0).fit(str(Path(folder) / "flights.npy"))
in_memory = KMeans(6, random_state=0).fit(X)
same = np.array_equal(from_file.cluster_centers_, in_memory.cluster_centers_)
print(f"{len(X)} flights; centres from the file and from memory are the same to the last bit: {same}")

labels = in_memory.labels_
order = np.argsort([np.mean(flights[labels == c, 2]) for c in range(6)])
print("share  leaves  late on departure  on arrival  in the air    miles")
for c in order:
    hour, left, came, air, miles = flights[labels == c].mean(axis=0)
    print(f"{np.mean(labels == c):5.1%}  {hour:5.1f} h  {left:9.0f} min  {came:9.0f} min  {air:6.0f} min  {miles:7.0f}")
late = labels == order[-1]
made = flights[late, 2].sum() / flights[flights[:, 2] > 0, 2].sum()
evening, usual = np.mean(flights[late, 0] >= 15), np.mean(flights[:, 0] >= 15)
print(
    f"the latest {late.mean():.1%} of the flights make {made:.0%} of all minutes late; "
    f"{evening:.0%} of them leave after 15 h, of all flights {usual:.0%}"
)

figure, axis = plt.subplots(figsize=(7, 3.4))
some = np.random.default_rng(0).choice(len(X), 4000, replace=False)
for c in order:
    rows = some[labels[some] == c]
    axis.plot(
        flights[rows, 0] + 0.3 * np.random.default_rng(1).random(len(rows)), flights[rows, 2], ".", markersize=2.5
    )
axis.set(xlabel="hour of departure", ylabel="minutes late on arrival", ylim=(-80, 400))
plt.show()
