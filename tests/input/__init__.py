"""What each estimator takes: files, sparse tables, weights, gaps; a page, and a test that holds it."""
