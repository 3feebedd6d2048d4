"""64 objects × 32 features, 6 topics, 200 counts an object."""

from benchmarks.information_bottleneck.topics import topics


def load(quick: bool) -> dict:
    return topics(20 if quick else 64, 32, 6, 200, seed=0)
