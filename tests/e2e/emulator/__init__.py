"""Drives made of Python objects: what they answer, how they fail, and a trace of what they were asked."""
