"""Scripts as scikit-learn's gallery has them, run as they are and with the shared classes taken from here."""
