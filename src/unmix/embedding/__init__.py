"""Pictures of objects as points: each estimator follows the contract of scikit-learn's transformers."""
