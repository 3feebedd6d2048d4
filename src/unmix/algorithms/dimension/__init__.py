"""The dimension in which rows spread, from distances alone."""
