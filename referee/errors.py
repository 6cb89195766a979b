"""What can go wrong with an input. Every message is a sentence that names the thing and says what to do.

A broken *rule* is never an exception: it is a fault inside a verdict. A photo that is too hard to read is not
one either: it is a ruling that is *undetermined*. Exceptions are for inputs that cannot be used at all.
"""


class RefereeError(Exception):
    """The root of all errors of this package.

    `code` is a short stable slug for programs (`deck-missing`), `message` a sentence for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    def to_dict(self) -> dict[str, str]:
        """The error body of the command line and of the service: `{"code", "message"}`."""
        return {"code": self.code, "message": self.message}


class InputError(RefereeError):
    """An input that cannot be used; other inputs of the same call are not touched by it."""


class DeckError(InputError):
    """A deck folder that is missing or malformed. The message names the file, the face and the field."""


class LayoutError(InputError):
    """A layout that is malformed or does not suit the deck. The message names the file, card and field.

    `name` is the layout's name as far as it is known.
    """

    def __init__(self, code: str, message: str, name: str = "") -> None:
        super().__init__(code, message)
        self.name = name


class PhotoError(InputError):
    """A photograph that cannot be opened or is no photograph."""
