"""From photographs of somebody's own cards to a deck folder."""
