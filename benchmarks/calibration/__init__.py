"""How often the headline of `explore` is right when it says so with probability p; fits the numbers of the rule."""
