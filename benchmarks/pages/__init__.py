"""Times that pages quote, measured in one run and kept with date and machine in docs/measured.json."""
