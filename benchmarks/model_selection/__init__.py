"""The cost of a verdict on the number of clusters, beside a plain loop over scikit-learn with as many resamples."""
