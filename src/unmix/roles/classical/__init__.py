"""The classical miners, and what all Boolean estimators share."""
