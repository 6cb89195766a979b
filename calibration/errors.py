"""What can go wrong when cards and cameras are enrolled; each message says what to do."""

from referee.errors import InputError


class EnrolmentError(InputError):
    """Photographs from which no deck can be made."""


class CalibrationError(InputError):
    """Photographs or a profile from which nothing can be measured."""
