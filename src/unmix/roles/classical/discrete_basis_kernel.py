"""Gains of candidate roles on bit-packed users, sixty-four permissions a step."""

from unmix.core.compiled.kernel import kernel
from unmix.roles.access.bit_kernel import popcount


@kernel
def candidate_gains(ones, zeros, weights, users, candidates, reward, penalty, gains):
    """Add to every c: Σ_i w_i max(0, reward × uncovered ones - penalty × uncovered zeros that c would cover).

    The sum is over ``users``; with negative weights it is taken off.
    """
    for c in range(candidates.shape[0]):
        total = 0.0
        for i in users:
            good, bad = 0, 0
            for word in range(ones.shape[1]):
                mask = candidates[c, word]
                good += popcount(ones[i, word] & mask)
                bad += popcount(zeros[i, word] & mask)
            gain = reward * good - penalty * bad
            if gain > 0:
                total += weights[i] * gain
        gains[c] += total


@kernel
def cover_with(ones, zeros, candidate, reward, penalty, held):
    """Give the candidate to the users it pays for: mark them in ``held``, take what it covers off both."""
    for i in range(ones.shape[0]):
        good, bad = 0, 0
        for word in range(ones.shape[1]):
            good += popcount(ones[i, word] & candidate[word])
            bad += popcount(zeros[i, word] & candidate[word])
        if reward * good - penalty * bad > 0:
            held[i] = 1.0
            for word in range(ones.shape[1]):
                ones[i, word] &= ~candidate[word]
                zeros[i, word] &= ~candidate[word]
