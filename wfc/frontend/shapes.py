"""The few kinds of shape of which the tables of the language are made.

Guarantees: a shape is data. What a document may hold is said once, in `model`; `reader` reads by it and `json_schema`
publishes it, so that the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Literal

from wfc.diagnostics import Code
from wfc.paths import GraphSourcePath, LocalPath, StatePath
from wfc.records import dataclass, field

Kind = Literal["null", "boolean", "number", "string", "array", "object"]


@dataclass(frozen=True)
class Text:
    """A string, of at least so many characters; `what` says what it is for, `pattern` what all of it matches.

    `meant` maps the JSON text of values that are no strings to the one that they stand for.
    """

    what: str = "a string"
    least: int = 0
    pattern: str | None = None
    meant: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Name:
    """A name that a document gives (reference 1.1): letters, digits and some marks; `taken` may not be used."""

    what: str
    marks: str = "_-"
    taken: tuple[str, ...] = ()

    @cached_property
    def pattern(self) -> str:
        """What it matches as a whole, as a regular expression of ECMA-262 and of Python."""
        return f"(?!__)[A-Za-z_][A-Za-z0-9{self.marks}]*"


@dataclass(frozen=True)
class Number:
    """A number from `least` up, or above it where `open` is set."""

    what: str
    least: int | float | None = None
    open: bool = False


@dataclass(frozen=True)
class Integer:
    """A whole number from `least` up."""

    what: str
    least: int | None = None


@dataclass(frozen=True)
class Choice:
    """One of some strings; with `prefix` also any longer string that begins so.

    `meant` maps spellings of other languages to the word that they stand for here.
    """

    values: tuple[str, ...]
    prefix: str | None = None
    meant: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Json:
    """Any JSON value."""


@dataclass(frozen=True)
class SchemaText:
    """A JSON Schema; `objects` where it has to describe objects. What is inside is data and judged elsewhere.

    `old` is a keyword that only documents of the older spelling have.
    """

    objects: bool = False
    old: str | None = None


@dataclass(frozen=True)
class PathText:
    """A path of one kind, in its string or its structural form."""

    kind: type[LocalPath] | type[GraphSourcePath] | type[StatePath]


@dataclass(frozen=True)
class ListOf:
    """An array of one shape, with at least so many entries.

    `entries` gives what an object that stands in its place means: its entries by the keys that they have there.
    """

    item: Shape
    least: int = 0
    entries: Callable[[dict[str, Any]], dict[str, Any] | None] = lambda written: None


@dataclass(frozen=True)
class MapOf:
    """An object whose keys are the author's."""

    key: Text | PathText
    value: Shape


@dataclass(frozen=True)
class Field:
    """One key of an object. `null` stands for an absent key, unless `null_is_value`.

    `old` marks a spelling that is read and never published (reference 1.7).
    """

    name: str
    shape: Shape
    doc: str
    required: bool = False
    default: Any = None
    null_is_value: bool = False
    old: bool = False

    @cached_property
    def scalar(self) -> Scalar | None:
        """The shape, where it holds nothing else."""
        return None if isinstance(self.shape, (ListOf, MapOf, Object, Tagged, Either, Again)) else self.shape

    @cached_property
    def keeps_hole(self) -> bool:
        """Whether what follows has to know that the value could not be read, instead of going on with the default."""
        return self.required or self.scalar is None or isinstance(self.shape, PathText)


@dataclass(frozen=True)
class Only:
    """A field that may stand only where another one holds one of `among`, or none of them where `none_of` is set."""

    fields: tuple[str, ...]
    other: str
    among: tuple[str, ...]
    code: Code
    expected: str
    none_of: bool = False


@dataclass(frozen=True)
class Object:
    """An object with these keys, and any `x-` key.

    `one_of` are groups of keys of which exactly one is given, whole. `meant` maps keys of other languages to those that
    they stand for here, the likeliest first.
    """

    title: str
    fields: tuple[Field, ...]
    one_of: tuple[tuple[str, ...], ...] = ()
    rules: tuple[Only, ...] = ()
    meant: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def by_name(self) -> dict[str, Field]:
        return {entry.name: entry for entry in self.fields}

    @cached_property
    def known(self) -> tuple[str, ...]:
        """The keys that an author is told about."""
        return tuple(entry.name for entry in self.fields if not entry.old)

    @cached_property
    def required(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self.fields if entry.required)

    @cached_property
    def blank(self) -> dict[str, Any]:
        """What is read where nothing is given."""
        return {entry.name: entry.default for entry in self.fields}


@dataclass(frozen=True)
class Tagged:
    """An object of one of several shapes, told apart by the string under `tag`; `code` is that of an unknown one.

    `rewrites` gives what a value that is no such object means in this language, and whether that is sure.
    """

    title: str
    tag: str
    cases: Mapping[str, Object]
    code: Code
    meant: Mapping[str, str] = field(default_factory=dict)
    rewrites: Callable[[Any], tuple[Any, bool] | None] = lambda value: None


@dataclass(frozen=True)
class Case:
    """A shape for values of these kinds; with `having` only for objects that have one of these keys."""

    kinds: tuple[Kind, ...]
    shape: Shape
    having: tuple[str, ...] = ()
    old: bool = False


@dataclass(frozen=True)
class Either:
    """The first case that fits by kind. `rewrites` gives what a value that fits none may mean, with a title each."""

    what: str
    cases: tuple[Case, ...]
    rewrites: Callable[[Any], tuple[tuple[str, Any], ...]] = lambda value: ()


@dataclass(frozen=True)
class Again:
    """A shape of the tables by its title, where it holds itself."""

    title: str


Scalar = Text | Name | Number | Integer | Choice | Json | SchemaText | PathText
Shape = Scalar | ListOf | MapOf | Object | Tagged | Either | Again
