"""How good roles are: on the data, on users left out, against roles that are known."""
