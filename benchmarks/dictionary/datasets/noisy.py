"""5000 × 64, 128 atoms, 5 non-zeros, noise of 18 % in norm."""

from benchmarks.dictionary.signals import signals


def load(quick: bool) -> dict:
    return signals(0.05, quick)
