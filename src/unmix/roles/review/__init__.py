"""Decisions of reviewers on roles and exceptions, kept in a file that outlives the mining."""
