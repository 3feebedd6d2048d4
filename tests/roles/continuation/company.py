"""A company whose access changes day by day: joiners, movers, leavers, roles that drift, and odd single grants."""

import numpy as np


class Company:
    """Planted roles (sets of permissions), who has which, and odd grants beside them."""

    def __init__(self, n_users, n_permissions, n_roles, seed):
        self.rng = np.random.default_rng(seed)
        self.m, self.next_user = n_permissions, 0
        self.roles = [self.some_permissions() for _ in range(n_roles)]
        self.held, self.odd = {}, {}
        for _ in range(n_users):
            self.join()

    def some_permissions(self):
        return {int(p) for p in self.rng.choice(self.m, size=self.rng.integers(3, 9), replace=False)}

    def some_roles(self):
        return {int(r) for r in self.rng.choice(len(self.roles), size=self.rng.integers(1, 4), replace=False)}

    def somebody(self):
        return list(self.held)[self.rng.integers(len(self.held))]

    def join(self):
        self.held[f"u{self.next_user}"] = self.some_roles()
        self.next_user += 1

    def day(self, joins, leaves, moves, drift, odd):
        """One day: expected numbers of joiners, leavers, movers, changes of a role and odd grants."""
        draw = self.rng.poisson
        for _ in range(min(draw(leaves), len(self.held) - 1)):
            user = self.somebody()
            self.held.pop(user)
            self.odd.pop(user, None)
        for _ in range(draw(joins)):
            self.join()
        for _ in range(draw(moves)):
            self.held[self.somebody()] = self.some_roles()
        for _ in range(draw(drift)):
            role = self.roles[self.rng.integers(len(self.roles))]
            one = int(self.rng.integers(self.m))
            role.symmetric_difference_update({one} if len(role) > 2 or one not in role else set())
        for _ in range(draw(odd)):
            self.odd.setdefault(self.somebody(), set()).add(int(self.rng.integers(self.m)))

    def grants(self):
        return {
            (user, f"p{p}")
            for user, mine in self.held.items()
            for p in set().union(*(self.roles[r] for r in mine), self.odd.get(user, set()))
        }
