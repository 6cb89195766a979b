"""From SVG to pixels: the same markup always gives the same picture, whatever fonts the machine has."""

import io
from pathlib import Path

import resvg_py
from PIL import Image

FACE_PX_PER_MM = 8.0
FONTS = Path(__file__).parent / "fonts"
# Rendering larger and shrinking smooths the edges that the hand-drawn wobble leaves ragged.
SUPERSAMPLING = 2


def render(svg: str, px_per_mm: float, width_mm: float, supersampling: int = SUPERSAMPLING) -> Image.Image:
    """A drawing ``width_mm`` wide as an RGBA picture with ``px_per_mm`` pixels a millimetre."""
    width = round(width_mm * px_per_mm)
    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width * supersampling,
        dpi=96,
        skip_system_fonts=True,
        font_files=[str(FONTS / "Nunito-Black.ttf"), str(FONTS / "Nunito-SemiBold.ttf")],
    )
    with Image.open(io.BytesIO(bytes(png))) as picture:
        picture.load()
        rgba = picture.convert("RGBA")
    if supersampling == 1:
        return rgba
    # Shrinking with the colours premultiplied keeps the transparent corners from darkening the rim.
    height = round(rgba.height / supersampling)
    return rgba.convert("RGBa").resize((width, height), Image.Resampling.BOX).convert("RGBA")


def compact_png(picture: Image.Image, colours: int = 128) -> bytes:
    """PNG bytes of an RGBA picture with a palette; a pixel is inside the card or transparent, nothing between.

    Pillow's only palette method that keeps half-transparent pixels makes visible bands in the colours.
    """
    inside = picture.getchannel("A").point(lambda alpha: 255 if alpha >= 128 else 0)
    flat = Image.new("RGB", picture.size, "white")
    flat.paste(picture.convert("RGB"), mask=inside)
    indexed = flat.quantize(colours, method=Image.Quantize.MEDIANCUT, kmeans=2, dither=Image.Dither.NONE)
    palette = (indexed.getpalette() or [])[: colours * 3]
    indexed.putpalette([*palette, *([0] * (colours * 3 - len(palette))), 255, 255, 255])
    indexed.paste(colours, mask=inside.point(lambda alpha: 255 - alpha))
    buffer = io.BytesIO()
    indexed.save(buffer, "PNG", optimize=True, transparency=colours)
    return buffer.getvalue()
