"""2000 × 1000, rank 20, sparse factors and noise, float64."""

from benchmarks.nmf.tables import parts, with_target


def load(quick: bool) -> dict:
    return with_target(parts(400 if quick else 2000, 300 if quick else 1000, 20, "f8"), 20)
