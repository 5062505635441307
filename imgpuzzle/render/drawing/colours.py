"""The colours of marks, and of what is around boards."""

from __future__ import annotations

from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green, blue."""

# Amber and sky blue can be distinguished in all forms of colour blindness, and from
# each other by brightness (Okabe and Ito, 2008); dark edges set them off from
# bright pictures.
DARK: Colour = (16, 16, 20)
AMBER: Colour = (255, 176, 0)
SKY: Colour = (86, 180, 233)
NIGHT: Colour = (22, 26, 36)
GREEN: Colour = (24, 130, 66)
WHITE: Colour = (255, 255, 255)
MARKS = (DARK, AMBER, SKY, NIGHT, GREEN, WHITE)


def themed(light: Colour, dark: Colour) -> dict[str, Colour]:
    """A colour by the theme; a picture knows no reader whose theme it could take."""
    return {"auto": light, "light": light, "dark": dark}


PAPER = themed((246, 247, 249), (24, 26, 32))
"""What boards lie on."""

# Of what is around boards; all contrasts of type are 4.5 to 1 or more.
INK = themed(NIGHT, (238, 240, 244))
FAINT = themed((92, 99, 112), (164, 171, 184))
TRACK = themed((221, 224, 230), (52, 56, 66))

HAIRLINE = themed((190, 190, 190), (92, 96, 106))
"""Around panels whose corners would look like a part of the sheet."""
