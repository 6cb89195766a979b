"""Tables: read from a photograph or laid by hand, corrected by people, judged by rules only."""
