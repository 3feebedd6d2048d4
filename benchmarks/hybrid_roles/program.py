"""Plants access that follows from department, site and title, and mines it with attributes and without.

*purity* is the share of the blocks (users × permissions) of all roles that lies inside one planted role; *errors* are
entries that users would get or lose wrongly, as a share of the clean grants. Both minings get the number of roles of
the one that finds fewer.
"""

import argparse

import numpy as np

from unmix.roles import Access
from unmix.roles.description.infer import infer_by_description
from unmix.roles.description.limits import Limits
from unmix.roles.problem.budget import Budget

FIRST_SEED = 700
SHAPES = {"240 users, 3 %": (240, 0.03), "240 users, 8 %": (240, 0.08), "120 users, 6 %": (120, 0.06)}


def main(options: argparse.Namespace) -> None:
    seeds = range(FIRST_SEED, FIRST_SEED + (2 if options.quick else 20))
    print(f"{'table':18}{'attributes':>12}{'roles':>7}{'purity':>8}{'plain':>8}{'errors':>8}{'plain':>8}{'better':>8}")
    for name, (n, noise) in SHAPES.items():
        for shuffled in (False, True):
            rows = np.array([measure(n, noise, seed, shuffled) for seed in seeds])
            mean = rows.mean(axis=0)
            kind = "noise" if shuffled else "planted"
            better = f"{(rows[:, 1] > rows[:, 2]).sum()} of {len(rows)}"
            print(
                f"{name:18}{kind:>12}{mean[0]:7.1f}{mean[1]:8.3f}{mean[2]:8.3f}{mean[3]:8.3f}{mean[4]:8.3f}{better:>8}",
                flush=True,
            )


def measure(n: int, noise: float, seed: int, shuffled: bool) -> list[float]:
    access, clean, held, roles = company(n, noise, seed, shuffled)
    found = [infer_by_description(access, Budget(None), 0, steer=steer) for steer in (True, False)]
    least = Limits(most_roles=min(len(one.names) for one in found))
    for k, steer in enumerate((True, False)):
        if len(found[k].names) != least.most_roles:
            found[k] = infer_by_description(access, Budget(None), 0, limits=least, steer=steer)
    errors = [np.abs(one.given.toarray().astype(int) - clean).sum() / clean.sum() for one in found]
    return [len(found[0].names), *(purity(one, held, roles) for one in found), *errors]


def company(n: int, noise: float, seed: int, shuffled: bool, d: int = 150, obey: float = 0.95):
    """Roles by department, by site, and by department and title; one in twenty does not have what follows."""
    rng = np.random.default_rng(seed)
    department, site, title = (rng.integers(k, size=n) for k in (6, 4, 3))
    follows = [department == v for v in range(6)] + [site == v for v in range(4)]
    follows += [(department == v) & (title == t) for v in range(6) for t in range(3)]
    sizes = [rng.integers(6, 10) if k < 6 else rng.integers(3, 6) for k in range(len(follows))]
    roles = np.array([np.isin(np.arange(d), rng.choice(d, size, replace=False)) for size in sizes])
    held = np.array(follows).T & (rng.random((n, len(follows))) < obey)
    held |= rng.random(held.shape) < 0.1 * (1 - obey)
    clean = held.astype(int) @ roles > 0
    X = clean.copy()
    for value in (True, False):
        places = np.argwhere(clean == value)
        X[tuple(places[rng.choice(len(places), round(noise * clean.sum()), replace=False)].T)] = not value
    columns = {"department": department, "site": site, "title": title}
    if shuffled:
        columns = {name: rng.permutation(values) for name, values in columns.items()}
    who = {f"u{i}": {name: f"{name[0]}{values[i]}" for name, values in columns.items()} for i in range(n)}
    return Access(list(who), [f"p{j}" for j in range(d)], X, user_attributes=who), clean, held, roles


def purity(found, held: np.ndarray, roles: np.ndarray) -> float:
    users, permissions = found.user_roles.toarray().astype(float), found.role_permissions.toarray().astype(float)
    blocks = (users.T @ held) * (permissions @ roles.T.astype(float))
    return float(blocks.max(axis=1).sum() / (users.sum(axis=0) * permissions.sum(axis=1)).sum())
