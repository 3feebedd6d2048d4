"""How often the number of groups that exploring names is that of the classes of real labelled tables."""
