"""What we ship besides the program: print-and-play decks, sample photographs, the virtual table that makes them."""
