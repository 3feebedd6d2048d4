"""How often exceptions that are called wrong with some probability are wrong: several shapes of access, shared errors."""
