"""Plants roles, spoils the grants, and asks three methods for the roles and the errors, each in a process of its own.

A share of all grants is taken away, and as many wrong ones are given. Inference chooses the number of roles, the basis
is told it, and the exact cover, which keeps every grant, gets some seconds. *alike* counts planted roles that agree
with one found in four fifths of the permissions that not everybody has, *wrong* what users would get that differs from
the clean access, as a share of the grants. Of as many entries listed first as errors were planted, *precision* is the
share that are errors; *recall* is the share of the errors that are listed at all.
"""

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace

import numpy as np
from scipy.sparse import csr_array

from unmix.roles import Access, DiscreteBasis, boolean_product, explain, mine

SIZES = {"2,000 × 800": (2000, 800, 60), "5,000 × 2,000": (5000, 2000, 100), "50,000 × 10,000": (50_000, 10_000, 300)}
NOISES = (0.001, 0.01, 0.03)
SECONDS_OF_COVER = 60
MOST_USERS_OF_BASIS = 5000  # it holds the table with its zeros several times, and all pairs of permissions
COMMON = 10  # permissions of everybody
HELD, NOT_HELD = ("lost", "direct", "improbable"), ("gained", "missing")
TITLES = ("table", "noise", "method", "roles", "alike", "wrong", "false: precision", "recall", "missing: precision",
          "recall", "CPU s", "peak MB")  # fmt: skip


def main(options: argparse.Namespace) -> None:
    sizes = dict(list(SIZES.items())[:1]) if options.quick else SIZES
    print("".join(f"{title:>19}" for title in TITLES))
    for name, size in sizes.items():
        for noise in NOISES:
            for method in METHODS:
                if method == "basis" and size[0] > MOST_USERS_OF_BASIS:
                    continue
                with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                    row = alone.submit(measure, method, *size, noise).result()
                print("".join(f"{cell:>19}" for cell in (name, f"{100 * noise:g} %", method, *row)), flush=True)


def measure(method: str, n: int, d: int, k: int, noise: float, seed: int = 0) -> list[str]:
    X, clean, roles = planted(n, d, k, noise, seed)
    begin = time.process_time()
    found = METHODS[method](X, k)
    listed = [found.listed(kinds) for kinds in (HELD, NOT_HELD)]
    seconds = time.process_time() - begin
    wrong = abs(found.given - clean).sum() / clean.nnz
    told = []
    for entries, errors in zip(listed, (X - X.multiply(clean), clean - clean.multiply(X))):
        errors = csr_array(errors)
        errors.eliminate_zeros()
        planted_errors = set(zip(*(part.tolist() for part in errors.nonzero())))
        for some in (entries[: len(planted_errors)], entries):
            told.append(f"{len(planted_errors.intersection(some)) / max(len(planted_errors), 1):.4f}")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    agree = f"{alike(found.roles, roles)} of {k}"
    return [str(found.roles.shape[0]), agree, f"{100 * wrong:.3f} %", *told, f"{seconds:.1f}", str(memory)]


def mined(X: csr_array, **asked: object) -> SimpleNamespace:
    """Roles by `mine`, and the entries that `explain` lists, in its order."""
    n, d = X.shape
    access = Access([f"u{i}" for i in range(n)], [f"p{j}" for j in range(d)], X.astype(bool))
    found = mine(access, **asked)
    told = explain(found, most=None).exceptions

    def listed(kinds: tuple[str, ...]) -> list[tuple[int, int]]:
        user, permission = access.user_number, access.permission_number
        return [(user[one.user], permission[one.permission]) for one in told if one.kind in kinds]

    return SimpleNamespace(roles=found.role_permissions, given=found.given.astype(np.float64), listed=listed)


def basis(X: csr_array, k: int) -> SimpleNamespace:
    """The greedy answer to the discrete basis problem (Asso), without refitting; what deviates from it, in no order."""
    model = DiscreteBasis(k, refit=0).fit(X.toarray())
    given = csr_array(boolean_product(model.assignments_, model.roles_))

    def listed(kinds: tuple[str, ...]) -> list[tuple[int, int]]:
        left = csr_array(X - given if kinds == HELD else given - X) > 0
        return list(zip(*(part.tolist() for part in left.nonzero())))

    return SimpleNamespace(roles=csr_array(model.roles_), given=given, listed=listed)


METHODS = {
    "inference": lambda X, k: mined(X, problem="infer"),
    "exact cover": lambda X, k: mined(X, time_limit=SECONDS_OF_COVER),
    "basis": basis,
}


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


def alike(found: csr_array, roles: list[frozenset[int]]) -> int:
    """Planted roles that one found agrees with, both without what everybody has."""
    common = roles[0]
    sets = [frozenset(one.tolist()) - common for one in np.split(found.indices, found.indptr[1:-1])]
    several = [role - common for role in roles[1:]]
    some = sum(max((len(one & role) / len(one | role) for one in sets), default=0) >= 0.8 for role in several)
    everybody = any(common <= frozenset(one.tolist()) for one in np.split(found.indices, found.indptr[1:-1]))
    return some + everybody
