"""Live tables under a camera: a verdict only when the table lies still and no hand is over it, each move judged."""
