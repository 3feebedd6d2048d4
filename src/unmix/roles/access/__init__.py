"""Who has what: users, permissions and the Boolean matrix between them, read, written and packed in bits."""
