"""Maps of the data in few dimensions."""

from unmix.embedding.map_figure import draw_component_planes, draw_u_matrix
from unmix.embedding.self_organizing_map import SelfOrganizingMap

__all__ = ["SelfOrganizingMap", "draw_component_planes", "draw_u_matrix"]
