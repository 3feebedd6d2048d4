"""Bits that candidate roles would save, counted over the lists of users of their permissions."""

from math import log2

from unmix.core.compiled.kernel import kernel


@kernel
def candidate_gains(
    which, role_starts, role_columns, costs, starts, users, uncovered, reward, penalty, n, have, new, touched, gains
):
    """Fill gains[c] for the candidates ``which``; ``have`` and ``new`` (by user) are zero before and after."""
    for c in which:
        size = role_starts[c + 1] - role_starts[c]
        count = count_ones(c, role_starts, role_columns, starts, users, uncovered, have, new, touched)
        paying = 0
        for t in range(count):
            if reward * new[touched[t]] > penalty * (size - have[touched[t]]):
                paying += 1
        share = min((paying + 0.5) / (n + 1.0), 0.5)
        cost, total = log2((1 - share) / share), -costs[c]
        for t in range(count):
            i = touched[t]
            total += max(reward * new[i] - penalty * (size - have[i]) - cost, 0.0)
            have[i] = 0
            new[i] = 0
        gains[c] = total


@kernel
def cover_candidate(c, role_starts, role_columns, starts, users, uncovered, reward, penalty, n, have, new, touched):
    """Mark as covered what candidate c gives the users whom it saves bits."""
    size = role_starts[c + 1] - role_starts[c]
    count = count_ones(c, role_starts, role_columns, starts, users, uncovered, have, new, touched)
    paying = 0
    for t in range(count):
        if reward * new[touched[t]] > penalty * (size - have[touched[t]]):
            paying += 1
    share = min((paying + 0.5) / (n + 1.0), 0.5)
    cost = log2((1 - share) / share)
    for p in range(role_starts[c], role_starts[c + 1]):
        for q in range(starts[role_columns[p]], starts[role_columns[p] + 1]):
            i = users[q]
            if reward * new[i] - penalty * (size - have[i]) > cost:
                uncovered[q] = 0
    for t in range(count):
        have[touched[t]] = 0
        new[touched[t]] = 0


@kernel
def count_ones(c, role_starts, role_columns, starts, users, uncovered, have, new, touched):
    """By user: the ones among the permissions of c, and how many of them are not covered; the number of such users."""
    count = 0
    for p in range(role_starts[c], role_starts[c + 1]):
        for q in range(starts[role_columns[p]], starts[role_columns[p] + 1]):
            i = users[q]
            if have[i] == 0:
                touched[count] = i
                count += 1
            have[i] += 1
            new[i] += uncovered[q]
    return count
