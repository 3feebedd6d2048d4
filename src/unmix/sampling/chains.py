"""What many Markov chains left behind, and whether to believe it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from unmix.inference.convergence import effective_sample_size, r_hat

LARGEST_R_HAT = 1.01  # R-hat up to which chains agree
LEAST_EFFECTIVE_DRAWS = 100  # effective draws a chain


@dataclass(frozen=True)
class Chains:
    """Samples of chains that ran side by side.

    Attributes
    ----------
    samples : array of shape (chains, steps, d)
    log_p : array of shape (chains, steps)
        The log-density at the samples.
    acceptance : array of shape (chains,)
        Share of proposals that each chain accepted after the burn-in.
    """

    samples: np.ndarray
    log_p: np.ndarray
    acceptance: np.ndarray

    @cached_property
    def r_hat(self) -> np.ndarray:
        """Rank-normalised split R-hat of every coordinate."""
        return r_hat(self.samples)

    @cached_property
    def effective_sample_size(self) -> np.ndarray:
        """Bulk effective sample size of every coordinate, over all chains."""
        return effective_sample_size(self.samples)

    @property
    def pooled(self) -> np.ndarray:
        """All samples as rows, of shape (chains · steps, d), chain by chain."""
        return self.samples.reshape(-1, self.samples.shape[2])

    def verdict(self) -> str:
        """In words: have the chains met, and are there samples enough?"""
        agreement, size = self.r_hat, self.effective_sample_size
        if np.isnan(agreement).any():
            stuck = np.flatnonzero(np.isnan(agreement))
            return f"Coordinate {stuck[0]} never changed: no proposal that moves it was accepted. Take smaller steps."
        worst = int(agreement.argmax())
        if agreement[worst] > LARGEST_R_HAT:
            return (
                f"The chains have not converged: R-hat is {agreement[worst]:.3g} in coordinate {worst}, above "
                f"{LARGEST_R_HAT}. Run longer, or look whether they stay at different modes."
            )
        worst, wanted = int(size.argmin()), LEAST_EFFECTIVE_DRAWS * min(len(self.samples), 4)
        if size[worst] < wanted:
            return (
                f"The chains have met (R-hat {agreement.max():.3g}), but coordinate {worst} has an effective sample "
                f"size of {size[worst]:.0f}, below {wanted}. Run longer."
            )
        sure = f"R-hat is at most {agreement.max():.3g}, the effective sample size at least {size.min():.0f}"
        return f"The chains have met: {sure}."
