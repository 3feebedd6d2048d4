"""Prints how often the planted kind leads, how far its bits are from the true density's, and how often nulls save bits.

python -m benchmarks ledger [--quick]        python -m benchmarks.ledger.program [--repeats 20] [--rows 300]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.ledger.tables import NULLS, PLANTED
from unmix.validation import ledger


def planted(repeats: int, n: int, d: int) -> None:
    """Excess is the mean over rows of bits beyond the truth: what learning costs."""
    for kind, make in PLANTED.items():
        right, excess, errors, started = 0, [], [], time.process_time()
        for seed in range(repeats):
            X, log_density = make(np.random.default_rng([n, seed]), n, d)
            found = ledger(X, random_state=seed)
            beyond = found.bits[kind] + (log_density + np.log(found.precision).sum()) / np.log(2)
            right += found.leader == kind
            excess.append(beyond.mean())
            errors.append(beyond.std() / np.sqrt(n))
        seconds = (time.process_time() - started) / repeats
        print(
            f"planted {kind:12} leads {right:3d} of {repeats}   beyond the truth {np.mean(excess):6.3f} bits "
            f"(standard error of one table {np.mean(errors):.3f})   {seconds:.1f} CPU s",
            flush=True,
        )


def nulls(repeats: int, n: int, d: int) -> None:
    """Independent columns of many laws: any kind that surely saves bits is a false alarm."""
    alarms = 0
    for name, make in NULLS.items():
        tables = (make(np.random.default_rng([n, seed, 1]), n, d) for seed in range(repeats))
        found = [ledger(X, random_state=seed).leader for seed, X in enumerate(tables)]
        false = [kind for kind in found if kind != "independent"]
        alarms += len(false)
        print(f"null {name:20} false alarms {len(false):2d} of {repeats}  {' '.join(sorted(set(false)))}", flush=True)
    print(f"all nulls: {alarms} of {repeats * len(NULLS)}")


def main(options: argparse.Namespace | None = None) -> None:
    """Called by `python -m benchmarks ledger` (20 repeats, 2 if quick) or with options of its own."""
    if options is None:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--repeats", type=int, default=20)
        parser.add_argument("--rows", type=int, default=300)
        parser.add_argument("--columns", type=int, default=6)
        given = parser.parse_args()
        repeats, n, d = given.repeats, given.rows, given.columns
    else:
        repeats, n, d = (2 if options.quick else 20), 300, 6
    nulls(repeats, n, d)
    planted(repeats, n, d)


if __name__ == "__main__":
    main()
