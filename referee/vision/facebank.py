"""A deck's face images as templates: small, blurred to a known size, normalised, ready for matrix products.

Conventions (all of ``referee.vision``): images are BGR; points are (x, y) float; the corners of a card are
(4, 2), clockwise from the face's own top left. *Card units*: the card's short side is 1, its centre is the origin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.decks import CatFace, Deck, Face, PrincessFace
from referee.errors import DeckError
from referee.vision import deck_cache

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Bools = NDArray[np.bool_]

COARSE = 16
"""Pixels of a card's short side for the sliding search."""
FINE = 32
"""Pixels of a card's short side for verification and alignment."""
DECKS_KEPT = 3
"""Decks whose templates (some 150 MB each) are kept for the next photo."""
FRAME = 0.15
"""Width of a card's frame at most, in short sides."""
SOURCE = 192
"""Pixels of a card's short side at which faces are kept."""


@dataclass(frozen=True, eq=False)
class Templates:
    """All faces of a deck at one size; pictures and vectors are made when first asked for.

    short_side, blur: pixels. mask: (h, w) float32, 0 outside the rounded corners, 1 inside.
    """

    bank: FaceBank
    short_side: int
    blur: float
    mask: Floats
    _turned: dict[tuple[int, ...], Floats] = field(default_factory=dict)
    _drawn_turned: dict[tuple[int, ...], Floats] = field(default_factory=dict)
    _by_pixel: dict[tuple[tuple[int, ...], bool], Floats] = field(default_factory=dict)
    _channels: dict[tuple[int, ...], tuple[Floats, ...]] = field(default_factory=dict)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in pixels."""
        return self.mask.shape[1], self.mask.shape[0]

    @cached_property
    def images(self) -> Floats:
        """(F, h, w, 3) float32 BGR 0..255."""
        return self.bank.drawn(range(len(self.bank.sources)), self.short_side, self.blur)

    @cached_property
    def planes(self) -> Floats:
        """(F, 3, h*w) the same, channel by channel."""
        return planar(self.images)

    @cached_property
    def vectors(self) -> Floats:
        """(F, h*w*3) float32, masked, zero mean in each channel, unit length: a dot product of two is their
        normalised correlation."""
        return normalise(self.images, self.mask)

    @cached_property
    def contrasts(self) -> Doubles:
        """(F,) standard deviation of each face, grey levels, at least 1."""
        shown = self.images[:, self.mask > 0]
        return np.asarray(np.maximum(shown.std(axis=1).mean(axis=1), 1.0), dtype=np.float64)

    def turned(self, turns: tuple[int, ...]) -> Floats:
        """(T*F, h*w*3) the vectors of all faces, turned back by each of `turns` quarters, turn after turn."""
        if turns not in self._turned:
            rows = self.vectors.reshape(len(self.images), *self.mask.shape, 3)
            self._turned[turns] = np.ascontiguousarray(
                np.concatenate([np.rot90(rows, -k, axes=(1, 2)).reshape(len(rows), -1) for k in turns])
            )
        return self._turned[turns]

    def drawn_turned(self, turns: tuple[int, ...]) -> Floats:
        """(T*F, 3*h*w) the pictures of all faces, turned as in `turned`, as they are, channel by channel."""
        if turns not in self._drawn_turned:
            turned = np.concatenate([np.rot90(self.images, -k, axes=(1, 2)) for k in turns])
            self._drawn_turned[turns] = planar(turned).reshape(len(turned), -1)
        return self._drawn_turned[turns]

    def energies(self, turns: tuple[int, ...], drawn: bool = False) -> Floats:
        """(h*w, T*F) the squares of the rows of `turned`, or of `drawn_turned`, summed over the channels: what a mask
        is multiplied with for their energy under it."""
        if (turns, drawn) not in self._by_pixel:
            if drawn:
                squares = (self.drawn_turned(turns).reshape(-1, 3, self.mask.size) ** 2).sum(axis=1)
            else:
                squares = (self.turned(turns).reshape(-1, self.mask.size, 3) ** 2).sum(axis=2)
            self._by_pixel[turns, drawn] = np.ascontiguousarray(squares.T)
        return self._by_pixel[turns, drawn]

    def channels(self, turns: tuple[int, ...]) -> tuple[Floats, ...]:
        """Three times (h*w, T*F): each channel of the rows of `turned`."""
        if turns not in self._channels:
            rows = self.turned(turns).reshape(-1, self.mask.size, 3)
            self._channels[turns] = tuple(np.ascontiguousarray(rows[:, :, channel].T) for channel in range(3))
        return self._channels[turns]


@dataclass(frozen=True, eq=False)
class FaceBank:
    """The faces of a deck as pictures, in the deck's order.

    aspect: height over width of an upright card (>= 1). sources: (F, h, w, 3) uint8; alpha: (h, w) float32.
    key: a hash of all that the pictures depend on.
    """

    deck: Deck
    face_ids: tuple[str, ...]
    aspect: float
    sources: NDArray[np.uint8]
    alpha: Floats
    key: str
    _cache: dict[tuple[int, float], Templates] = field(default_factory=dict)
    _masks: dict[int, Floats] = field(default_factory=dict)
    _pictures: dict[tuple[int, int, float], Floats] = field(default_factory=dict)
    _contrasts: dict[tuple[int, int, float], float] = field(default_factory=dict)

    @property
    def is_square(self) -> bool:
        return abs(self.aspect - 1.0) < 0.02

    @property
    def turns(self) -> tuple[int, ...]:
        """Quarter turns that leave a card's outline as it is."""
        return (0, 1, 2, 3) if self.is_square else (0, 2)

    @cached_property
    def lies_on_others(self) -> Bools:
        """(F,) which cards are laid on top of others (cats that are awake, the Princess), so that they hide them."""
        return np.array(
            [isinstance(f, PrincessFace) or (isinstance(f, CatFace) and not f.asleep) for f in self.deck.faces]
        )

    @cached_property
    def has_upper(self) -> bool:
        """Whether any card of the deck is laid on others."""
        return bool(self.lies_on_others.any())

    @cached_property
    def detail(self) -> Doubles:
        """(F,) how much is drawn inside the frame, as contrast relative to that of the whole card (0..1): what has only
        a frame looks like any rectangle."""
        templates = self.at(FINE, 0.6)
        mask = templates.mask > 0
        rim = round(FRAME * FINE)
        inner = np.zeros_like(mask)
        inner[rim:-rim, rim:-rim] = mask[rim:-rim, rim:-rim]
        within, whole = (templates.images[:, part].std(axis=1).mean(axis=1) for part in (inner, mask))
        return np.asarray(np.clip(within / np.maximum(whole, 1e-3), 0, 1), dtype=np.float64)

    def at(self, short_side: int, blur: float = 0.0) -> Templates:
        """Templates of all faces, `short_side` pixels wide, blurred by `blur` pixels; kept for the next call."""
        key = (short_side, round(blur, 2))
        if key not in self._cache:
            self._cache[key] = Templates(self, short_side, blur, self.mask(short_side))
        return self._cache[key]

    def pictures(self, faces: NDArray[np.intp], short_side: int, blur: float) -> Floats:
        """(N, h, w, 3) some faces, as in `Templates.images`; each is drawn when first asked for."""
        return np.stack([self.picture(int(face), short_side, blur) for face in faces])

    def mask(self, short_side: int) -> Floats:
        """(h, w) 1 inside the rounded corners, 0 outside, the same however the card is turned."""
        if short_side not in self._masks:
            size = (short_side, round(short_side * self.aspect))
            mask = (cv2.resize(self.alpha, size, interpolation=cv2.INTER_AREA) > 0.98).astype(np.float32)
            # A card may be turned by half or by quarters.
            for k in self.turns:
                mask = np.minimum(mask, np.rot90(mask, k))
            # A pixel at the rim mixes card and table, so it says little about the face.
            mask[[0, -1], :] = 0
            mask[:, [0, -1]] = 0
            self._masks[short_side] = mask
        return self._masks[short_side]

    def drawn(self, faces: Iterable[int], short_side: int, blur: float) -> Floats:
        """(N, h, w, 3) some faces of one size and blur, drawn afresh."""
        return np.stack([self._draw(face, short_side, blur) for face in faces])

    def picture(self, face: int, short_side: int, blur: float) -> Floats:
        """(h, w, 3) one face, as in `Templates.images`, drawn when first asked for."""
        key = (face, short_side, round(blur, 2))
        if key not in self._pictures:
            self._pictures[key] = self._draw(face, short_side, blur)
        return self._pictures[key]

    def contrast(self, face: int, short_side: int, blur: float) -> float:
        """Length of a face as a vector without its mean; see `contrast`."""
        key = (face, short_side, round(blur, 2))
        if key not in self._contrasts:
            self._contrasts[key] = contrast(self.picture(face, short_side, blur), self.mask(short_side))
        return self._contrasts[key]

    def _draw(self, face: int, short_side: int, blur: float) -> Floats:
        size = (short_side, round(short_side * self.aspect))
        small = cv2.resize(self.sources[face].astype(np.float32), size, interpolation=cv2.INTER_AREA)
        if blur > 0:
            small = cv2.GaussianBlur(small, (0, 0), blur, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(small, dtype=np.float32)


def planar(pictures: Floats) -> Floats:
    """(N, 3, h*w) pictures (N, h, w, 3), channel by channel, which is quicker to compute with."""
    count, height, width, channels = pictures.shape
    return np.ascontiguousarray(pictures.transpose(0, 3, 1, 2)).reshape(count, channels, height * width)


def contrast(picture: Floats, mask: Floats) -> float:
    """Length of a picture (h, w, 3) as a vector without its mean in each channel, inside a mask (h, w)."""
    inside = (picture * mask[:, :, None]).reshape(-1, 3).astype(np.float64)
    spread = (inside**2).sum() - (inside.sum(axis=0) ** 2).sum() / max(float(mask.sum()), 1.0)
    return float(np.sqrt(max(spread, 1e-6)))


def less_local_mean(pictures: Floats, mask: Floats, sigma: float) -> Floats:
    """Pictures (N, h, w, 3) less their mean within about `sigma` pixels inside `mask` (h, w); 0 outside it.

    The Gaussian is wide and is taken of a quarter of the pixels in each direction.
    """
    height, width = mask.shape
    small = (-(-width // 4), -(-height // 4))

    def smooth(picture: Floats) -> Floats:
        little = cv2.GaussianBlur(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), (0, 0), sigma / 4)
        return np.asarray(cv2.resize(little, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.float32)

    share = np.maximum(smooth(mask), 1e-3)[:, :, None]
    inside = mask[:, :, None]
    return np.stack([(picture - smooth(picture * inside) / share) * inside for picture in pictures])


def normalise(patches: Floats, mask: Floats) -> Floats:
    """Patches (N, h, w, 3) -> vectors (N, h*w*3): zero mean per channel inside `mask`, zero outside, length 1."""
    inside, channels = flat_mask(mask)
    flat = patches.reshape(len(patches), int(np.prod(patches.shape[1:]))) * inside
    flat -= ((flat @ channels) / max(float(mask.sum()), 1.0)) @ channels.T * inside
    norms = np.sqrt(np.einsum("ij,ij->i", flat, flat))
    return np.asarray(flat / np.maximum(norms, 1e-3)[:, None], dtype=np.float32)


def normalise_shown(patches: Floats, masks: Floats) -> Floats:
    """Pictures (N, h, w, 3) -> vectors (N, h*w*3): zero mean per channel inside each one's mask (N or 1, h, w), zero
    outside, length 1. A dot product of two under one mask is their correlation there."""
    mask = masks.reshape(len(masks), -1, 1)
    flat = patches.reshape(len(patches), mask.shape[1], 3) * mask
    flat -= flat.sum(axis=1, keepdims=True) / np.maximum(mask.sum(axis=1, keepdims=True), 1.0) * mask
    rows = flat.reshape(len(patches), -1)
    norms = np.sqrt(np.einsum("nk,nk->n", rows, rows))
    return np.asarray(rows / np.maximum(norms, 1e-3)[:, None], dtype=np.float32)


def flat_mask(mask: Floats) -> tuple[Floats, Floats]:
    """A mask (h, w) for flattened pictures: (h*w*3,), and (h*w*3, 3) which channel each number belongs to."""
    channels = np.tile(np.eye(3, dtype=np.float32), (mask.size, 1))
    return np.repeat(mask.astype(np.float32).ravel(), 3), channels


def face_bank(deck: Deck) -> FaceBank:
    """The templates of a deck whose faces have images.

    Raises: DeckError when a face has no image or its image cannot be read as a picture.
    """
    return _load(deck)


@lru_cache(maxsize=DECKS_KEPT)
def _load(deck: Deck) -> FaceBank:
    aspect = deck.card_mm[1] / deck.card_mm[0]
    width, height = SOURCE, round(SOURCE * aspect)
    files = [_image_file(deck, face) for face in deck.faces]
    pictures = [_bytes_of(path, face.id) for path, face in zip(files, deck.faces, strict=True)]
    key = deck_cache.key_of(("faces", repr((SOURCE, deck.card_mm, deck.corner_mm)), *pictures))
    count = len(deck.faces)
    kept = deck_cache.load(
        key, {"sources": (np.uint8, (count, height, width, 3)), "alpha": (np.float32, (height, width))}
    )
    if kept is None:
        kept = _read_faces(deck, files, pictures, (width, height))
        deck_cache.store(key, kept)
    ids = tuple(face.id for face in deck.faces)
    return FaceBank(
        deck, ids, aspect, np.asarray(kept["sources"], np.uint8), np.asarray(kept["alpha"], np.float32), key
    )


def _image_file(deck: Deck, face: Face) -> Path:
    if face.image is None or deck.folder is None:
        raise DeckError(
            "face-image-missing",
            f"{deck.folder or deck.name}: face '{face.id}' has no image, so it cannot be recognised in a photo.",
        )
    return Path(deck.folder) / face.image


def _bytes_of(path: Path, face_id: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise _broken(path, face_id) from None


def _broken(path: Path, face_id: str) -> DeckError:
    return DeckError("face-image-broken", f"{path}: the image of face '{face_id}' cannot be read as a picture.")


def _read_faces(deck: Deck, files: list[Path], pictures: list[bytes], size: tuple[int, int]) -> deck_cache.Arrays:
    """sources: (F, h, w, 3) uint8 and alpha: (h, w) float32 of all faces."""
    sources, alphas = [], []
    for face, path, picture in zip(deck.faces, files, pictures, strict=True):
        colour, alpha = _read_face(picture, path, face.id, size)
        sources.append(colour)
        alphas.append(alpha)
    outline = np.minimum.reduce(alphas) * _rounded(size, deck.corner_mm / deck.card_mm[0])
    return {"sources": np.stack(sources).astype(np.uint8), "alpha": outline.astype(np.float32)}


def _read_face(picture: bytes, path: Path, face_id: str, size: tuple[int, int]) -> tuple[NDArray[np.uint8], Floats]:
    """A face image of `size` (width, height) as BGR uint8, and alpha 0..1; transparent corners get the rim's colour."""
    image = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_UNCHANGED) if picture else None
    if image is None:
        raise _broken(path, face_id)
    if image.dtype == np.uint16:
        image = (image / 257).astype(np.uint8)
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if image.shape[2] == 3:
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8), np.ones((size[1], size[0]), np.float32)
    opaque = image[:, :, 3:].astype(np.float32) / 255
    share = cv2.resize(opaque[:, :, 0], size, interpolation=cv2.INTER_AREA)
    # What is seen through must not darken the rim, so colours are averaged by how opaque they are.
    colour = cv2.resize(image[:, :, :3] * opaque, size, interpolation=cv2.INTER_AREA)
    colour = colour / np.maximum(share, 1e-3)[:, :, None]
    alpha = np.asarray(share, dtype=np.float32)
    filled = _fill_outside(np.asarray(colour, dtype=np.float32), alpha)
    return np.clip(filled, 0, 255).astype(np.uint8), alpha


def _fill_outside(colour: Floats, alpha: Floats) -> Floats:
    """Spread the card's colours over its transparent corners, so that blurring mixes in no foreign colour."""
    weight = (alpha > 0.9).astype(np.float32)
    sigma = min(alpha.shape) / 16
    near = cv2.GaussianBlur(colour * weight[:, :, None], (0, 0), sigma)
    share = cv2.GaussianBlur(weight, (0, 0), sigma)
    filled = near / np.maximum(share, 1e-4)[:, :, None]
    return np.where(weight[:, :, None] > 0, colour, filled).astype(np.float32)


def _rounded(size: tuple[int, int], radius: float) -> Floats:
    """(h, w) mask of a rounded rectangle; `radius` is a fraction of the width."""
    width, height = size
    r = radius * width
    x = np.abs(np.arange(width) + 0.5 - width / 2)[None, :] - (width / 2 - r)
    y = np.abs(np.arange(height) + 0.5 - height / 2)[:, None] - (height / 2 - r)
    outside = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
    return np.asarray(outside <= r, dtype=np.float32)
