"""What a person waits for: `import unmix`, and `unmix explore` on its first ever and on later runs."""
