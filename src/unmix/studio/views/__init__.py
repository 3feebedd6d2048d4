"""What every address answers: pages and files to look at, changes, and the workspaces of roles and signals."""
