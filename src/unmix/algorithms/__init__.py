"""Methods with an algorithm of their own, one room each; what runs on the engine of Gibbs distributions is in inference."""
