"""Says whether the structure of a table is still that of an earlier one."""
