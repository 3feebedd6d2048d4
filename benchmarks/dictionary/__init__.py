"""Dictionary learning with at most 5 non-zeros a code: error reached and time taken."""
