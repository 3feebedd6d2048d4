"""Methods with an algorithm of their own, one room each; what follows a Gibbs distribution is in inference."""
