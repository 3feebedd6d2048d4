"""Mining that continues existing roles: which role is which, what stays, and covers that change little."""
