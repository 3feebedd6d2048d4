"""Gains of candidate roles on bit-packed users, sixty-four permissions a step."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def ones_in(word):
    """The number of 1s in a word: sums of pairs, of fours, of bytes."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def candidate_gains(ones, zeros, weights, candidates, reward, penalty, gains):
    """Σ_i w_i max(0, reward × uncovered ones - penalty × uncovered zeros that candidate c would cover), for every c."""
    for c in range(candidates.shape[0]):
        total = 0.0
        for i in range(ones.shape[0]):
            good, bad = 0, 0
            for word in range(ones.shape[1]):
                mask = candidates[c, word]
                good += ones_in(ones[i, word] & mask)
                bad += ones_in(zeros[i, word] & mask)
            gain = reward * good - penalty * bad
            if gain > 0:
                total += weights[i] * gain
        gains[c] = total


@njit(cache=True, nogil=True)
def cover_with(ones, zeros, candidate, reward, penalty, held):
    """Give the candidate to the users it pays for: mark them in ``held``, take what it covers off both."""
    for i in range(ones.shape[0]):
        good, bad = 0, 0
        for word in range(ones.shape[1]):
            good += ones_in(ones[i, word] & candidate[word])
            bad += ones_in(zeros[i, word] & candidate[word])
        if reward * good - penalty * bad > 0:
            held[i] = 1.0
            for word in range(ones.shape[1]):
                ones[i, word] &= ~candidate[word]
                zeros[i, word] &= ~candidate[word]
