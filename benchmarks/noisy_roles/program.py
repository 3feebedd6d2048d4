"""Plants roles, spoils the grants, infers the roles and ranks the errors; beside it an exact cover and a basis.

A share of all grants is taken away, and as many wrong ones are given. *alike* counts planted roles that agree with one
found in four fifths of their permissions, *wrong* what users would get that differs from the clean access, as a share
of the grants, and *precision* how many of the first entries listed are errors, as many as were planted of each kind.
"""

import argparse
import resource
import time

import numpy as np
from scipy.sparse import csr_array

from unmix.roles import Access, DiscreteBasis, boolean_product, explain, mine

SIZES = {"5,000 × 2,000": (5000, 2000, 100), "50,000 × 10,000": (50_000, 10_000, 300)}
NOISES = (0.001, 0.01, 0.03)
SECONDS_OF_COVER = 30
MOST_USERS_OF_BASIS = 5000  # it holds the table with its zeros, and all pairs of permissions
COMMON = 10  # permissions of everybody


def main(options: argparse.Namespace) -> None:
    sizes = dict(list(SIZES.items())[:1]) if options.quick else SIZES
    head = (
        "table",
        "noise",
        "roles",
        "planted",
        "alike",
        "wrong",
        "precision",
        "CPU s",
        "peak MB",
        "exact",
        "DBP wrong",
    )
    print("".join(f"{title:>17}" for title in head))
    for name, size in sizes.items():
        for noise in NOISES:
            row = [name, f"{100 * noise:g} %", *map(str, measure(*size, noise))]
            print("".join(f"{cell:>17}" for cell in row), flush=True)


def measure(n: int, d: int, k: int, noise: float) -> list[object]:
    X, clean, roles = planted(n, d, k, noise)
    access = Access([f"u{i}" for i in range(n)], [f"p{j}" for j in range(d)], X.astype(bool))
    begin = time.process_time()
    found = mine(access, "infer")
    seconds = time.process_time() - begin
    given = found.given.astype(np.float64)
    wrong = abs(given - clean).sum() / clean.nnz
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    exact = len(mine(access, time_limit=SECONDS_OF_COVER).names)
    shown = [f"{precision(found, X, clean):.4f}", f"{seconds:.1f}", memory, exact, discrete_basis(X, clean, k)]
    return [len(found.names), k, alike(found, roles), f"{100 * wrong:.3f} %", *shown]


def discrete_basis(X: csr_array, clean: csr_array, k: int) -> str:
    """What the discrete basis problem's greedy answer with the planted number of roles gets wrong, where it can run."""
    if X.shape[0] > MOST_USERS_OF_BASIS:
        return "-"
    begin = time.process_time()
    model = DiscreteBasis(k).fit(X.toarray())
    wrong = np.abs(boolean_product(model.assignments_, model.roles_) - clean.toarray()).sum() / clean.nnz
    return f"{100 * wrong:.1f} % {time.process_time() - begin:.0f} s"


def planted(n: int, d: int, k: int, noise: float, seed: int = 0) -> tuple[csr_array, csr_array, list[frozenset[int]]]:
    """Roles of 8 to 29 permissions, popular and rare ones, one to four a user, and what everybody has."""
    rng = np.random.default_rng(seed)
    sizes = [COMMON, *rng.integers(8, 30, size=k - 1)]
    roles = [rng.choice(d, size, replace=False) for size in sizes]
    share = rng.pareto(1.5, k) + 0.3
    held = [np.append(rng.choice(k, rng.integers(1, 5), replace=False, p=share / share.sum()), 0) for _ in range(n)]
    permissions = [np.unique(np.concatenate([roles[r] for r in some])) for some in held]
    users, columns = np.repeat(np.arange(n), [len(some) for some in permissions]), np.concatenate(permissions)
    clean = csr_array((np.ones(len(users)), (users, columns)), shape=(n, d))
    kept, more = rng.random(len(users)) >= noise, int(noise * len(users))
    entries = np.append(users[kept], rng.integers(n, size=more)), np.append(columns[kept], rng.integers(d, size=more))
    X = csr_array((np.ones(len(entries[0])), entries), shape=(n, d))
    X.sum_duplicates()
    X.data[:] = 1.0
    return X, clean, [frozenset(role.tolist()) for role in roles]


def alike(found, roles: list[frozenset[int]]) -> int:
    lists = np.split(found.role_permissions.indices, found.role_permissions.indptr[1:-1])
    sets = [frozenset(one.tolist()) for one in lists]
    return sum(max((len(one & role) / len(one | role) for one in sets), default=0) >= 0.8 for role in roles)


def precision(found, X: csr_array, clean: csr_array) -> float:
    """Of the entries listed first, as many of each kind as were planted: the share that are errors."""
    listed, numbers = explain(found, most=None).exceptions, (found.access.user_number, found.access.permission_number)
    hits, total = 0, 0
    for kinds, errors in ((("lost",), X - X.multiply(clean)), (("gained",), clean - clean.multiply(X))):
        planted_errors = set(zip(*csr_array(errors).nonzero()))
        entries = [(numbers[0][one.user], numbers[1][one.permission]) for one in listed if one.kind in kinds]
        hits += len(planted_errors.intersection(entries[: len(planted_errors)]))
        total += len(planted_errors)
    return hits / max(total, 1)
