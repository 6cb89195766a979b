"""Which of several photographs belong together: those of the camera and the size that most of them have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Kind = TypeVar("Kind")
Size = tuple[int, int]


def unlike_most(sizes: Sequence[Size], models: Sequence[str]) -> list[str]:
    """For each photograph why it does not belong to most of them, "" if it does. sizes: (width, height) px; models: the
    cameras' names, "" where the file does not say, which is no reason."""
    known = [model for model in models if model]
    camera = _commonest(known) if known else ""
    told = [
        f"it is from another camera or lens ({each}) than most" if each not in ("", camera) else "" for each in models
    ]
    alike = [size for size, reason in zip(sizes, told, strict=True) if not reason]
    usual = _commonest(alike) if alike else (0, 0)
    return [reason or _other_size(size, usual) for size, reason in zip(sizes, told, strict=True)]


def _other_size(size: Size, usual: Size) -> str:
    if size == usual:
        return ""
    turned = "was taken with the camera turned and " if size == usual[::-1] else ""
    return f"it {turned}is {size[0]} x {size[1]}, not {usual[0]} x {usual[1]} as most"


def _commonest(values: Sequence[Kind]) -> Kind:
    """Of equally common ones the first."""
    return Counter(values).most_common(1)[0][0]
