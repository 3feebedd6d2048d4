"""20000 × 10000, 0.5 % of the entries, rank 20, float32."""

from benchmarks.nmf.tables import sparse, with_target


def load(quick: bool) -> dict:
    return with_target(sparse(2000 if quick else 20_000, 1000 if quick else 10_000, 0.005, "f4"), 20)
