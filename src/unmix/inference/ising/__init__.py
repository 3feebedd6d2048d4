"""States of Ising models: exact, by minimum cut, by annealing and from populations; and their marginals."""
