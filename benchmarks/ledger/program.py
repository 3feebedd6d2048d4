"""Prints how often the planted kind leads, how far its bits are from the true density's, and how often nulls save bits.

python -m benchmarks ledger [--quick]        python -m benchmarks.ledger.program [--repeats 20] [--rows 100,300,1000]

Tables have 4 to 15 columns, another number each.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.ledger.tables import NULLS, PLANTED, Made
from unmix.validation import Ledger, ledger

MANY = 20_000  # rows that tell what a law costs on average


class Truth(NamedTuple):
    """Nats a row of a law, and what these are less than those of its single columns, None if that is not known."""

    nats: float
    saved: float | None


def truth(make: Callable[..., Made], key: list[int], d: int) -> Truth:
    _, joint, alone = make(np.random.default_rng(key), MANY, d)
    return Truth(float(-joint.mean()), None if alone is None else float((joint - alone).mean()))


def columns(n: int, seed: int) -> int:
    """How many columns a table has."""
    return int(np.random.default_rng([n, seed, 555]).integers(4, 16))


def planted(repeats: int, n: int) -> None:
    """Excess is the mean over rows of bits beyond those of the true density on the same rows: what learning costs.

    Bits a row and bits saved are then compared with those of the law itself, by the errors that the ledger gives.
    """
    for kind, make in PLANTED.items():
        right, excess, errors, near, started = 0, [], [], [], time.process_time()
        for seed in range(repeats):
            d = columns(n, seed)
            key = [n, seed, 556, d]
            X, log_density, _ = make(np.random.default_rng(key), n, d)
            found = ledger(X, random_state=seed)
            written = np.log(found.precision).sum()
            beyond = found.bits[kind] + (log_density + written) / np.log(2)
            right += found.leader == kind
            excess.append(beyond.mean())
            errors.append(beyond.std() / np.sqrt(n))
            near.append(_near(found, kind, truth(make, key, d), written))
        seconds = (time.process_time() - started) / repeats
        of_bits, of_saved = np.array(near, float).T
        saved = "" if np.isnan(of_saved).any() else f", bits saved {np.sum(of_saved <= 2):.0f}"
        print(
            f"{n:5d} rows, planted {kind:12} leads {right:3d} of {repeats}   beyond the truth {np.mean(excess):6.3f} "
            f"bits (standard error of one table {np.mean(errors):.3f})   within two errors of the law: bits a row "
            f"{np.sum(of_bits <= 2)}{saved} of {repeats} tables   {seconds:.1f} CPU s",
            flush=True,
        )


def _near(found: Ledger, kind: str, law: Truth, written: float) -> tuple[float, float]:
    """How many standard errors bits and bits saved are from those of the law; saving nothing has no error."""
    line = next(line for line in found.table if line["kind"] == kind)
    bits = abs(line["bits"] - (law.nats - written) / np.log(2)) / line["error"]
    if law.saved is None:
        return bits, np.nan
    miss = abs(line["saved"] - law.saved / np.log(2))
    return bits, miss / line["saved_error"] if line["saved_error"] > 0 else (0.0 if miss < 1e-9 else np.inf)


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
        parser.add_argument("--rows", default="100,300,1000")
        given = parser.parse_args()
        repeats, sizes = given.repeats, [int(n) for n in given.rows.split(",")]
    else:
        repeats, sizes = (2 if options.quick else 20), [300]
    nulls(repeats, 300, 6)
    for n in sizes:
        planted(repeats, n)


if __name__ == "__main__":
    main()
