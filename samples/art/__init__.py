"""Our own card art: vector drawings in millimetres, rendered to the PNG faces of the decks.

``svg`` writes the markup, ``raster`` turns it into pixels, ``cats`` and ``toys`` are the characters, and one module a
game draws its faces and backs. ``styles`` holds the other looks of the same games.
"""
