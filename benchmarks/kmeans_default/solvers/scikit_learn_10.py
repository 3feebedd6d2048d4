"""sklearn.cluster.KMeans with ten restarts."""

from functools import partial

from benchmarks.kmeans.solvers import scikit_learn

requires = scikit_learn.requires
solve = partial(scikit_learn.solve, n_init=10)
