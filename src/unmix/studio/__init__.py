"""Explore as a local web page: a server on 127.0.0.1, a workspace on disk, runs in processes of their own."""
