"""What is known of a kept photograph that its pixels do not tell, in a form that can be stored with it."""

from __future__ import annotations

from typing import Any

from referee.validation import Value
from referee.vision.decode import Photo
from referee.vision.profile import StraightPhoto, TableProfile, UnfitLens, put_right, under_table
from referee.vision.profile_files import from_data, to_data


class Known(Value):
    """table: what was measured of the table under the fixed camera that took it, see `profile.to_data`; lens_unused:
    its camera's lens was measured, but does not suit it."""

    table: dict[str, Any] | None = None
    lens_unused: bool = False

    @classmethod
    def of(cls, photo: Photo) -> Known | None:
        """Of a photograph that was put right; None if there is nothing to know."""
        if not isinstance(photo, StraightPhoto) or (photo.table is None and not photo.lens_unused):
            return None
        return cls(table=None if photo.table is None else to_data(photo.table), lens_unused=photo.lens_unused)

    def told_to(self, photo: Photo) -> Photo:
        """The kept photograph with this knowledge. Raises ProfileError if it has another shape."""
        if self.table is not None and isinstance(table := from_data(self.table), TableProfile):
            return under_table(photo, table)
        return put_right(photo, UnfitLens() if self.lens_unused else None)
