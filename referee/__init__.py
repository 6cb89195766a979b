"""The referee: looks at a card table and says whether the cards lie right, why not, and what they are worth.

One photograph goes one way::

    bytes -> image -> card quads -> rectified cards -> readings -> table (mm) -> verdict -> ruling -> JSON / drawing

The rules half (decks, layouts, games, match) uses the standard library and pydantic only; ``referee.vision``
turns pixels into readings and knows no rules; the pipeline is the one place where both meet.
"""

__version__ = "0.1.0"
