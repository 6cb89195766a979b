"""Photographs of lessons: taken over from the tables they show, kept as long as their lesson, carried along in files.

They are kept smaller than those of tables, without metadata, and are not deleted after a time: what a teacher has made
stays until it is deleted.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from io import BytesIO

from PIL import Image
from sqlalchemy import select
from sqlalchemy.orm import Session

from referee.errors import PhotoError
from web.decks import DeckShelf
from web.errors import ApiError
from web.lessons.items import Item, ItemPhoto
from web.photos import prepared, smaller
from web.storage.models import Lesson, LessonPhoto
from web.tables.reading import Corners
from web.tables.service import get_photo, get_table, loaded

SIDE = 1600
"""Long side in pixels."""
LEAST_SIDE = 4.0
"""Pixels that an outline in a photograph has at least."""
JPEG_URL = "data:image/jpeg;base64,"


def with_photos_kept(session: Session, lesson: Lesson, items: Sequence[Item], shelf: DeckShelf) -> tuple[Item, ...]:
    """The items of a lesson, each photograph kept with it; those that no item has any more are deleted.

    A photograph in which no card is outlined goes as well: nothing could be shown on it.

    Raises ApiError (404, 422) for a photograph that is not there or is none.
    """
    kept = tuple(
        item
        if item.photo is None
        else item.model_copy(update={"photo": _that_shows_cards(_kept(session, lesson, item.photo, shelf))})
        for item in items
    )
    used = {item.photo.id for item in kept if item.photo is not None}
    session.flush()
    for photo in session.scalars(select(LessonPhoto).where(LessonPhoto.lesson_id == lesson.id)):
        if photo.id not in used:
            session.delete(photo)
    return kept


def with_images(session: Session, items: Sequence[Item]) -> tuple[Item, ...]:
    """The items as a file carries them: photographs are written into them."""
    return tuple(
        item if item.photo is None else item.model_copy(update={"photo": _carried(session, item.photo)})
        for item in items
    )


def lesson_photo(session: Session, photo_id: str) -> LessonPhoto:
    """The photograph with this id. Raises ApiError (404)."""
    photo = session.get(LessonPhoto, photo_id)
    if photo is None:
        raise ApiError(404, "unknown-photo")
    return photo


def picture_of(session: Session, photo: ItemPhoto) -> bytes | None:
    """The JPEG; None if it is there no more."""
    record = session.get(LessonPhoto, photo.id or "")
    return None if record is None else record.data


def _carried(session: Session, photo: ItemPhoto) -> ItemPhoto | None:
    data = picture_of(session, photo)
    if data is None:
        return None
    image = JPEG_URL + base64.b64encode(data).decode()
    return photo.model_copy(update={"id": None, "image": image})


def _kept(session: Session, lesson: Lesson, photo: ItemPhoto, shelf: DeckShelf) -> ItemPhoto:
    if photo.table is not None:
        return _taken_over(session, lesson, photo.table, shelf)
    if photo.image is not None:
        return _stored(session, lesson, _decoded(photo.image), photo)
    record = lesson_photo(session, photo.id or "")
    if record.lesson_id != lesson.id:
        record = LessonPhoto(lesson_id=lesson.id, data=record.data)
        session.add(record)
        session.flush()
    with Image.open(BytesIO(record.data)) as picture:
        width, height = picture.size
    return ItemPhoto(id=record.id, width=width, height=height, outlines=photo.outlines)


def _that_shows_cards(photo: ItemPhoto) -> ItemPhoto | None:
    """The photograph with the outlines that lie in it; None without any."""
    width, height = photo.width or 0, photo.height or 0
    outlines = {
        card: corners for card, corners in photo.outlines.items() if min(_inside(corners, width, height)) >= LEAST_SIDE
    }
    return photo.model_copy(update={"outlines": outlines}) if outlines else None


def _inside(corners: Corners, width: int, height: int) -> tuple[float, float]:
    """How much of an outline lies in a picture, px across and down."""
    xs = [min(max(x, 0.0), width) for x, _ in corners]
    ys = [min(max(y, 0.0), height) for _, y in corners]
    return max(xs) - min(xs), max(ys) - min(ys)


def _taken_over(session: Session, lesson: Lesson, table_id: str, shelf: DeckShelf) -> ItemPhoto:
    record = get_table(session, table_id)
    table = loaded(record, shelf.deck(record.deck))
    if table.reading is None or record.photo_id is None:
        raise ApiError(404, "unknown-photo")
    outlines = {card.id: card.corners for card in table.state.cards if card.corners is not None}
    known = ItemPhoto(outlines=outlines, width=table.reading.width, height=table.reading.height)
    return _stored(session, lesson, get_photo(session, record.photo_id).data, known)


def _stored(session: Session, lesson: Lesson, data: bytes, known: ItemPhoto) -> ItemPhoto:
    try:
        kept = smaller(prepared(data), SIDE)
    except PhotoError as error:
        raise ApiError(422, error.code) from None
    record = LessonPhoto(lesson_id=lesson.id, data=kept.data)
    session.add(record)
    session.flush()
    scale = kept.width / (known.width or kept.width), kept.height / (known.height or kept.height)
    outlines = {card: _scaled(corners, scale) for card, corners in known.outlines.items()}
    return ItemPhoto(id=record.id, width=kept.width, height=kept.height, outlines=outlines)


def _scaled(corners: Corners, scale: tuple[float, float]) -> Corners:
    return tuple((round(x * scale[0], 1), round(y * scale[1], 1)) for x, y in corners)


def _decoded(image: str) -> bytes:
    try:
        return base64.b64decode(image.partition(",")[2], validate=True)
    except binascii.Error:
        raise ApiError(422, "photo-broken") from None
