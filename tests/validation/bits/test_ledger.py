"""The ledger against tables with known answers: bits of the true density on the same rows."""

import numpy as np
import polars as pl
import pytest
from scipy.special import ive, logsumexp
from scipy.stats import multivariate_normal, norm

from unmix.validation import ledger
from unmix.validation.bits.ledger import ledger_of
from unmix.validation.bits.table import ledger_table
from unmix.validation.bits.verdict import Bits, explained, foretold, in_words, leading

pytestmark = pytest.mark.filterwarnings("error")
D = 5
W = np.array([[1.5, 1.2, -1.0, 0.8, 0.0], [0.0, -0.7, 1.0, 1.1, 1.4]])
MEANS = 2.2 * np.array([[1.0, 0, 1, 0, -1], [-1.0, 1, 0, 0, 1], [0, -1.0, -1, 1, 0]])


def neither(rng, n):
    X = rng.normal(size=(n, D))
    return X, norm.logpdf(X).sum(axis=1), 2 * D


def factors(rng, n):
    X = rng.normal(size=(n, 2)) @ W + 0.5 * rng.normal(size=(n, D))
    return X, multivariate_normal(np.zeros(D), W.T @ W + 0.25 * np.eye(D)).logpdf(X), 4 * D


def groups(rng, n):
    return grouped(rng, n, np.eye(D), 3 * 2 * D + 2)


def both(rng, n):
    return grouped(rng, n, W.T @ W + 0.25 * np.eye(D), 3 * 4 * D + 2)


def grouped(rng, n, covariance, parameters):
    X = MEANS[rng.integers(3, size=n)] + rng.multivariate_normal(np.zeros(D), covariance, size=n)
    parts = [multivariate_normal(mean, covariance).logpdf(X) for mean in MEANS]
    return X, logsumexp(parts, axis=0) - np.log(3), parameters


def sources(rng, n):
    A = np.random.default_rng(5).normal(size=(D, D))
    S = rng.laplace(size=(n, D))
    return S @ A, -np.abs(S).sum(axis=1) - D * np.log(2) - np.linalg.slogdet(A)[1], D * D + 8 * D


def parts(rng, n):
    """Two parts, of which a row has each with probability 0.25."""
    U = 3 * np.array([[1.0, 1, 0.5, 0, 0], [0, 0, 0.5, -1, 1]])
    has = rng.random((n, 2)) < 0.25
    X = (has * rng.normal(size=(n, 2))) @ U + 0.3 * rng.normal(size=(n, D))
    terms = []
    for on in ([0, 0], [0, 1], [1, 0], [1, 1]):
        chance = np.log(0.25) * sum(on) + np.log(0.75) * (2 - sum(on))
        terms.append(chance + multivariate_normal(np.zeros(D), (U.T * on) @ U + 0.09 * np.eye(D)).logpdf(X))
    return X, logsumexp(terms, axis=0), 4 * D + 6


PLANTED = {
    "independent": neither,
    "factors": factors,
    "groups": groups,
    "both": both,
    "sources": sources,
    "parts": parts,
}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", PLANTED)
def test_planted_structure_leads_and_costs_what_the_true_density_costs(kind):
    X, log_density, parameters = PLANTED[kind](np.random.default_rng(7), 500)
    found = ledger(X, random_state=0)
    true = -(log_density + np.log(found.precision).sum()) / np.log(2)
    beyond = found.bits[kind] - true
    error = beyond.std() / np.sqrt(len(X))
    # Maximum likelihood costs half a nat of held-out rows for each parameter and row learned from, and as much again
    # for sizes chosen on fewer rows and laws of sources made of normal ones.
    learning = parameters / (375 * np.log(2))
    assert found.leader == kind
    assert -2 * error < beyond.mean() < learning + 2 * error


def test_nothing_is_saved_where_there_is_nothing():
    rng = np.random.default_rng(0)
    tables = [rng.lognormal(size=(200, 4)), rng.integers(1, 6, size=(200, 4)), rng.standard_t(3, size=(200, 4))]
    for X in tables:
        found = ledger(X, random_state=0)
        assert found.leader == "independent" and found.verdict.startswith("No kind of structure saves bits")


def test_levels_cost_their_entropy():
    X = np.random.default_rng(0).integers(4, size=(800, 3)).astype(float)
    found = ledger(X, random_state=0)
    assert found.bits["independent"].mean() == pytest.approx(6.0, abs=0.05)


@pytest.fixture(scope="module")
def table():
    return both(np.random.default_rng(3), 240)[0]


@pytest.fixture(scope="module")
def found(table):
    return ledger(table, random_state=0)


def test_units_and_offsets_change_nothing(table, found):
    other = ledger(table * [1e3, 1e-3, 1, 7, 2] + [1, 0, 5, -3, 0], random_state=0)
    assert other.leader == found.leader
    for kind in found.bits:
        # Directions of sources that are nearly normal are settled by rounding.
        near = 0.1 if kind == "sources" else 1e-6
        assert other.bits[kind].mean() == pytest.approx(found.bits[kind].mean(), abs=near)


def test_a_far_row_costs_bits_of_its_own_and_changes_no_leader(table, found):
    far = np.vstack([table, np.full(D, 1e9)])
    other = ledger(far, random_state=0)
    assert other.leader == found.leader
    assert all(np.isfinite(bits).all() for bits in other.bits.values())


def test_the_largest_numbers_there_are_cost_bits_without_a_warning(table, found):
    for value in (1e308, -1e308, 1e-308):
        X = table.copy()
        X[0, 0] = value
        other = ledger_of(ledger_table(X, 2000, np.random.default_rng(0)), 0, brief=True)
        assert all(np.isfinite(bits).all() for bits in other.bits.values()) and other.leader == found.leader
    X = np.exp(table)
    X[0, 0] = 1e308
    other = ledger_of(ledger_table(X, 2000, np.random.default_rng(0)), 0, brief=True)
    assert all(np.isfinite(bits).all() for bits in other.bits.values())


def test_float32_gives_the_same_answer(table, found):
    other = ledger(table.astype(np.float32), random_state=0)
    assert other.leader == found.leader


def test_threads_give_the_same_bits(table, found):
    import unmix

    with unmix.execution(threads=2):
        other = ledger(table, random_state=0)
    assert all(np.array_equal(other.bits[kind], found.bits[kind]) for kind in found.bits)


def test_gaps_cost_nothing_and_leave_sources_out(table):
    X = table.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    found = ledger(X, random_state=0)
    assert "sources" not in found.bits and "cells are missing" in found.notes[0]
    assert found.leader in ("both", "factors", "groups", "parts")


def test_mixed_columns_share_groups():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    word = np.where(rng.random(300) < 0.9, np.array(["a", "c"])[y], rng.choice(["a", "b", "c", "d"], 300))
    frame = pl.DataFrame({"size": rng.normal(4.0 * y, 1), "word": word, "sure": rng.random(300) < 0.1 + 0.8 * y})
    found = ledger(frame, random_state=0)
    assert found.compared("groups").is_sure
    shuffled = frame.with_columns(pl.Series("word", rng.permutation(word)), pl.Series("sure", rng.random(300) < 0.5))
    assert ledger(shuffled, random_state=0).leader == "independent"


def test_table_frames_and_page(found):
    kinds = ["independent", "factors", "groups", "both", "parts", "sources"]
    assert [line["kind"] for line in found.table] == kinds
    frame = found.to_frame()
    assert frame.columns == ["kind", "bits", "error", "saved", "saved_error", "foretold", "size"]
    assert list(found.to_frame("pandas").columns) == frame.columns
    held, known = (bits["independent"] - bits["both"] for bits in (found.bits, found.known))
    line = found.table[3]
    assert line["foretold"] == pytest.approx(held.mean()) and line["foretold"] < line["saved"]
    assert line["saved"] == pytest.approx((held.mean() + known.mean()) / 2)
    page = found._repr_html_()
    assert found.verdict in page and page.count("<tr") == 7 and str(found) == found.verdict


def test_large_tables_are_sampled_and_say_so():
    X = np.random.default_rng(0).normal(size=(500, 2))
    found = ledger(X, max_rows=100, random_state=0)
    assert len(found.rows) == 100 and found.notes == ["Judged on 100 of 500 rows, drawn at random."]


def bits_of(**means):
    """Bits whose differences to independent columns have these means and a standard error of 0.1."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=400)
    noise = 2 * (noise - noise.mean()) / noise.std(ddof=1)
    base = rng.normal(20, 3, size=400)
    return all_known({"independent": base} | {kind: base - mean - noise for kind, mean in means.items()})


def all_known(bits):
    """Where learning costs nothing, and folds do not differ."""
    return Bits(bits, bits, {kind: np.full(4, rows.mean()) for kind, rows in bits.items()})


def test_the_verdict_says_no_more_than_the_errors_allow():
    assert leading(bits_of(factors=0.15, groups=0.1)) == "independent"
    assert leading(bits_of(factors=1.0, groups=0.5)) == "factors"
    bits = bits_of(factors=1.0)
    even = np.random.default_rng(1).normal(size=400)
    groups = bits.held["factors"] - 0.1 + 2 * (even - even.mean()) / even.std(ddof=1)
    bits = all_known(bits.held | {"groups": groups})
    assert foretold(bits, "groups", "factors").bits == pytest.approx(0.1)
    assert leading(bits) == "factors" and in_words(bits).endswith("Groups cannot be told from them by these rows.")


def test_shares_of_both_are_a_sentence():
    bits = bits_of(factors=3.5, groups=1.0, both=3.9)
    text = in_words(bits)
    assert text.startswith("Groups with factors inside save 3.9 ± 0.1 of the ")
    assert text.endswith("Factors explain 3.5 of 3.9 bits, groups add 0.40 ± 0.00.")


def test_learning_is_taken_out_and_is_part_of_the_error():
    """A normal law learned from m rows costs half a nat a parameter and row more on others, and less on its own."""
    bits = bits_of(factors=3.0)
    later = Bits(
        bits.held | {"factors": bits.held["factors"] + 0.2}, bits.known | {"factors": bits.known["factors"] - 0.2},
        bits.folds,
    )  # fmt: skip
    saved, rows = explained(later, "factors"), foretold(bits, "factors")
    assert saved.bits == pytest.approx(3.0) and foretold(later, "factors").bits == pytest.approx(2.8)
    assert saved.error == pytest.approx(np.hypot(rows.error, 0.2))
    unlike = Bits(later.held, later.known, later.folds | {"factors": later.folds["factors"] + [1.0, 1, 0, 0]})
    assert explained(unlike, "factors").error > np.sqrt(1 / 3)  # folds that chose other sizes


@pytest.mark.parametrize(
    "X, words",
    [
        (np.ones((50, 3)), "X has 0 columns with more than one value"),
        (np.random.default_rng(0).normal(size=(10, 3)), "X has 10 rows"),
        (np.full((50, 2), np.inf), "infinite values"),
        (np.arange(50.0), "shape"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_words(X, words):
    with pytest.raises(ValueError, match=words):
        ledger(X)


def test_columns_that_say_nothing_are_left_out_by_name(table):
    X = pl.DataFrame({"a": table[:, 0], "b": table[:, 1], "same": np.ones(240), "rare": [1.0, 2.0] + [None] * 238})
    found = ledger(X, random_state=0)
    assert found.notes == ["Left out, as they hold one value alone or fewer than 20: same, rare."]
    assert len(found.precision) == 2


def test_bad_parameters_are_refused(table, found):
    with pytest.raises(ValueError, match="max_rows=5"):
        ledger(table, max_rows=5)
    with pytest.raises(ValueError, match="'colours' is no kind"):
        found.compared("colours")
    with pytest.raises(ValueError, match="library='excel'"):
        found.to_frame("excel")


def test_a_brief_ledger_says_the_same_within_its_errors(table, found):
    other = ledger_of(ledger_table(table, 2000, np.random.default_rng(0)), 0, brief=True)
    assert len(other.rows) == len(table) // 2 and other.leader == found.leader
    for kind in ("factors", "groups", "both"):
        whole, half = found.compared(kind), other.compared(kind)
        assert abs(whole.bits - half.bits) < 2 * half.error


def test_rows_of_a_block_are_held_out_together_and_are_one_observation():
    """Every row three times: held out alone it has twins among the rows known, and any structure would pay."""
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(60, 3)), 3, axis=0)
    blocks = np.repeat(np.arange(60), 3)
    made = ledger_table(X, 2000, rng)
    apart = ledger_of(made, 0, blocks=blocks)
    assert len(apart.bits["independent"]) == 60
    assert apart.leader == "independent"


def ring_and_core(rng, n, R=4.0, ring=0.35, core=0.7):
    """Rows, and the bits that the columns share: a circle in round noise has the density of a Bessel function."""
    angle, outside = rng.uniform(0, 2 * np.pi, n), rng.random(n) < 0.5
    noise = np.where(outside, ring, core)[:, None] * rng.normal(size=(n, 2))
    X = R * np.c_[np.cos(angle), np.sin(angle)] * outside[:, None] + noise

    def density(x, y):
        r = np.hypot(x, y)
        circle = np.exp(-((r - R) ** 2) / (2 * ring**2)) * ive(0, r * R / ring**2) / (2 * np.pi * ring**2)
        return 0.5 * circle + 0.5 * np.exp(-(r**2) / (2 * core**2)) / (2 * np.pi * core**2)

    grid = np.linspace(-7, 7, 1401)
    step = grid[1] - grid[0]
    joint = density(grid[:, None], grid[None, :])
    alone = joint.sum(axis=1) * step
    shared = joint * (np.log2(np.maximum(joint, 1e-300)) - np.log2(np.outer(alone, alone) + 1e-300))
    return X, float(shared.sum() * step**2)


@pytest.mark.slow_without_jit
def test_a_ring_and_its_core_share_bits_that_many_small_groups_find():
    X, true = ring_and_core(np.random.default_rng(0), 400)
    found = ledger(X, random_state=0)
    saved = found.compared("groups")
    assert found.leader == "groups" and 0.4 < true < 0.8
    assert saved.bits > 0.5 * true and abs(saved.bits - true) < 2 * saved.error


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("kind", ["zeros", "limit", "counts"])
def test_values_that_come_back_in_columns_of_their_own_are_no_groups(kind):
    rng = np.random.default_rng(4)
    X = {
        "zeros": np.where(rng.random((300, 3)) < 0.4, 0.0, rng.gamma(2, 1, (300, 3))),
        "limit": np.maximum(np.exp(rng.normal(size=(300, 3))), 0.6),
        "counts": rng.poisson(np.exp(1 + 0.8 * rng.normal(size=(300, 3)))).astype(float),
    }[kind]
    assert ledger(X, random_state=0).leader == "independent"
