"""Objects as points and as places on a map, in few dimensions, and how far to trust the map."""

from unmix.embedding.constant_shift import ConstantShiftEmbedding
from unmix.embedding.locally_linear import LocallyLinearEmbedding
from unmix.embedding.map_figure import draw_component_planes, draw_u_matrix
from unmix.embedding.pairwise_som import PairwiseSOM
from unmix.embedding.self_organizing_map import SelfOrganizingMap
from unmix.embedding.trust import distortion, false_neighbors, lost_neighbors

__all__ = [
    "ConstantShiftEmbedding",
    "LocallyLinearEmbedding",
    "PairwiseSOM",
    "SelfOrganizingMap",
    "distortion",
    "draw_component_planes",
    "draw_u_matrix",
    "false_neighbors",
    "lost_neighbors",
]
