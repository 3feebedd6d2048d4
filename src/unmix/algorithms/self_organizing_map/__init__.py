"""Self-organising maps: grids, batch and online rules, and how well a map keeps neighbourhoods."""
