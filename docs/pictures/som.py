"""Draws docs/assets/som-{u-matrix,planes}.svg: the map of the penguins on docs/methods/som.md."""

from pathlib import Path

import polars

from unmix.embedding import SelfOrganizingMap, draw_component_planes, draw_u_matrix

TABLE = Path(__file__).parents[2] / "examples" / "penguins.csv"
NAMES = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def drawings() -> dict:
    table = polars.read_csv(TABLE, null_values=["NA", ""]).drop_nulls(NAMES)
    X = table.select((polars.col(NAMES) - polars.col(NAMES).mean()) / polars.col(NAMES).std())
    model = SelfOrganizingMap((10, 14), topology="hexagonal", n_epochs=40, random_state=0).fit(X)
    return {"som-u-matrix": draw_u_matrix(model), "som-planes": draw_component_planes(model)}
