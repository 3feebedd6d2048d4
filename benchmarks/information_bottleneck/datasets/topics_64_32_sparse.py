"""64 objects × 32 features, 4 topics, 30 counts an object: most are zero."""

from benchmarks.information_bottleneck.topics import topics


def load(quick: bool) -> dict:
    return topics(20 if quick else 64, 32, 4, 30, seed=1)
