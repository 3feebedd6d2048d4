"""Object by object, below the steps: order of visits, compiled walks, local search, first temperatures."""
