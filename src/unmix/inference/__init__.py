"""How a Gibbs distribution p(c | X) ∝ exp(-beta R(c, X)) over clusterings is followed."""
