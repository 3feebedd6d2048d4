"""A recording as a whole: channels read from files, sources found in them, described, judged and written."""
