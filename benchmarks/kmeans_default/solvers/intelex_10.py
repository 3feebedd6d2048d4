"""sklearnex.cluster.KMeans with ten restarts."""

from functools import partial

from benchmarks.kmeans.solvers import intelex

requires = intelex.requires
solve = partial(intelex.solve, n_init=10)
