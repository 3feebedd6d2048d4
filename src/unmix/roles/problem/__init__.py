"""What is asked of role mining and what it answers: the request, its budget, the roles with their certificate."""
