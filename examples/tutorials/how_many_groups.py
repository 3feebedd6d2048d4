"""How many groups, really?: the code of the tutorial, in cells. Run it from the folder of the project."""

# %% Two tables
from unmix.datasets import blobs, gaussian
grouped, truth = blobs(300, 2, 4, random_state=0)
cloud = gaussian(300, 2, random_state=1)

# %% Two tables
import matplotlib.pyplot as plt
from unmix.cluster import KMeans
figure, axes = plt.subplots(1, 2, figsize=(8, 3.2))
for axis, X, name in zip(axes, (grouped, cloud), ("four groups", "one cloud")):
    dots = axis.scatter(*X.T, c=KMeans(4, random_state=0).fit(X).labels_, cmap="viridis", s=9)
    text = axis.set(title=name, xticks=[], yticks=[])

# %% The elbow, and why not
figure, axis = plt.subplots(figsize=(5, 3))
for X, name in ((grouped, "four groups"), (cloud, "one cloud")):
    costs = [KMeans(k, random_state=0).fit(X).inertia_ for k in range(1, 10)]
    line = axis.plot(range(1, 10), [cost / costs[0] for cost in costs], "o-", label=name)
text, legend = axis.set(xlabel="K", ylabel="cost, as a share of K = 1"), axis.legend()

# %% The elbow, and why not
from sklearn.metrics import silhouette_score
scores = {k: silhouette_score(cloud, KMeans(k, random_state=0).fit(cloud).labels_) for k in range(2, 8)}
print("the cloud, by silhouette:", max(scores, key=scores.get), "clusters")

# %% Ask with one as a candidate
from unmix.validation import select
for name, X in (("four groups", grouped), ("one cloud", cloud)):
    found = select(KMeans(), X, range(1, 9), random_state=0)
    print(f"{name}: {found.verdict.partition('. ')[0].partition(':')[0]}")

# %% Ask with one as a candidate
print(select(KMeans(), grouped, range(1, 9), random_state=0).details["consensus"].votes)

# %% When groups come close
for separation in (6, 4, 3, 2):
    X, _ = blobs(300, 2, 4, separation=separation, random_state=0)
    print(separation, select(KMeans(), X, range(1, 9), random_state=0).verdict.partition(". ")[0].partition(":")[0])

# %% A real table
import polars as pl
wine = pl.read_csv("examples/wine.csv")
X = wine.drop("cultivar").select((pl.all() - pl.all().mean()) / pl.all().std()).to_numpy()
found = select(KMeans(), X, range(1, 9), random_state=0)
print(found.verdict.partition(". ")[0])
labels = KMeans(3, random_state=0).fit(X).labels_
from sklearn.metrics import adjusted_rand_score
print(round(adjusted_rand_score(wine["cultivar"].to_numpy(), labels), 2))

plt.show()
