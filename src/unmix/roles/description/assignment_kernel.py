"""Roles for each user of a sparse table: given and taken one at a time, the one that saves most bits first."""

from unmix.core.compiled.kernel import kernel

LEAST_GAIN = 1e-9  # bits


@kernel
def assign_users(
    starts, columns, role_starts, role_columns, column_starts, column_roles, rule_starts, rule_roles, reward, penalty,
    inside, cost, barred, held, has, depth, shared, near, state,
):  # fmt: skip
    """Fill ``held`` (users, most) with roles, -1 where there is none.

    A user is met with the roles that share a permission, but for the one ``barred`` (-1: none). Roles listed in
    ``rule_roles`` cost a user what ``inside`` says: ``cost``, which is changed meanwhile, is for the others. ``has``
    and ``depth`` (by permission), ``shared``, ``near`` and ``state`` (by role) are work space, zero before and after.
    """
    for i in range(starts.size - 1):
        swap(rule_starts[i], rule_starts[i + 1], rule_roles, inside, cost)
        count = 0
        for p in range(starts[i], starts[i + 1]):
            has[columns[p]] = 1
            for q in range(column_starts[columns[p]], column_starts[columns[p] + 1]):
                role = column_roles[q]
                if shared[role] == 0 and role != barred:
                    near[count] = role
                    count += 1
                shared[role] += 1
        number, best = 0, 0
        while best >= 0:
            best, value = -1, LEAST_GAIN
            for c in range(count):
                role = near[c]
                gain = worth(role, role_starts, role_columns, has, depth, reward, penalty, state[role]) - cost[role]
                if state[role] == 1:
                    gain = -gain
                if gain > value and (state[role] == 1 or number < held.shape[1]):
                    best, value = role, gain
            if best >= 0:
                sign = 1 - 2 * state[best]
                cover(best, role_starts, role_columns, depth, sign)
                state[best] += sign
                number += sign
        place = 0
        for c in range(count):
            if state[near[c]] == 1:
                held[i, place] = near[c]
                place += 1
                cover(near[c], role_starts, role_columns, depth, -1)
                state[near[c]] = 0
        held[i, place:] = -1
        for p in range(starts[i], starts[i + 1]):
            has[columns[p]] = 0
            for q in range(column_starts[columns[p]], column_starts[columns[p] + 1]):
                shared[column_roles[q]] = 0
        swap(rule_starts[i], rule_starts[i + 1], rule_roles, inside, cost)


@kernel
def swap(begin, end, rule_roles, inside, cost):
    """Exchange the two costs of some roles."""
    for q in range(begin, end):
        role = rule_roles[q]
        cost[role], inside[role] = inside[role], cost[role]


@kernel
def worth(role, role_starts, role_columns, has, depth, reward, penalty, already):
    """Bits of what the role covers that is covered ``already`` times: ones save, zeros cost."""
    total = 0.0
    for p in range(role_starts[role], role_starts[role + 1]):
        if depth[role_columns[p]] == already:
            if has[role_columns[p]] == 1:
                total += reward
            else:
                total -= penalty
    return total


@kernel
def cover(role, role_starts, role_columns, depth, sign):
    for p in range(role_starts[role], role_starts[role + 1]):
        depth[role_columns[p]] += sign
