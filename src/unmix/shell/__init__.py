"""What all estimators share: the scikit-learn contract around the engines below."""
