"""What several losses compute: the logistic function, shares of levels, best constants, what is wrong with a column."""
