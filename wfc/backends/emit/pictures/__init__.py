"""Pictures of workflows: what is drawn, and the forms in which it can be written.

A form is its function and one line in `PICTURES`; the layout that two of them need is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable

from wfc.backends.emit.pictures.dot import dot
from wfc.backends.emit.pictures.html import html
from wfc.backends.emit.pictures.layout import NoLayout
from wfc.backends.emit.pictures.mermaid import mermaid
from wfc.backends.emit.pictures.of_module import Around, picture_of_module
from wfc.backends.emit.pictures.of_program import picture_of_program
from wfc.backends.emit.pictures.overlay import picture_of_run
from wfc.backends.emit.pictures.picture import Picture
from wfc.backends.emit.pictures.svg import svg
from wfc.records import dataclass


@dataclass(frozen=True, slots=True)
class PictureForm:
    """One form: the name that a user says, the end of its files, what it is, and the function that writes it."""

    name: str
    suffix: str
    what: str
    write: Callable[[Picture], str]


PICTURES: tuple[PictureForm, ...] = (
    PictureForm("mermaid", ".mmd", "a Mermaid flowchart", mermaid),
    PictureForm("dot", ".dot", "a Graphviz digraph", dot),
    PictureForm("svg", ".svg", "a drawing", svg),
    PictureForm("html", ".html", "a page to move about in, which needs nothing else", html),
)

__all__ = [
    "PICTURES",
    "Around",
    "NoLayout",
    "Picture",
    "PictureForm",
    "html",
    "picture_of_module",
    "picture_of_program",
    "picture_of_run",
    "svg",
]
