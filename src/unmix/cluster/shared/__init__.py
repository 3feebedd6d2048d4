"""What several of the estimators of this family need."""
