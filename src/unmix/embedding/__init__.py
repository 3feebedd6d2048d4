"""Objects as points and as places on a map, in few dimensions."""

from unmix.embedding.constant_shift import ConstantShiftEmbedding
from unmix.embedding.locally_linear import LocallyLinearEmbedding
from unmix.embedding.map_figure import draw_component_planes, draw_u_matrix
from unmix.embedding.pairwise_som import PairwiseSOM
from unmix.embedding.self_organizing_map import SelfOrganizingMap

__all__ = [
    "ConstantShiftEmbedding",
    "LocallyLinearEmbedding",
    "PairwiseSOM",
    "SelfOrganizingMap",
    "draw_component_planes",
    "draw_u_matrix",
]
