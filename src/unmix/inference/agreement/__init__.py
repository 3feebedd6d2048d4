"""How far the Gibbs distributions of two samples agree."""
