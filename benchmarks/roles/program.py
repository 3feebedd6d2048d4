"""Roles found by every method of unmix.roles in planted tables with 0 to 40 % of noise."""

import argparse

import numpy as np

from benchmarks.roles.noise import NEW_USERS, NOISE, PERMISSIONS, ROLES, USERS, sweep

TITLES = (
    "distance to the true roles (Hungarian), share of entries",
    "error against the noise-free table",
    "generalization: hidden half of the permissions of new users, error against what they should have",
)


def main(options: argparse.Namespace) -> None:
    seeds = 4 * options.repeat
    results = sweep(seeds, options.only)
    print(
        f"\n# {USERS} users × {PERMISSIONS} permissions × {ROLES} roles, {NEW_USERS} new users; noise is the share of"
    )
    print(f"# entries replaced by a fair coin; mean over {seeds} seeds ± its standard error")
    for index, title in enumerate(TITLES):
        print(f"\n{title}\n{'':30}" + "".join(f"{noise:>16.0%}" for noise in NOISE))
        for name, values in results.items():
            part = values[:, :, index]
            if np.isnan(part).all():
                continue
            cells = [(np.nanmean(row), np.nanstd(row) / max(len(row), 1) ** 0.5) for row in part]
            print(f"{name:30}" + "".join(f"{mean:>9.4f}±{error:.4f}" for mean, error in cells))
