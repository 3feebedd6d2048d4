"""NMF of rank 20: scikit-learn, nimfa and SPAMS as they come, and unmix stopped at the errors of scikit-learn's two solvers."""
