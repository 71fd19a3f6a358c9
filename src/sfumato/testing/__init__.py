"""For tests, ours and others': oracles that are slow and plain, random problems, and an engine of lists."""
