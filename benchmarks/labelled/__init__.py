"""How often the number of groups that exploring names, and how surely, is that of the classes of real labelled tables."""
