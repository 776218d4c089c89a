"""One module a subject; each case attaches the drives that it needs."""
