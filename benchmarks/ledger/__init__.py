"""The ledger of kinds of structure against known answers: planted structure, and tables without any."""
