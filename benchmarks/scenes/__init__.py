"""Makers of scenes: made-up and captured screenshots, with what is true of them.

A ``Scene`` is a screenshot with its truth: the board, the goal and the box of the
board. Every maker takes a kind or a design, a number and pictures, and gives the same
scene in every run.

| module | what it makes |
|---|---|
| ``pages`` | boards on plain pages, with a reference; ``trouble`` spoils them |
| ``cases`` | all kinds that ``reading`` measures, from ``pages`` and ``numbers`` |
| ``sliding`` | boards with a tile on its way |
| ``played`` | games that are played, frame by frame |
| ``screens`` | whole screens of every sort, to teach and try the finder of boards |
| ``drawn`` | the boards on them, in any style, of what ``stock`` holds |
| ``numbers`` | boards of numerals |
| ``shuffled`` | boards of a picture, cut into tiles |
| ``captured`` | real screenshots, their truth read from files |

``tune`` and ``test`` are two halves that share neither pictures nor all styles: what
is chosen or mended is so on the first, figures are of the second. A new maker is a
module here, and a line in the command that measures with it.
"""
