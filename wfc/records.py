"""`dataclass` as the standard library has it, made in a tenth of the time.

A check of a small file is mostly the making of some three hundred classes, and the standard library compiles six
functions for each, one by one. Here a class begins with functions that all classes share; those that are called often
are compiled for it when they are first called. `dataclasses` itself is imported by nobody but who asks it something,
because it brings `inspect`, `ast` and `dis` along, a sixth of a small run. Type checkers see no difference, and neither
do the functions of `dataclasses`; of the options there are those in use.
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

__all__ = ["asdict", "dataclass", "field", "fields", "replace"]

_NOTHING = object()


class Field:
    """What is known of a field."""

    __slots__ = ("compare", "factory", "init", "kw_only", "name", "repr", "type", "value")

    name: str
    type: Any

    def __init__(self, value: Any, factory: Any, init: bool, repr: bool, compare: bool, kw_only: bool | None) -> None:
        self.value, self.factory = value, factory
        self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only

    @property
    def has_default(self) -> bool:
        return self.value is not _NOTHING


Fields = dict[str, Field]

if TYPE_CHECKING:
    from dataclasses import asdict, dataclass, field, replace
else:

    def dataclass(cls=None, *, frozen=False, slots=False, eq=True, order=False, kw_only=False, repr=True):
        """Fill in what the annotations of a class and these options ask for."""
        options = SimpleNamespace(frozen=frozen, slots=slots, eq=eq, order=order, kw_only=kw_only, repr=repr)
        options.uncompiled = _SELDOM
        return _made(cls, options) if cls is not None else lambda given: _made(given, options)

    def field(*, default=_NOTHING, default_factory=None, init=True, repr=True, compare=True, kw_only=None):
        """What is said of a field beside its type."""
        return Field(default, default_factory, init, repr, compare, kw_only)

    def replace(one, /, **changes):
        """The same with other values in some fields; of a class that was made here."""
        kept = {name: getattr(one, name) for name, known in one.__record_fields__.items() if known.init}
        return type(one)(**kept | changes)

    def asdict(one):
        """An instance, and those within it, as dictionaries by the names of the fields."""
        import dataclasses

        return dataclasses.asdict(one)


def fields(of: Any) -> tuple[Field, ...]:
    """The fields, in order, of a class that was made here, or of an instance."""
    return tuple(of.__record_fields__.values())


class _Standard:
    """The fields of a class in the words of `dataclasses`, found when somebody asks for them."""

    def __get__(self, one: Any, cls: Any) -> dict[str, Any]:
        return _standard_fields(cls)


@cache
def _standard_fields(cls: Any) -> dict[str, Any]:
    import dataclasses

    made: dict[str, Any] = {}
    for name, known in cls.__record_fields__.items():
        one: Any = dataclasses.field(
            default=known.value if known.has_default else dataclasses.MISSING,
            default_factory=known.factory or dataclasses.MISSING,
            init=known.init,
            repr=known.repr,
            compare=known.compare,
            kw_only=known.kw_only,
        )
        one.name, one.type, one._field_type = name, known.type, dataclasses._FIELD  # type: ignore[attr-defined]
        made[name] = one
    return made


def _made(cls: Any, options: Any) -> Any:
    own = _own_fields(cls, options.kw_only)
    every: Fields = {}
    for base in reversed(cls.__mro__[1:]):
        every |= base.__dict__.get("__record_fields__", {})
    every |= own
    members = {name: _SHARED[name] for name in _names(options)}
    if options.eq and not options.frozen:
        members["__hash__"] = None
    if options.slots and options.frozen:
        members |= {"__getstate__": _state, "__setstate__": _set_state}
    # What a class says itself is meant; that it has no hash is what Python says of one that has an `__eq__`.
    members = {name: member for name, member in members.items() if cls.__dict__.get(name) is None}
    members["__match_args__"] = tuple(one.name for one in every.values() if one.init and not one.kw_only)
    members |= {"__record_fields__": every, "__dataclass_fields__": _STANDARD, "__dataclass_params__": options}
    if options.slots:
        return _slotted(cls, own, every, members)
    for name, member in members.items():
        setattr(cls, name, member)
    return cls


def _names(options: Any) -> tuple[str, ...]:
    """The shared functions that a class with these options begins with."""
    names: tuple[str, ...] = ("__init__", "__repr__") if options.repr else ("__init__",)
    if options.eq:
        names += ("__eq__", "__hash__") if options.frozen else ("__eq__",)
    if options.order:
        names += tuple(_ORDER)
    return (*names, "__setattr__", "__delattr__") if options.frozen else names


def _own_fields(cls: Any, kw_only: bool) -> Fields:
    """The fields that a class itself declares; their defaults become attributes, and factories do not."""
    own: Fields = {}
    members = cls.__dict__
    for name, annotation in cls.__annotations__.items():
        if str(annotation).startswith("ClassVar"):
            continue
        default = members.get(name, _NOTHING)
        one = default if type(default) is Field else Field(default, None, True, True, True, None)
        one.name, one.type = name, annotation
        one.kw_only = kw_only if one.kw_only is None else one.kw_only
        own[name] = one
        if one is default:
            if one.has_default:
                setattr(cls, name, one.value)
            else:
                delattr(cls, name)
    return own


def _slotted(cls: Any, own: Fields, every: Fields, members: dict[str, Any]) -> Any:
    """The class once more, with a slot for each field instead of a dictionary."""
    inherited = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    every_member = {name: member for name, member in cls.__dict__.items() if name not in own} | members
    every_member["__slots__"] = tuple(name for name in every if name not in inherited)
    for name in ("__dict__", "__weakref__"):
        every_member.pop(name, None)
    made = type(cls)(cls.__name__, cls.__bases__, every_member)
    made.__qualname__ = cls.__qualname__
    return made


# -- what all classes share -------------------------------------------------------------------------------------------


def _init(self: Any, *args: Any, **named: Any) -> None:
    """Fill an instance slowly for a few times: to compile how costs as much as to make dozens."""
    options = _owner(self, "__init__").__dataclass_params__
    options.uncompiled -= 1
    if options.uncompiled < 0 or not _filled(self, args, named):
        _compiled(self, "__init__")(self, *args, **named)


def _filled(self: Any, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Do what `__init__` does. False, and nothing done, where the arguments are not those that it takes, which the
    compiled one can say better."""
    owner = _owner(self, "__init__")
    every: Fields = owner.__record_fields__
    given = dict(zip(owner.__match_args__, args, strict=False)) | named
    if len(given) < len(args) + len(named) or not all(name in every and every[name].init for name in given):
        return False
    for name, one in every.items():
        if name in given:
            continue
        if one.factory is not None:
            given[name] = one.factory()
        elif one.has_default:
            given[name] = one.value
        elif one.init:
            return False
    for name, value in given.items():
        object.__setattr__(self, name, value)
    if hasattr(owner, "__post_init__"):
        self.__post_init__()
    return True


def _at_first(name: str) -> Any:
    def first(self: Any, *args: Any) -> Any:
        return _compiled(self, name)(self, *args)

    return first


def _repr(self: Any) -> str:
    names = [one.name for one in fields(self) if one.repr]
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


def _refuse_set(self: Any, name: str, value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    """How one with slots that cannot be set is copied and pickled."""
    return [getattr(self, one.name) for one in fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_STANDARD = _Standard()
_SELDOM = 8
_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_SIGNS = {"__eq__": "==", **_ORDER}
_SHARED: dict[str, Any] = {
    "__init__": _init,
    "__repr__": _repr,
    "__setattr__": _refuse_set,
    "__delattr__": _refuse_delete,
    **{name: _at_first(name) for name in ("__hash__", *_SIGNS)},
}


# -- what is compiled -------------------------------------------------------------------------------------------------


def _owner(one: Any, name: str) -> Any:
    """The class whose function of this name is ours."""
    return next(cls for cls in type(one).__mro__ if getattr(cls.__dict__.get(name), "__module__", None) == __name__)


def _compiled(one: Any, name: str) -> Any:
    """The function that a class means by a name, compiled and put in its place, if another thread has not done so."""
    owner = _owner(one, name)
    if owner.__dict__[name] is _SHARED[name]:
        # Whoever looks up the stack sees whose code it is.
        scope: dict[str, Any] = {"_set": object.__setattr__, "_NOTHING": _NOTHING, "__name__": __name__}
        exec(_text(owner, name, scope), scope)
        scope[name].__qualname__ = f"{owner.__qualname__}.{name}"
        setattr(owner, name, scope[name])
    return owner.__dict__[name]


def _text(cls: Any, name: str, scope: dict[str, Any]) -> str:
    """The text of a function; the values that it uses come into its scope."""
    every: Fields = cls.__record_fields__
    if name == "__init__":
        return _text_of_init(cls, every, scope)
    ours, theirs = ("".join(f"{of}.{one.name}," for one in every.values() if one.compare) for of in ("self", "other"))
    if name == "__hash__":
        return f"def __hash__(self):\n return hash(({ours}))\n"
    return f"""\
def {name}(self, other):
 return ({ours}) {_SIGNS[name]} ({theirs}) if other.__class__ is self.__class__ else NotImplemented
"""


def _text_of_init(cls: Any, every: Fields, scope: dict[str, Any]) -> str:
    by_place: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for place, one in enumerate(every.values()):
        name = value = told = one.name
        if one.factory is not None:
            scope[f"_{place}"], told = one.factory, f"{name}=_NOTHING"
            value = f"_{place}() if {name} is _NOTHING else {name}" if one.init else f"_{place}()"
        elif one.has_default:
            scope[f"_{place}"], told = one.value, f"{name}=_{place}"
        if one.init:
            (by_name if one.kw_only else by_place).append(told)
        if one.init or one.factory is not None:
            frozen = cls.__dataclass_params__.frozen
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ["self", *by_place, *(["*", *by_name] if by_name else [])]
    return f"def __init__({', '.join(arguments)}):\n " + "\n ".join(body or ["pass"]) + "\n"
