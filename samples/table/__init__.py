"""The virtual table: layouts photographed by a simulated phone, with the truth of each photo."""

from samples.table.levels import LEVELS
from samples.table.random_layouts import FAULTS, random_layout
from samples.table.render import Photo, render
from samples.table.scene import Scene, random_scene
from samples.table.surfaces import Surface, surfaces

__all__ = [
    "FAULTS",
    "LEVELS",
    "Photo",
    "Scene",
    "Surface",
    "random_layout",
    "random_scene",
    "render",
    "surfaces",
]
