"""Cards printed over a photograph: another part of it behind each face, as on cards with photographs as art."""

from pathlib import Path

import numpy as np
from PIL import Image

PHOTOS = Path(__file__).resolve().parent.parent / "surfaces"
"""Photographs with their licences."""
_WHOLE = 0.45
"""Least part of the photograph's shorter side that a face shows."""


def on_photograph(picture: Image.Image, photo: str, name: str, strength: float) -> Image.Image:
    """The face (RGBA) as if printed over the photograph of that name (in `PHOTOS`), the same for the same face.

    name: of the face, which sets the part that shows and how it is turned; strength: 0..1, how much of it shows.
    Raises FileNotFoundError if there is no such photograph.
    """
    rng = np.random.default_rng([ord(letter) for letter in name])
    width, height = picture.size
    with Image.open(PHOTOS / f"{photo}.jpg") as opened:
        whole = opened.convert("RGB").rotate(90 * int(rng.integers(4)), expand=True)
    scale = min(whole.width / width, whole.height / height) * float(rng.uniform(_WHOLE, 1.0))
    across, down = width * scale, height * scale
    left, top = float(rng.uniform(0, whole.width - across)), float(rng.uniform(0, whole.height - down))
    part = whole.resize((width, height), Image.Resampling.BICUBIC, (left, top, left + across, top + down))
    seen = np.asarray(part, dtype=np.float64) / 255
    seen /= np.maximum(seen.mean(axis=(0, 1)), 1e-3)  # a picture's own tint would make blue arrows green
    face = np.asarray(picture, dtype=np.float64) / 255
    # Ink lets the paper's picture through, and on dark ink its lights still show.
    face[..., :3] *= 1 - strength + strength * np.clip(seen, 0.2, 1.8)
    face[..., :3] += 0.2 * strength * (seen - seen.mean())
    return Image.fromarray((np.clip(face, 0, 1) * 255).round().astype(np.uint8), "RGBA")
