"""Your own cards and cameras: decks made from photographs, decks as files, lens, table and light measured."""
