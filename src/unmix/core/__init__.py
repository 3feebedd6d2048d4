"""Where data are and how work runs over them; knows no method and no scikit-learn."""
