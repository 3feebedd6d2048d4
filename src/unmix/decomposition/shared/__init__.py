"""What several estimators of this family do alike: kinds of columns, settings, starts, dictionaries."""
