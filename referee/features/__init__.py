"""What is drawn on a card, read from its squared-up picture alone, by shape and colour, for cards of any design."""
