"""Maps of the data in few dimensions."""

from unmix.embedding.self_organizing_map import SelfOrganizingMap

__all__ = ["SelfOrganizingMap"]
