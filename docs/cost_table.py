"""Makes the table of costs and steps on docs/methods/inference.md: what each cost offers, by asking it."""

from pathlib import Path

from unmix.costs.base import HasFields, HasMoves, HasPrototypes, HasVectors
from unmix.costs.correlation import Correlation
from unmix.costs.cut import Cut
from unmix.costs.gaussian.cost import Gaussian
from unmix.costs.histogram import Histogram
from unmix.costs.ising import Ising
from unmix.costs.least_angle import LeastAngle
from unmix.costs.neighborhood import Neighborhood
from unmix.costs.pairwise import Pairwise
from unmix.costs.pairwise_neighborhood import PairwiseNeighborhood
from unmix.costs.parametric_distributional import ParametricDistributional
from unmix.costs.potts import Potts
from unmix.costs.squared_distance import SquaredDistance

COSTS = [
    SquaredDistance,
    Gaussian,
    Histogram,
    ParametricDistributional,
    Neighborhood,
    Pairwise,
    PairwiseNeighborhood,
    Correlation,
    Cut,
    Potts,
    Ising,
    LeastAngle,
]
STEPS = {
    "exact expectation": HasPrototypes,
    "mean field, parallel": HasFields,
    "mean field, sequential": HasMoves,
    "Gibbs": HasMoves,
    "Metropolis, heat bath": HasMoves,
    "Laplace": HasVectors,
}
PAGE = Path(__file__).parent / "methods" / "inference.md"


def offers(cost: type, kind: type) -> bool:
    """Whether instances of the class have every method that the capability asks for."""
    return isinstance(cost.__new__(cost), kind)


def table() -> str:
    lines = [f"| cost | {' | '.join(STEPS)} |", "|---|" + "---|" * len(STEPS)]
    for cost in COSTS:
        marks = ["yes" if offers(cost, kind) else "" for kind in STEPS.values()]
        lines.append(f"| `{cost.__name__}` | {' | '.join(marks)} |")
    return "\n".join(lines)


def write() -> None:
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index("<!-- table -->"), text.index("<!-- end of table -->")
    PAGE.write_text(text[:start] + "<!-- table -->\n\n" + table() + "\n\n" + text[end:], encoding="utf-8")


if __name__ == "__main__":
    write()
