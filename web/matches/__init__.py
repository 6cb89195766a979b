"""Matches: entries that people confirm, replayed by the rules half into totals and turns."""
