"""Principal directions of a table by the route its shape makes cheapest, and how many of them there are."""
