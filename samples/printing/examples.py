"""A small correct layout of each game for the page of rules, made from whatever faces the deck has."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

from referee.decks import ArrowFace, BoxFace, CatFace, Deck, PathFace


@dataclass(frozen=True)
class Placed:
    """A card of the example: its top left corner in card sides, and its clockwise turn in degrees."""

    face: str
    x: float
    y: float
    turn: float = 0


def example_of(deck: Deck) -> Sequence[Placed]:
    """A few cards that lie right; empty if the deck lacks the faces for it."""
    faces = deck.faces
    return (
        _route([face for face in faces if isinstance(face, ArrowFace)])
        or _paths([face for face in faces if isinstance(face, PathFace)])
        or _box(
            [face for face in faces if isinstance(face, BoxFace)], [face for face in faces if isinstance(face, CatFace)]
        )
    )


def _route(faces: Sequence[ArrowFace]) -> Sequence[Placed]:
    """Start, right, right, Finish in a row (CM-START, CM-ARROW, CM-FINISH)."""
    start = next((face for face in faces if face.kind == "start"), None)
    finish = next((face for face in faces if face.kind == "finish"), None)
    right = [face for face in faces if face.arrows == ("right",)]
    if start is None or finish is None or not right:
        return ()
    row = [start.id, right[0].id, right[-1].id, finish.id]
    return [Placed(face, column, 0) for column, face in enumerate(row)]


def _paths(faces: Sequence[PathFace]) -> Sequence[Placed]:
    """Three cards in a row whose facing ends have equal colours (CP-JOIN)."""

    def fits(left: PathFace, right: PathFace) -> bool:
        return left.colour_at[2:4] == (right.colour_at[7], right.colour_at[6])

    for first, second in permutations(faces, 2):
        if fits(first, second):
            third = next((face for face in faces if face not in (first, second) and fits(second, face)), None)
            if third is not None:
                return [Placed(face.id, column, 0) for column, face in enumerate((first, second, third))]
    return ()


def _box(boxes: Sequence[BoxFace], cats: Sequence[CatFace]) -> Sequence[Placed]:
    """Two cards closed but for their joined long sides, and a cat across these (IF-BOX, IF-CAT)."""
    closed_left = [face for face in boxes if face.kind == "box" and "right" not in face.walls]
    closed_right = [face for face in boxes if face.kind == "box" and "left" not in face.walls]
    awake = next((face for face in cats if not face.asleep), None)
    if not closed_left or not closed_right or awake is None:
        return ()
    left = max(closed_left, key=lambda face: (len(face.walls), face.toys))
    right = max(
        (face for face in closed_right if face is not left), key=lambda face: (len(face.walls), face.toys), default=None
    )
    if right is None:
        return ()
    return [Placed(left.id, 0, 0), Placed(right.id, 1, 0), Placed(awake.id, 0.5, 0, 90)]
