"""Principal directions of a table by the route its shape makes cheapest, one route a file, and how many there are."""
