"""Table tops drawn by formula: wood, cloth, tiles, marble, carpet, newspaper and more.

Each pattern is a function `(rng, size) -> (size, size, 3)` float32, BGR reflectance in linear light, 0..1.
The square stands for `TILE_MM[name]` millimetres of table and is meant to be repeated mirrored.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator
Pattern = Callable[[Rng, int], Floats]


def linear(srgb: npt.ArrayLike) -> Floats:
    """sRGB 0..1 to linear light 0..1, any shape (IEC 61966-2-1)."""
    value = np.asarray(srgb, np.float32)
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4).astype(np.float32)


def hsv(hue: float, saturation: float, value: float) -> Floats:
    """Hue (turns, 0..1), saturation and value to linear BGR (3,)."""
    pixel = np.array([[[(hue % 1.0) * 360, saturation, value]]], np.float32)
    return linear(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0])


_HOUSEHOLD = (
    (0.10, 0.10, 0.93),  # off-white
    (0.10, 0.28, 0.82),  # beige
    (0.08, 0.45, 0.55),  # tan
    (0.06, 0.55, 0.30),  # brown
    (0.60, 0.06, 0.60),  # grey
    (0.60, 0.08, 0.28),  # charcoal
    (0.58, 0.45, 0.45),  # blue
    (0.60, 0.65, 0.25),  # navy
    (0.33, 0.30, 0.45),  # sage
    (0.00, 0.65, 0.55),  # red
)


def household(rng: Rng) -> Floats:
    """A colour that tables and cloths at home have, seldom any colour at all; linear BGR (3,)."""
    if rng.uniform() < 0.2:
        return hsv(rng.uniform(), rng.uniform(0.1, 0.75), rng.uniform(0.2, 0.95))
    hue, saturation, value = _HOUSEHOLD[int(rng.integers(len(_HOUSEHOLD)))]
    return hsv(
        hue + rng.normal(0, 0.025),
        float(np.clip(saturation * rng.uniform(0.6, 1.4), 0, 1)),
        float(np.clip(value * rng.uniform(0.8, 1.15), 0.05, 0.97)),
    )


def noise(rng: Rng, shape: tuple[int, int], cell: tuple[float, float], octaves: int = 1) -> Floats:
    """Smooth noise (rows, columns), about -1..1; `cell` = size in pixels (down, across) of its largest blobs."""
    total = np.zeros(shape, np.float32)
    weight, gain = 0.0, 1.0
    for octave in range(octaves):
        rows = max(2, int(shape[0] / cell[0] * 2**octave) + 2)
        columns = max(2, int(shape[1] / cell[1] * 2**octave) + 2)
        seeds = rng.uniform(-1, 1, (min(rows, shape[0]), min(columns, shape[1]))).astype(np.float32)
        total += gain * cv2.resize(seeds, shape[::-1], interpolation=cv2.INTER_CUBIC)
        weight += gain
        gain *= 0.55
    return np.asarray(total / weight * 1.6, np.float32)


def mix(low: Floats, high: Floats, share: Floats) -> Floats:
    """Two colours (3,) blended by a map (H, W) of shares 0..1 to (H, W, 3)."""
    part = np.clip(share, 0, 1)[..., None]
    return np.asarray(low * (1 - part) + high * part, np.float32)


_WOODS = (
    ((0.085, 0.45, 0.86), (0.075, 0.62, 0.62)),  # birch, maple
    ((0.080, 0.62, 0.72), (0.065, 0.75, 0.45)),  # oak
    ((0.060, 0.70, 0.52), (0.045, 0.80, 0.28)),  # cherry, teak
    ((0.055, 0.55, 0.30), (0.045, 0.60, 0.13)),  # walnut
    ((0.100, 0.12, 0.80), (0.095, 0.18, 0.60)),  # limed
    ((0.090, 0.10, 0.45), (0.080, 0.12, 0.28)),  # grey weathered
)


def _wood_colours(rng: Rng) -> tuple[Floats, Floats]:
    light, dark = _WOODS[int(rng.integers(len(_WOODS)))]
    shift = rng.uniform(-0.012, 0.012)
    gain = rng.uniform(0.85, 1.1)
    return (
        hsv(light[0] + shift, light[1], min(1.0, light[2] * gain)),
        hsv(dark[0] + shift, dark[1], dark[2] * gain),
    )


def _grain(rng: Rng, shape: tuple[int, int], scale: float) -> Floats:
    """Share of dark wood (H, W): rings cut lengthwise, fibres and pores; the grain runs along x."""
    rows, columns = shape
    down = np.arange(rows, dtype=np.float32)[:, None] / scale
    warp = 2.2 * noise(rng, shape, (rows / 2.0, columns / 1.5), 2)
    rings = 0.5 + 0.5 * np.sin((down * rng.uniform(0.12, 0.3) + warp) * 2 * np.pi)
    fibre = noise(rng, shape, (2.5 * scale / 4, 220 * scale / 4), 3)
    pores = np.clip(noise(rng, shape, (1.2 * scale / 4, 40 * scale / 4)) - 0.75, 0, 1)
    broad = noise(rng, shape, (rows / 4, columns / 2), 2)
    return np.asarray(0.28 + 0.34 * rings**2 + 0.22 * fibre + 0.9 * pores + 0.15 * broad, np.float32)


def wood_board(rng: Rng, size: int) -> Floats:
    """One broad board with a lively grain."""
    light, dark = _wood_colours(rng)
    return mix(light, dark, _grain(rng, (size, size), rng.uniform(12, 30)))


def wood_planks(rng: Rng, size: int) -> Floats:
    """Boards side by side with dark joints, each with its own tone."""
    light, dark = _wood_colours(rng)
    out = np.empty((size, size, 3), np.float32)
    board = size // int(rng.integers(4, 12))
    joint = max(1, round(size / 2048 * rng.uniform(1, 5)))
    for top in range(0, size, board):
        rows = min(board, size - top)
        share = _grain(rng, (rows, size), rng.uniform(8, 22)) + rng.uniform(-0.2, 0.2)
        strip = mix(light, dark, share) * np.float32(rng.uniform(0.85, 1.12))
        end = int(rng.integers(0, size))
        strip[:, end : end + joint] *= 0.25
        strip[:joint] *= 0.22
        out[top : top + rows] = strip
    return out


def parquet(rng: Rng, size: int) -> Floats:
    """Small blocks of wood laid in a basket weave."""
    light, dark = _wood_colours(rng)
    cell = size // int(rng.choice([4, 6, 8]))
    bars = int(rng.integers(3, 6))
    out = np.empty((size, size, 3), np.float32)
    for i in range(size // cell + 1):
        for j in range(size // cell + 1):
            share = _grain(rng, (cell, cell), 10)
            for bar in range(bars):
                part = slice(bar * cell // bars, (bar + 1) * cell // bars)
                share[part] += rng.uniform(-0.2, 0.2)
                share[part.start : part.start + 2] += 0.5
            block = mix(light, dark, share if (i + j) % 2 else share.T)
            room = out[i * cell : (i + 1) * cell, j * cell : (j + 1) * cell]
            room[:] = block[: room.shape[0], : room.shape[1]]
    return out


def _weave(rng: Rng, size: int, thread: float) -> Floats:
    """Lightness factor (H, W) of a plain weave; `thread` = pixels a thread, each a little uneven."""
    across = np.arange(size, dtype=np.float32)
    wobble = noise(rng, (size, size), (size / 8, size / 8), 2) * thread * 0.8
    warp = np.sin((across[None, :] + wobble) * np.pi / thread) ** 2
    weft = np.sin((across[:, None] + wobble.T) * np.pi / thread) ** 2
    checker = np.sin((across[None, :] + wobble) * np.pi / thread / 2) * np.sin(
        (across[:, None] + wobble.T) * np.pi / thread / 2
    )
    over = np.where(checker > 0, warp, weft)
    threads = noise(rng, (size, size), (thread, size / 3)) + noise(rng, (size, size), (size / 3, thread))
    return np.asarray(0.72 + 0.33 * over + 0.07 * threads, np.float32)


def linen(rng: Rng, size: int) -> Floats:
    """Plain cloth of one colour."""
    colour = household(rng)
    return _weave(rng, size, rng.uniform(4, 9))[..., None] * colour * 0.9


def gingham(rng: Rng, size: int) -> Floats:
    """Checked tablecloth."""
    colour = hsv(float(rng.choice([0.0, 0.6, 0.33, 0.12, 0.9])), rng.uniform(0.6, 0.9), rng.uniform(0.5, 0.85))
    count = int(rng.choice([8, 12, 20, 32]))
    band = (np.arange(size) * count // size % 2).astype(np.float32)
    share = np.asarray((band[:, None] + band[None, :]) / 2, np.float32)
    cloth = mix(linear([0.93, 0.95, 0.95]), colour, share)
    return cloth * _weave(rng, size, rng.uniform(4, 7))[..., None]


def tartan(rng: Rng, size: int) -> Floats:
    """Blanket with crossing stripes of several widths and colours."""
    base = household(rng)
    stripes = np.tile(base, (size, 1))
    for _ in range(int(rng.integers(4, 9))):
        colour = hsv(rng.uniform(), rng.uniform(0, 0.8), rng.uniform(0.1, 0.95))
        start, wide = rng.uniform(0, size / 2), rng.uniform(6, size / 12)
        for at in (start, size - 1 - start - wide, start + size / 2):
            stripes[int(max(0, at)) : int(at + wide)] = colour
    sett = (stripes[:, None] + stripes[None, :]) / 2
    return np.asarray(sett * _weave(rng, size, rng.uniform(5, 11))[..., None], np.float32)


def _scatter(rng: Rng, size: int, count: int) -> list[tuple[int, int]]:
    step = size / max(1, round(count**0.5))
    cells = np.arange(step / 2, size, step)
    return [
        (int(x + rng.uniform(-0.3, 0.3) * step), int(y + rng.uniform(-0.3, 0.3) * step)) for y in cells for x in cells
    ]


def flowers(rng: Rng, size: int) -> Floats:
    """Flowered oilcloth: blossoms and leaves on a plain ground."""
    cloth = np.empty((size, size, 3), np.float32)
    cloth[:] = household(rng)
    palette = [hsv(rng.uniform(), rng.uniform(0.4, 0.9), rng.uniform(0.5, 0.95)) for _ in range(3)]
    leaf = hsv(rng.uniform(0.25, 0.42), 0.6, rng.uniform(0.3, 0.6))
    radius = size / rng.uniform(28, 60)
    for x, y in _scatter(rng, size, int(rng.integers(40, 160))):
        big = radius * rng.uniform(0.6, 1.4)
        turn = rng.uniform(0, 360)
        for k in range(2):
            away = np.deg2rad(turn + 140 * k + 40)
            spot = (int(x + 1.6 * big * np.cos(away)), int(y + 1.6 * big * np.sin(away)))
            axes = (max(1, int(big * 0.9)), max(1, int(big * 0.35)))
            cv2.ellipse(cloth, spot, axes, float(np.rad2deg(away)), 0, 360, leaf.tolist(), -1, cv2.LINE_AA)
        petal = palette[int(rng.integers(len(palette)))]
        petals = int(rng.integers(5, 8))
        for k in range(petals):
            away = np.deg2rad(turn) + 2 * np.pi * k / petals
            spot = (int(x + big * 0.7 * np.cos(away)), int(y + big * 0.7 * np.sin(away)))
            axes = (max(1, int(big * 0.6)), max(1, int(big * 0.38)))
            tone = (petal * rng.uniform(0.85, 1.1)).tolist()
            cv2.ellipse(cloth, spot, axes, float(np.rad2deg(away)), 0, 360, tone, -1, cv2.LINE_AA)
        middle = hsv(0.14, 0.8, 0.9).tolist()
        cv2.circle(cloth, (x, y), max(1, int(big * 0.35)), middle, -1, cv2.LINE_AA)
    return np.asarray(cloth * (1 + 0.05 * noise(rng, (size, size), (6, 6), 2))[..., None], np.float32)


def dots(rng: Rng, size: int) -> Floats:
    """Spotted oilcloth."""
    cloth = np.empty((size, size, 3), np.float32)
    cloth[:] = household(rng)
    spot = hsv(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.8, 1.0)).tolist()
    count = int(rng.integers(8, 26))
    step = size / count
    for row in range(count):
        for column in range(count):
            x = int((column + 0.5 * (row % 2)) * step)
            cv2.circle(cloth, (x, int(row * step)), int(step * 0.22), spot, -1, cv2.LINE_AA)
    return np.asarray(cloth * (1 + 0.04 * noise(rng, (size, size), (5, 5), 2))[..., None], np.float32)


def tiles(rng: Rng, size: int) -> Floats:
    """Ceramic tiles with grout."""
    count = int(rng.choice([3, 4, 6, 8, 12]))
    cell = size // count
    base = household(rng)
    out = np.empty((size, size, 3), np.float32)
    out[:] = linear([0.5, 0.52, 0.54]) * rng.uniform(0.4, 1.4)
    gap = max(2, int(cell * rng.uniform(0.01, 0.035)))
    mottle = noise(rng, (size, size), (cell / 2, cell / 2), 5)
    for i in range(count + 1):
        for j in range(count + 1):
            area = (slice(i * cell + gap, (i + 1) * cell), slice(j * cell + gap, (j + 1) * cell))
            tone = base * rng.uniform(0.88, 1.1)
            out[area] = tone * (1 + 0.18 * mottle[area])[..., None]
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 1.0), np.float32)


def marble(rng: Rng, size: int) -> Floats:
    """Polished stone with veins."""
    ground = hsv(rng.uniform(0.05, 0.65), rng.uniform(0, 0.12), rng.choice([0.92, 0.85, 0.25]))
    vein = ground * rng.uniform(0.25, 0.6) if ground.mean() > 0.3 else ground * 5 + 0.1
    warp = noise(rng, (size, size), (size / 3, size / 3), 6)
    lines = np.abs(warp) ** 0.5
    fine = np.abs(noise(rng, (size, size), (size / 6, size / 6), 6)) ** 0.6
    share = np.clip(1 - 3.2 * lines, 0, 1) * 0.8 + np.clip(1 - 4 * fine, 0, 1) * 0.4
    cloud = 0.12 * noise(rng, (size, size), (size / 4, size / 4), 4)
    return mix(ground, vein.astype(np.float32), share + cloud.clip(0))


def laminate(rng: Rng, size: int) -> Floats:
    """Kitchen worktop with fine speckles."""
    ground = household(rng)
    out = np.tile(ground, (size, size, 1))
    for _ in range(3):
        speck = hsv(rng.uniform(), rng.uniform(0, 0.3), rng.uniform(0.05, 1.0))
        mask = noise(rng, (size, size), (rng.uniform(3, 9),) * 2, 2) > rng.uniform(0.45, 0.8)
        out[mask] = speck
    return np.asarray(cv2.GaussianBlur(out, (0, 0), 0.8), np.float32)


def carpet(rng: Rng, size: int) -> Floats:
    """Tufted carpet."""
    ground = household(rng) * np.float32(0.8)
    tuft = noise(rng, (size, size), (7, 7), 3)
    broad = noise(rng, (size, size), (size / 5, size / 5), 3)
    tint = np.stack([noise(rng, (size, size), (9, 9)) for _ in range(3)], axis=-1)
    return np.asarray(
        np.clip(ground * (0.85 + 0.55 * tuft + 0.12 * broad)[..., None] * (1 + 0.15 * tint), 0.004, 1),
        np.float32,
    )


def rug(rng: Rng, size: int) -> Floats:
    """Woven rug with stripes and lozenges in lively colours."""
    palette = [hsv(rng.uniform(), rng.uniform(0.3, 0.85), rng.uniform(0.15, 0.85)) for _ in range(5)]
    down, across = np.mgrid[0:size, 0:size].astype(np.float32)
    period = size / int(rng.integers(4, 10))
    lozenge = np.abs(across % period - period / 2) + np.abs(down % period - period / 2)
    index = (lozenge / period * 5).astype(int) % 5
    bands = (down // (period * 1.5)).astype(int) % 3
    out = np.asarray(palette, np.float32)[(index + bands) % 5]
    return np.asarray(out * _weave(rng, size, rng.uniform(6, 12))[..., None], np.float32)


def newspaper(rng: Rng, size: int) -> Floats:
    """Pages of printed columns, headlines and grey pictures."""
    page = np.full((size, size), 0.84, np.float32)
    columns = int(rng.integers(5, 9))
    wide = size // columns
    pitch = max(9, size // int(rng.integers(150, 220)))
    for column in range(columns):
        left, y = column * wide + wide // 12, int(rng.integers(4, 40))
        while y < size - pitch * 4:
            kind = rng.uniform()
            if kind < 0.04:
                tall = int(rng.integers(8, 18)) * pitch
                picture = 0.4 + 0.3 * noise(rng, (tall, wide - wide // 6), (tall / 2, wide / 2), 4)
                room = page[y : y + tall, left : left + wide - wide // 6]
                room[:] = picture[: room.shape[0]]
                y += tall + pitch
            elif kind < 0.1:
                words = "".join(rng.choice(list("ABCDEHIKLMNOPRSTUX "), 10))
                ink = np.zeros((5 * pitch, wide - wide // 6), np.uint8)
                cv2.putText(ink, words, (0, 3 * pitch), 2, pitch / 12, 255, max(2, pitch // 5), 16)
                room = page[y : y + 5 * pitch, left : left + ink.shape[1]]
                room[ink[: room.shape[0], : room.shape[1]] > 127] = 0.08
                y += 5 * pitch
            else:
                for _ in range(int(rng.integers(4, 16))):
                    x = left
                    while x < left + wide - wide // 6:
                        word = int(rng.uniform(1.2, 5) * pitch * 0.6)
                        line = page[y : y + pitch // 2, x : min(x + word, left + wide - wide // 7)]
                        line -= rng.uniform(0.25, 0.6, line.shape).astype(np.float32)
                        x += word + pitch // 3
                    y += pitch
                    if y > size - pitch * 2:
                        break
                y += pitch
    tint = linear([0.86, 0.92, 0.94]) * rng.uniform(0.85, 1.0)
    return np.clip(page, 0.04, 1)[..., None] * tint


def plain(rng: Rng, size: int) -> Floats:
    """Painted or plastic top of one colour with faint marks."""
    colour = household(rng)
    marks = 0.04 * noise(rng, (size, size), (size / 3, size / 3), 4) + 0.02 * noise(rng, (size, size), (4, 4), 2)
    return np.asarray(colour * (1 + marks)[..., None], np.float32)


def concrete(rng: Rng, size: int) -> Floats:
    """Rough grey: concrete, slate, an old garden table."""
    tone = hsv(rng.uniform(0.05, 0.65), rng.uniform(0, 0.15), rng.uniform(0.25, 0.75))
    rough = 0.3 * noise(rng, (size, size), (size / 6, size / 6), 8)
    pits = np.clip(noise(rng, (size, size), (14, 14), 2) - 0.75, 0, 1)
    return np.asarray(np.clip(tone * (1 + rough - 1.2 * pits)[..., None], 0.01, 1), np.float32)


def bamboo(rng: Rng, size: int) -> Floats:
    """Mat of thin slats sewn together."""
    light, dark = _wood_colours(rng)
    slat = size / int(rng.integers(60, 140))
    down = np.arange(size, dtype=np.float32)[:, None] + 2 * noise(rng, (size, size), (size / 6, size / 3))
    index = (down / slat).astype(int)
    tone = rng.uniform(-0.25, 0.25, index.max() + 2).astype(np.float32)[index]
    round_ = np.sin(np.pi * (down / slat % 1.0)) ** 0.5
    share = 0.35 + tone + 0.2 * noise(rng, (size, size), (3, 120), 2)
    mat = mix(light, dark, share) * (0.3 + 0.7 * round_)[..., None]
    for x in range(size // 10, size, size // 5):
        mat[:, x : x + 4] *= 0.6
    return np.asarray(mat, np.float32)


def play_mat(rng: Rng, size: int) -> Floats:
    """Children's mat: big bright shapes that compete with the cards."""
    mat = np.empty((size, size, 3), np.float32)
    mat[:] = hsv(rng.uniform(), rng.uniform(0.2, 0.7), rng.uniform(0.5, 0.95))
    for x, y in _scatter(rng, size, int(rng.integers(20, 50))):
        tone = hsv(rng.uniform(), rng.uniform(0.4, 0.9), rng.uniform(0.4, 1.0)).tolist()
        big = int(size / rng.uniform(14, 30))
        kind = int(rng.integers(3))
        if kind == 0:
            cv2.circle(mat, (x, y), big, tone, -1, cv2.LINE_AA)
        else:
            corners = cv2.boxPoints(((x, y), (2 * big, 2 * big if kind == 1 else big), rng.uniform(0, 90)))
            cv2.fillPoly(mat, [corners.astype(np.int32)], tone, cv2.LINE_AA)
    return np.asarray(mat * (1 + 0.05 * noise(rng, (size, size), (5, 5), 2))[..., None], np.float32)


PATTERNS: MappingProxyType[str, tuple[Pattern, tuple[float, float], tuple[float, float]]] = MappingProxyType(
    {
        "wood-board": (wood_board, (500, 1100), (0.0, 0.5)),
        "wood-planks": (wood_planks, (600, 1400), (0.0, 0.4)),
        "parquet": (parquet, (500, 1200), (0.05, 0.5)),
        "linen": (linen, (260, 500), (0.0, 0.0)),
        "gingham": (gingham, (250, 500), (0.0, 0.05)),
        "tartan": (tartan, (400, 900), (0.0, 0.0)),
        "flowers": (flowers, (400, 900), (0.0, 0.5)),
        "dots": (dots, (300, 800), (0.0, 0.5)),
        "tiles": (tiles, (500, 1500), (0.1, 0.7)),
        "marble": (marble, (600, 1500), (0.2, 0.8)),
        "laminate": (laminate, (350, 800), (0.05, 0.5)),
        "carpet": (carpet, (350, 700), (0.0, 0.0)),
        "rug": (rug, (600, 1300), (0.0, 0.0)),
        "newspaper": (newspaper, (400, 800), (0.0, 0.05)),
        "plain": (plain, (500, 1000), (0.0, 0.7)),
        "concrete": (concrete, (500, 1200), (0.0, 0.15)),
        "bamboo": (bamboo, (300, 600), (0.0, 0.15)),
        "play-mat": (play_mat, (500, 1000), (0.0, 0.3)),
    }
)
"""Name -> (function, range of mm that the square stands for, range of gloss 0..1)."""
