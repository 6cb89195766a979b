"""Photographs being read: what for, how far, cancelled; the same for every process that serves the database."""
