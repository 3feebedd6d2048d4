"""How often exceptions are wrong that are called so with some probability: shapes of access, shared errors."""
