"""Headlines of `explore`: what is said of shapes, of clouds and of tables without any relation."""

from types import SimpleNamespace

import numpy as np
import pytest

import unmix
from unmix.exploration.structure.verdict import _votes

pytestmark = pytest.mark.slow_without_jit


def moons(rng):
    angle, side = rng.uniform(0, np.pi, 300), rng.integers(2, size=300)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * np.where(side, -1, 1)[:, None] + side[:, None] * [1, 0.4]
    return X + 0.08 * rng.standard_normal(X.shape)


def ring_with_core(rng):
    angle, radius = rng.uniform(0, 2 * np.pi, 300), rng.integers(2, size=300)
    X = np.stack([np.cos(angle), np.sin(angle)], axis=1) * radius[:, None]
    return X + 0.08 * rng.standard_normal(X.shape)


@pytest.mark.parametrize("shape", [moons, ring_with_core])
def test_of_shapes_that_k_means_does_not_follow_nothing_wrong_is_said_for_sure(shape):
    selection = unmix.explore(shape(np.random.default_rng(1)), max_k=8).selection
    right, sure = selection.chosen_k == 2, selection.verdict.split(" (")[0].endswith("clear clusters")
    assert right or not sure
    assert right or max(selection.probabilities[1:]) < 0.6


def test_one_cloud_is_named_by_the_directions_it_is_stretched_along():
    rng = np.random.default_rng(0)
    common = rng.normal(size=(200, 1))
    findings = unmix.explore(common + 0.5 * rng.normal(size=(200, 4)), max_k=3)
    assert findings.selection.chosen_k == 1 and findings.spectrum.n_suggested == 1
    assert "one cloud stretched along one direction." in findings.selection.verdict
    assert findings.selection.probability == pytest.approx(1 - findings.selection.probabilities[0])
    assert f"How probable: no clusters {100 * findings.selection.probabilities[0]:.0f} %" in repr(findings)


def test_what_is_said_of_columns_and_of_components_does_not_differ():
    rng = np.random.default_rng(0)
    shared = rng.integers(3, size=200)
    table = {f"q{j}": np.array(list("abc"))[np.where(rng.random(200) < 0.4, shared, rng.integers(3, size=200))]
             for j in range(3)}  # fmt: skip
    table |= {f"r{j}": np.array(list("abc"))[rng.integers(3, size=200)] for j in range(2)}
    findings = unmix.explore(table, max_k=3)
    related = findings.spectrum.n_suggested > 0
    assert not (related and "no direction either" in findings.selection.verdict)
    assert "hardly" not in findings.selection.verdict


def test_every_criterion_that_is_counted_is_listed():
    findings = unmix.explore(np.random.default_rng(0).normal(size=(60, 2)), max_k=3)
    consensus = next(curve for curve in findings.selection.criteria if curve.name == "consensus")
    listed = consensus.what[consensus.what.index("(") + 1 : consensus.what.index(")")]
    assert "five criteria" in consensus.what and len(listed.split(", ")) == 5


def test_parts_that_overrule_the_whole_table_are_named():
    seen = SimpleNamespace(n_clusters=4, votes={"mixture ICL": 3, "mixture BIC": 4})
    words = (
        "With all rows the criteria speak for 4 (mixture ICL: 3, mixture BIC: 4), with parts of them more often for 3"
    )
    assert _votes(seen, 3) == words
