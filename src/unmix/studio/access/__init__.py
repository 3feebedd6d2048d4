"""Who may come in and what may come with them; every refusal leaves a line."""
