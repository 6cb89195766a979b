"""Lessons: tables with a question, ready ones for every rule and teachers' own; shown, printed, answered by phone."""
