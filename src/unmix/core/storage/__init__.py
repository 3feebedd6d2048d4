"""What is kept on disk: files whole or absent, folders swapped as one, and the text that kept work is known by."""
