import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import norm

from unmix.density import GaussianMixture
from unmix.sampling import MarkovChain, RandomWalk, metropolis_hastings

MEAN = np.array([1.0, -2.0, 0.5])
COVARIANCE = np.array([[4.0, 1.8, 0.0], [1.8, 1.0, 0.0], [0.0, 0.0, 0.01]])
PRECISION = np.linalg.inv(COVARIANCE)


def correlated(X):
    return -0.5 * np.einsum("ni,ij,nj->n", X - MEAN, PRECISION, X - MEAN)


def test_moments_of_a_correlated_gaussian():
    start = np.random.default_rng(0).normal(size=(100, 3)) * 5
    chains = metropolis_hastings(correlated, start=start, n_steps=1500, burn_in=500, random_state=0)
    assert chains.samples.shape == (100, 1500, 3)
    X, size = chains.pooled, chains.effective_sample_size
    assert (np.abs(X.mean(axis=0) - MEAN) < 4 * np.sqrt(np.diag(COVARIANCE) / size)).all()
    scale = np.sqrt(np.diag(COVARIANCE))
    np.testing.assert_allclose(np.cov(X.T) / np.outer(scale, scale), COVARIANCE / np.outer(scale, scale), atol=0.06)
    assert chains.acceptance.mean() == pytest.approx(0.303, abs=0.08)
    assert (size > 5000).all()  # steps without the right shape would give a few hundred
    assert "have met" in chains.verdict()
    np.testing.assert_allclose(chains.log_p, correlated(X).reshape(100, 1500))


def test_steps_fit_themselves_during_burn_in_only():
    calls = []

    def flat_then_narrow(X):  # after the burn-in all is accepted, and the steps must not grow
        calls.append(X.copy())
        return np.zeros(len(X)) if len(calls) > 201 else -0.5 * (X**2).sum(axis=1)

    chains = metropolis_hastings(flat_then_narrow, start=np.zeros((200, 2)), n_steps=300, burn_in=200, random_state=0)
    moves = np.diff(chains.samples, axis=1)
    assert chains.acceptance.min() == 1
    assert moves[:, :100].std() == pytest.approx(moves[:, -100:].std(), rel=0.03)
    assert moves.std() == pytest.approx(2.38 / np.sqrt(2), rel=0.35)


@pytest.mark.parametrize("target", [0.15, 0.6])
def test_steps_are_as_long_as_the_wished_acceptance_asks(target):
    start = np.random.default_rng(0).normal(size=(200, 4))
    chains = metropolis_hastings(
        normal, RandomWalk(target=target), start=start, n_steps=100, burn_in=300, random_state=0
    )
    assert chains.acceptance.mean() == pytest.approx(target, abs=0.04)


@pytest.mark.parametrize("width", [1e-4, 1e4])
def test_targets_of_any_width_are_found_from_one_start(width):
    chains = metropolis_hastings(
        lambda X: normal(X / width), start=[0.0, 0.0], n_chains=100, n_steps=1000, burn_in=500, random_state=0
    )
    np.testing.assert_allclose(chains.pooled.std(axis=0), width, rtol=0.06)


def test_masses_of_separated_atoms():
    """Nearly discrete: three narrow normals; jumps between them, by an asymmetric choice, find their masses."""
    places, mass, width = np.array([0.0, 1.0, 2.0]), np.array([0.2, 0.5, 0.3]), 0.01

    def log_p(X):
        return logsumexp(np.log(mass) - 0.5 * ((X - places) / width) ** 2, axis=1)

    def cycle(points, rng):  # one place on with probability 0.8, else one back; and a little noise
        forward = rng.random(len(points)) < 0.8
        at = points[:, 0].round()
        to = (at + np.where(forward, 1, -1)) % 3
        return points + (to - at)[:, None] + rng.normal(0, 0.005, points.shape), np.where(forward, 1, -1) * np.log(
            0.2 / 0.8
        )

    chains = metropolis_hastings(log_p, cycle, start=np.zeros((500, 1)), n_steps=400, burn_in=100, random_state=0)
    shares = np.bincount(chains.pooled[:, 0].round().astype(int), minlength=3) / chains.pooled.size
    np.testing.assert_allclose(shares, mass, atol=0.01)
    assert (chains.pooled[:, 0] - chains.pooled[:, 0].round()).std() == pytest.approx(width, rel=0.05)


def test_detailed_balance_by_the_histogram_of_steps():
    """Flows between states, counted, are those of the exact transition matrix, and equal both ways."""
    energy, right = np.array([0.0, 1.0, 0.3, 1.7, 0.6]), 0.7
    law = np.exp(-energy) / np.exp(-energy).sum()

    def ring(points, rng):
        forward = rng.random(len(points)) < right
        log_ratio = np.where(forward, 1, -1) * np.log((1 - right) / right)
        return (points + np.where(forward, 1, -1)[:, None]) % 5, log_ratio

    P = np.zeros((5, 5))
    for i in range(5):
        for j, there, back in (((i + 1) % 5, right, 1 - right), ((i - 1) % 5, 1 - right, right)):
            P[i, j] = there * min(1, law[j] * back / (law[i] * there))
        P[i, i] = 1 - P[i].sum()
    start = np.random.default_rng(1).choice(5, size=(10_000, 1), p=law)
    chains = metropolis_hastings(
        lambda X: -energy[X[:, 0].astype(int)], ring, start=start, n_steps=100, burn_in=0, random_state=0
    )
    states = chains.samples[:, :, 0].astype(int)
    flow = np.zeros((5, 5))
    np.add.at(flow, (states[:, :-1].ravel(), states[:, 1:].ravel()), 1)
    flow /= flow.sum()
    np.testing.assert_allclose(flow, law[:, None] * P, atol=0.002)
    np.testing.assert_allclose(flow, flow.T, atol=0.002)
    assert MarkovChain(P).satisfies_detailed_balance()


def test_chains_at_modes_far_apart_have_not_met():
    def log_p(X):
        return np.logaddexp(-0.5 * (X[:, 0] - 20) ** 2, -0.5 * (X[:, 0] + 20) ** 2)

    start = np.array([[-20.0], [-20.0], [20.0], [20.0]])
    chains = metropolis_hastings(log_p, RandomWalk(step=2.0), start=start, n_steps=500, random_state=0)
    assert chains.r_hat[0] > 1.5
    assert "have not converged" in chains.verdict()


def test_steps_too_long_to_be_accepted_are_named():
    chains = metropolis_hastings(
        lambda X: -0.5 * X[:, 0] ** 2, RandomWalk(step=1e9), start=[0.0], n_steps=50, burn_in=0, random_state=0
    )
    assert "never changed" in chains.verdict()


def test_a_density_as_proposal_is_corrected_for():
    rng = np.random.default_rng(0)
    wide = GaussianMixture(2, random_state=0).fit(
        np.concatenate([rng.normal(-3, 2, (300, 1)), rng.normal(3, 2, (300, 1))])
    )
    for proposal in (wide, norm(0, 4)):
        chains = metropolis_hastings(norm(1, 1), proposal, start=np.zeros((1000, 1)), n_steps=60, random_state=0)
        assert chains.pooled.mean() == pytest.approx(1, abs=0.03)
        assert chains.pooled.std() == pytest.approx(1, abs=0.03)


def test_thinning_burn_in_and_seeds():
    options = {"start": [0.0, 0.0], "n_chains": 3, "random_state": 5}
    log_p = norm().logpdf
    both = [
        metropolis_hastings(
            lambda X: log_p(X).sum(axis=1), RandomWalk(step=1.0), n_steps=n, burn_in=b, thin=t, **options
        )
        for n, b, t in ((60, 0, 1), (20, 0, 3), (50, 10, 1))
    ]
    assert both[0].samples.shape == (3, 60, 2)
    np.testing.assert_array_equal(both[1].samples, both[0].samples[:, 2::3])
    np.testing.assert_array_equal(both[2].samples, both[0].samples[:, 10:])
    moved = (np.diff(both[0].samples[:, :, 0], axis=1, prepend=0) != 0).mean(axis=1)
    np.testing.assert_allclose(both[0].acceptance, moved)


def test_the_support_is_never_left():
    chains = metropolis_hastings(
        lambda X: np.where(X[:, 0] > 0, -X[:, 0], -np.inf), start=np.ones((100, 1)), n_steps=500, random_state=0
    )
    assert chains.samples.min() > 0
    assert chains.pooled.mean() == pytest.approx(1, abs=0.06)


def normal(X):
    return -0.5 * (X**2).sum(axis=1)


@pytest.mark.parametrize(
    ("log_p", "proposal", "options", "words"),
    [
        (lambda X: np.log(X[:, 0] > 5), None, {}, r"start: the density is 0 at \[0, 0\]"),
        (lambda X: X[:, 0] * np.nan, None, {}, r"log_p gave nan at the point \[0, 0\]"),
        (lambda X: X, None, {}, "one number a row"),
        (normal, 3, {}, "proposal=3: give"),
        (normal, lambda points, rng: points[:1], {}, "one new point and one number a chain"),
        (normal, RandomWalk(step=-1), {}, "step=-1: give a positive number"),
        (normal, RandomWalk(target=2), {}, "target=2: give a share"),
        (normal, None, {"n_steps": 0}, "n_steps=0: give a whole number from 1"),
        (normal, None, {"start": [np.nan]}, "give finite points"),
    ],
)
def test_bad_input_is_named(log_p, proposal, options, words):
    with np.errstate(divide="ignore"), pytest.raises(ValueError, match=words):
        metropolis_hastings(log_p, proposal, **{"start": [0.0, 0.0], "n_steps": 10} | options)
