"""check_loss passes the losses of the package and finds every planted wrong one."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from unmix.checks import check_loss
from unmix.losses import (
    Absolute,
    Huber,
    Indicators,
    KullbackLeibler,
    Logistic,
    Loss,
    Multinomial,
    Ordinal,
    Periodic,
    Poisson,
    Quantile,
    Squared,
)
from unmix.losses.registry import LOSSES

ALL = ["fitted", "value", "gradient", "curvature", "constant", "best", "precision"]


@pytest.mark.parametrize("kind", LOSSES.values(), ids=LOSSES)
def test_losses_of_the_package_pass(kind):
    assert check_loss(kind()) == ALL


@dataclass(frozen=True)
class LogCosh(Loss):
    """log cosh(x - m), a stranger's loss in a few lines."""

    name: ClassVar[str] = "log-cosh"

    def value(self, x, m):
        return np.abs(x - m) + np.log1p(np.exp(-2 * np.abs(x - m))) - x.dtype.type(np.log(2))

    def gradient(self, x, m):
        return np.tanh(m - x)

    def curvature(self, x, m):
        return np.ones_like(m)

    def best(self, m):
        return m

    def constant(self, x, weights):
        seen = ~np.isnan(x)
        m = np.zeros(x.shape[1])
        for _ in range(200):
            slope = np.where(seen, np.tanh(m - np.where(seen, x, 0)), 0.0)
            m = m - weights @ slope / np.maximum(weights @ seen, 1)
        return m


class Clamped(LogCosh):
    """Never below 0 by rounding."""

    def value(self, x, m):
        return np.maximum(super().value(x, m), 0)


def test_a_strangers_loss():
    assert check_loss(Clamped()) == ALL


class DoubleSlope(Squared):
    def gradient(self, x, m):
        return 2 * (m - x)


class SlopeOfOneLevel(Multinomial):
    def gradient(self, x, m):
        return Multinomial.parabola(self, x, m)[1] * np.where(np.arange(m.shape[1]) == 2, 1.1, 1)


class FlatParabola(Huber):
    def curvature(self, x, m):
        return 0.5 * super().curvature(x, m)


class LocalParabola(Logistic):
    """The second derivative, which is no bound."""

    def curvature(self, x, m):
        p = 1 / (1 + np.exp(-np.clip(m, -30, 30)))
        return p * (1 - p) + m.dtype.type(1e-12)

    parabola = Loss.parabola


class LocalLevels(Multinomial):
    def curvature(self, x, m):
        p = self.gradient(x, m) + (np.arange(m.shape[1]) == x)
        return np.maximum(p * (1 - p), 1e-12)

    def gradient(self, x, m):
        return Multinomial.parabola(self, x, m)[1]

    parabola = Loss.parabola


class NoCurvature(Periodic):
    """That of the cosine itself, below 0 for half of all."""

    def curvature(self, x, m):
        return np.cos(x - m)


class FarBelow(Poisson):
    def parabola(self, x, m):
        value, gradient, curvature = super().parabola(x, m)
        return value, gradient, 1e-6 * curvature


class BelowZero(Absolute):
    def value(self, x, m):
        return super().value(x, m) - 0.1


class Overflows(Poisson):
    def parabola(self, x, m):
        return np.exp(m) - x * m + 1e9, np.exp(m) - x, np.exp(m)


class WarnsAtZero(KullbackLeibler):
    def parabola(self, x, m):
        with np.errstate(divide="warn", invalid="warn"):
            np.log(x)
        return super().parabola(x, m)


class MeanForMedian(Absolute):
    def constant(self, x, weights):
        return Squared().constant(x, weights)


class IgnoresWeights(Quantile):
    def constant(self, x, weights):
        return super().constant(x, np.ones_like(weights))


class HolesAreZeros(Squared):
    def constant(self, x, weights):
        return weights @ np.nan_to_num(x) / weights.sum()


class WrongLevel(Ordinal):
    def best(self, m):
        return np.minimum(super().best(m) + 1, 3)


class Logarithm(Poisson):
    def best(self, m):
        return np.abs(m)


class NoLevel(Logistic):
    def best(self, m):
        return 1 / (1 + np.exp(-m))


class RareLevels(Indicators):
    """Forgets the unit of a level."""

    def best(self, m):
        return -m.argmax(axis=1)[:, None].astype(m.dtype) + 3


class OtherTargets(Squared):
    def targets(self, x):
        return x + 1


class Widens(Huber):
    def value(self, x, m):
        return super().value(x.astype(np.float64), m)


class WrongShape(Squared):
    def value(self, x, m):
        return super().value(x, m).sum(axis=1)


class OtherShape(Multinomial):
    def constant(self, x, weights):
        return super().constant(x, weights)[:-1]


class Batch(Squared):
    """Measures a row by the rows beside it."""

    def value(self, x, m):
        return super().value(x, m) / np.ptp(x)


class InPlace(Squared):
    def gradient(self, x, m):
        m -= x
        return m.copy()


class OtherParabola(Huber):
    def parabola(self, x, m):
        return self.value(x, m), self.gradient(x, m), np.ones_like(m)


class OtherNewton(Logistic):
    def newton(self, x, m):
        value, slope, bend = super().newton(x, m)
        return value, 1.02 * slope, bend


class NewtonWithoutBend(Logistic):
    def newton(self, x, m):
        value, slope, bend = super().newton(x, m)
        return value, slope, np.where(np.abs(m) > 3, 0.0, bend)


class Jumps(Squared):
    """A constant more for far models: no slope tells of it."""

    def value(self, x, m):
        return super().value(x, m) + (np.abs(m) > 9)


class Refuses(Squared):
    def problem(self, x):
        return "holds NaN" if np.isnan(x).any() else ""


@dataclass(frozen=True)
class Grows(Huber):
    def fitted(self, x, weights):
        return replace(self, threshold=self.threshold * 1.01)


@dataclass(frozen=True)
class Keeps(Squared):
    data: tuple = ()

    def fitted(self, x, weights):
        return self if self.data else replace(self, data=tuple(np.nan_to_num(x.ravel())))


@dataclass(frozen=True)
class Remembers(Squared):
    def value(self, x, m):
        object.__setattr__(self, "last", m)
        return super().value(x, m)


@dataclass
class Open(Loss):
    """A dataclass that is not frozen."""

    name: ClassVar[str] = "open"
    value, gradient, curvature = Squared.value, Squared.gradient, Squared.curvature
    best, constant = Squared.best, Squared.constant


@dataclass(frozen=True)
class NoPickle(Squared):
    rule: object = None

    def fitted(self, x, weights):
        return self if self.rule else replace(self, rule=lambda m: m)


class Beside(Huber):
    def best(self, m):
        return m + np.asarray(0.01, m.dtype)


class TurnedInterval(Huber):
    def interval(self, low, high):
        return high, low


class VarianceForDeviation(Huber):
    def deviation(self, m, variance):
        return variance


class MovedMean(Huber):
    def mean(self, m, variance):
        return m + variance / 2  # right for a logarithm


class AbsoluteError(Huber):
    def error(self, x, m):
        return np.abs(x - m)


class FromTheFirstRow(Huber):
    def fitted(self, x, weights):
        return self if isinstance(self.threshold, tuple) else FromTheFirstRow((1.0 + abs(float(x[0, 0])),) * x.shape[1])


class WithoutWeights(Huber):
    def fitted(self, x, weights):
        if isinstance(self.threshold, tuple):
            return self
        return WithoutWeights(tuple(map(float, np.nanstd(x, axis=0))))


class CountsInUnits(Poisson):
    in_units = True


class LevelsTogether(Multinomial):
    """Right for one column, with the levels of a column beside each other."""

    def parabola(self, x, m):
        shape = (len(m), x.shape[1], -1)
        turned = m.reshape(shape).swapaxes(1, 2).reshape(m.shape)
        value, *parts = super().parabola(x, turned)
        return value, *(np.reshape(part, (len(m), -1, x.shape[1])).swapaxes(1, 2).reshape(m.shape) for part in parts)

    def value(self, x, m):
        return self.parabola(x, m)[0]

    def gradient(self, x, m):
        return self.parabola(x, m)[1]

    def curvature(self, x, m):
        return self.parabola(x, m)[2]


class AlwaysSure(Multinomial):
    def confidence(self, m, variance=None):
        return np.ones((len(m), m.shape[1] // self.width))


MUTANTS = [
    (Beside(), "best costs more under the model than the cell -0.01 beside it"),
    (TurnedInterval(), "interval turns the ends around"),
    (VarianceForDeviation(), "not the root of the variance"),
    (MovedMean(), "mean is not m"),
    (AbsoluteError(), "error is not the squared difference"),
    (FromTheFirstRow(), "fitted changes with the order of rows"),
    (WithoutWeights(), "fitted with weights differs from rows repeated"),
    (CountsInUnits(), "says in_units"),
    (LevelsTogether(), "of two columns is not that of each"),
    (AlwaysSure(), "confidence is not"),
    (DoubleSlope(), "gradient is not the derivative of value"),
    (SlopeOfOneLevel(), "gradient is not the derivative of value"),
    (Jumps(), "gradient does not add up to value along a line"),
    (FlatParabola(), "rises above its parabola"),
    (LocalParabola(), "rises above its parabola"),
    (LocalLevels(), "rises above its parabola"),
    (NoCurvature(), "curvature is not above 0"),
    (FarBelow(), "far below the second derivative"),
    (OtherParabola(), "parabola and OtherParabola.curvature differ"),
    (OtherNewton(), "newton and OtherNewton.gradient differ"),
    (NewtonWithoutBend(), "newton has a curvature that is not above 0"),
    (BelowZero(), "must not be below 0"),
    (Overflows(), "warns for cells"),
    (WarnsAtZero(), "warns for cells from 0"),
    (MeanForMedian(), "constant is not the best"),
    (IgnoresWeights(), "constant is not the best"),
    (HolesAreZeros(), "constant is not the best"),
    (WrongLevel(), "best costs more"),
    (Logarithm(), "best costs more"),
    (NoLevel(), "best is no value of such a column: it holds"),
    (RareLevels(), "best is not the cell whose targets"),
    (OtherTargets(), "value is not ½"),
    (Widens(), "value of float32 is float64"),
    (WrongShape(), "value has shape"),
    (OtherShape(), r"constant has shape \(3,\), expected \(4,\)"),
    (Batch(), "depends on other rows"),
    (InPlace(), "changes m in place|derivative"),
    (Refuses(), "problem refuses what it measures"),
    (Grows(), "fitted twice differs from once"),
    (Keeps(), "grows with the number of rows"),
    (Remembers(), "keeps something of what it was called with"),
    (Open(), "no frozen dataclass"),
    (NoPickle(), "pickle"),
]


@pytest.mark.parametrize("mutant, words", MUTANTS, ids=lambda part: type(part).__name__)
def test_planted_wrong_losses_are_found(mutant, words):
    with pytest.raises(AssertionError, match=words):
        check_loss(mutant)


def test_what_is_no_loss_is_told():
    with pytest.raises(AssertionError, match="Huber is a class"):
        check_loss(Huber)
    with pytest.raises(AssertionError, match=r"float is no unmix\.losses\.Loss"):
        check_loss(1.0)
    with pytest.raises(AssertionError, match=r"problem says that x holds 2\.5; 0 and 1 are expected"):
        check_loss(Logistic(), np.full((20, 1), 2.5))
