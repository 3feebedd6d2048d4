"""The report of a role mining run."""
