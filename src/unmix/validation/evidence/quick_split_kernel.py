"""The compiled part of quick_split.py: how often clusters of two labellings meet. Imported on first use."""

from numba import njit


@njit(cache=True, nogil=True)
def count_pairs(first, second, labels, common, shuffles, counts):
    """counts[s] for size s: first and labels, second and labels, both on the common rows, and so for each shuffle."""
    for s in range(len(counts)):
        for i in range(labels.shape[1]):
            counts[s, 0, first[s, i], labels[s, i]] += 1
            counts[s, 1, second[s, i], labels[s, i]] += 1
        for i in range(len(common)):
            own = first[s, common[i]]
            counts[s, 2, own, second[s, common[i]]] += 1
            for r in range(len(shuffles)):
                counts[s, 3 + r, own, second[s, common[shuffles[r, i]]]] += 1
