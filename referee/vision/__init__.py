"""Pixels to readings: decode, find, rectify, recognise, place on the table plane. Knows decks, never rules."""
