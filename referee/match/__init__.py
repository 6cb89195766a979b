"""Matches: rounds and turns added up. A match is settings and a list of events, replayed into a state.

Nothing is ever changed in place: to undo or to edit an earlier round is to replay another list. Settings and events
are validated frozen values with a JSON form (`model_dump_json`, `model_validate_json`), made to be stored. An event
that the rules do not allow at its moment changes nothing and leaves a `Problem` in the state.
"""

from referee.match import cat_and_mouse, coloured_paths, if_it_fits
from referee.match.problems import Problem

__all__ = ["Problem", "cat_and_mouse", "coloured_paths", "if_it_fits"]
