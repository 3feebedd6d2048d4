import numpy as np
import pytest
from scipy.stats import beta, cauchy, kstest, norm, uniform

from unmix.density import GaussianMixture
from unmix.sampling import rejection


def arch(X):
    """Beta(2, 2) up to its constant 6."""
    return X[:, 0] * (1 - X[:, 0])


@pytest.mark.parametrize("c", [0.25, 0.6, None])
def test_what_is_kept_follows_the_density(c):
    kept = rejection(arch, uniform(), c, 5000, random_state=0)
    assert kept.samples.shape == (5000, 1)
    assert kstest(kept.samples[:, 0], beta(2, 2).cdf).pvalue > 0.01
    assert kept.acceptance == pytest.approx(1 / 6 / (c or 0.25), abs=0.02)


def test_log_densities_and_log_bounds():
    kept = rejection(
        lambda X: 800 - 0.5 * X[:, 0] ** 2, cauchy(), 800 + np.log(np.pi) + 0.2, 5000, log=True, random_state=0
    )
    assert kstest(kept.samples[:, 0], norm.cdf).pvalue > 0.01


@pytest.mark.parametrize("seed", range(5))
def test_a_bound_that_is_too_small_is_caught_with_point_and_ratio(seed):
    with pytest.raises(
        ValueError, match=r"c=0.24 is no bound: at the point \[0\.[45]\d*\] p_star is 0.2[45]\d* times q"
    ):
        rejection(arch, uniform(), 0.24, 5000, random_state=seed)


def test_a_bound_met_exactly_is_one():
    assert rejection(norm(), norm(), 1.0, 100, random_state=0).acceptance == 1


def test_a_found_bound_grows_and_earlier_points_are_thinned():
    """A spike that a first look misses, with a fiftieth of the mass."""

    def spiked(X):
        return np.where(np.abs(X[:, 0] - 0.5) < 1e-4, 100.0, 1.0)

    kept = rejection(spiked, uniform(), None, 20_000, random_state=4)
    assert kept.n_raised == 1
    share = (np.abs(kept.samples - 0.5) < 1e-4).mean()
    assert share == pytest.approx(0.02 / (0.02 + 0.9998), abs=0.005)


def test_a_ratio_without_a_bound_is_suspected():
    with pytest.warns(RuntimeWarning, match="seems to have no bound"):
        rejection(norm(0, 1), norm(0, 0.6), None, 1000, random_state=0)


def test_rows_of_a_mixture_come_in_no_order():
    """A mixture draws component by component; cut off at n, the last one would be missing."""
    rng = np.random.default_rng(0)
    mixture = GaussianMixture(2, random_state=0).fit(
        np.concatenate([rng.normal(-9, 1, (100, 1)), rng.normal(9, 1, (100, 1))])
    )
    kept = rejection(mixture, mixture, 1.0, 2000, random_state=0)
    assert (kept.samples > 0).mean() == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    ("p", "c", "options", "words"),
    [
        (arch, 0.0, {}, "c=0.0 is no bound on p_star/q"),
        (arch, "large", {}, "c='large' is no bound on p_star/q"),
        (arch, 1e9, {"max_draws": 10_000}, "were kept, 10 were asked for"),
        (arch, 1.0, {"max_draws": "all"}, "max_draws='all': give a whole number"),
        (lambda X: X[:, 0] * 0, None, {}, "p_star is 0 at all"),
        (lambda X: X[:, 0] * np.nan, 1.0, {}, r"p_star gave nan at the point \["),
    ],
)
def test_bad_input_is_named(p, c, options, words):
    with pytest.raises(ValueError, match=words):
        rejection(p, uniform(), c, 10, random_state=0, **options)
