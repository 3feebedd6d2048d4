"""scikit-learn's own tests of the classes both libraries have, run on ours by changing the import and nothing else."""
