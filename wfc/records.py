"""`dataclass` as the standard library has it, made in a tenth of the time.

A check of a small file is mostly the making of some three hundred classes, and the standard library compiles six
functions for each, one by one. Here those that are called often are compiled when they are first called, and the rest
are closures. To type checkers there is no difference, and none to the functions of `dataclasses`: the fields that those
know are made when they ask. Until then `dataclasses` is not imported, because it brings `inspect`, `ast` and `dis`
along, a sixth of a small run. Of the options there are those in use; the two kinds of class do not inherit from one
another.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

__all__ = ["MISSING", "asdict", "dataclass", "field", "fields", "replace"]


class Field:
    """What is known of a field, by the names that the standard library has for it."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "name", "repr", "type")

    def __init__(
        self, default: Any, default_factory: Any, init: bool, repr: bool, compare: bool, kw_only: bool | None
    ) -> None:
        self.name, self.type = "", None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare, self.kw_only = init, repr, compare, kw_only


Fields = dict[str, Field]

if TYPE_CHECKING:
    from dataclasses import MISSING, asdict, dataclass, field, fields, replace
else:

    class MISSING:
        """Stands where there is no default."""

    def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, compare=True, kw_only=None):
        """What the declaration of a field says beside its type."""
        return Field(default, default_factory, init, repr, compare, kw_only)

    def fields(of):
        """The fields of a class or an instance, in order."""
        found = _fields_of(of if isinstance(of, type) else type(of))
        if found is not None:
            return tuple(found.values())
        import dataclasses

        return dataclasses.fields(of)

    def replace(one, /, **changes):
        """The same with other values in some fields."""
        found = _fields_of(type(one))
        if found is None or not all(found[name].init for name in changes if name in found):
            import dataclasses

            return dataclasses.replace(one, **changes)
        for name, known in found.items():
            if known.init and name not in changes:
                changes[name] = getattr(one, name)
        return type(one)(**changes)

    def asdict(one):
        """An instance, and those within it, as dictionaries by the names of the fields."""
        import dataclasses

        return dataclasses.asdict(one)

    def dataclass(cls=None, *, frozen=False, slots=False, eq=True, order=False, kw_only=False, repr=True):
        """Fill in what the annotations of a class and these options ask for."""
        options = SimpleNamespace(frozen=frozen, slots=slots, eq=eq, order=order, kw_only=kw_only, repr=repr)
        return _made(cls, options) if cls is not None else lambda given: _made(given, options)


def _made(cls: Any, options: Any) -> Any:
    own = _own_fields(cls, options.kw_only)
    every: Fields = {}
    for base in reversed(cls.__mro__[1:]):
        every |= base.__dict__.get("__record_fields__", {})
    every |= own
    members: dict[str, Any] = {
        "__match_args__": tuple(one.name for one in every.values() if one.init and not one.kw_only),
        **({"__repr__": _repr(every)} if options.repr else {}),
        **_compiled(cls, every, options),
    }
    if options.eq and not options.frozen:
        members["__hash__"] = None
    if options.frozen:
        members |= {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
    for name, member in members.items():
        # What a class says itself is meant; that it has no hash is what Python says of one that has an `__eq__`.
        if cls.__dict__.get(name) is None:
            setattr(cls, name, member)
    cls.__record_fields__, cls.__dataclass_fields__, cls.__dataclass_params__ = every, _Standard(every), options
    return _slotted(cls, own, every, options.frozen) if options.slots else cls


def _fields_of(cls: type) -> Fields | None:
    """The fields of a class; none where they are not of here."""
    for base in cls.__mro__:
        known = base.__dict__
        if "__record_fields__" in known:
            found: Fields = known["__record_fields__"]
            return found
        if "__dataclass_fields__" in known:
            return None
    return None


class _Standard:
    """The fields of a class as the standard library knows them, made when it asks."""

    def __init__(self, every: Fields) -> None:
        self._every = every
        self._made: dict[str, Any] | None = None

    def __get__(self, one: Any, cls: Any) -> dict[str, Any]:
        if self._made is None:
            import dataclasses

            # What tells it that a field is one, and no class variable.
            sample: Any = dataclasses.fields(dataclasses.make_dataclass("_Sample", ["one"]))[0]
            self._made = {name: _standard(known, sample._field_type) for name, known in self._every.items()}
        return self._made


def _standard(one: Field, is_field: Any) -> Any:
    import dataclasses

    given = {"default": one.default, "default_factory": one.default_factory}
    given = {name: value for name, value in given.items() if value is not MISSING}
    flags: Any = {"init": one.init, "repr": one.repr, "compare": one.compare, "kw_only": one.kw_only}
    made: Any = dataclasses.field(**flags, **given)
    made.name, made.type, made._field_type = one.name, one.type, is_field
    return made


def _own_fields(cls: Any, kw_only: bool) -> Fields:
    """The fields that a class itself declares; their defaults become attributes, and factories do not."""
    own: Fields = {}
    for name, annotation in cls.__annotations__.items():
        if str(annotation).startswith("ClassVar"):
            continue
        default = cls.__dict__.get(name, MISSING)
        one = default if type(default) is Field else Field(default, MISSING, True, True, True, None)
        one.name, one.type = name, annotation
        one.kw_only = kw_only if one.kw_only is None else one.kw_only
        own[name] = one
        if one.default is not MISSING:
            setattr(cls, name, one.default)
        elif default is not MISSING:
            delattr(cls, name)
    return own


def _compiled(cls: Any, every: Fields, options: Any) -> dict[str, Any]:
    """The functions that are called often; each is compiled when it is first called, because most never are."""
    # Whoever looks up the stack sees whose code it is.
    known: dict[str, Any] = {"_set": object.__setattr__, "_MISSING": MISSING, "__name__": __name__}
    goes_on = hasattr(cls, "__post_init__")
    texts: dict[str, Callable[[], str]] = {}
    if options.eq:
        signs = {"eq": "==", **_ORDER} if options.order else {"eq": "=="}
        for name, sign in signs.items():
            texts[f"__{name}__"] = lambda name=name, sign=sign: _compare(every, name, sign)  # type: ignore[misc]
        if options.frozen:
            texts["__hash__"] = lambda: f"def __hash__(self):\n return hash({_tuple('self', every)})\n"
    made = {name: _at_first_call(name, text, known, cls.__qualname__) for name, text in texts.items()}
    made["__init__"] = _at_first_call(
        "__init__",
        lambda: _init(every, options.frozen, goes_on, known),
        known,
        cls.__qualname__,
        _uncompiled_init(every, goes_on),
    )
    return made


def _uncompiled_init(every: Fields, goes_on: bool) -> Any:
    """What `__init__` does, slowly: compiling it costs as much as making dozens of instances. False where the arguments
    are not those that it takes, which the compiled one can say better."""
    set_one = object.__setattr__
    ordered = [one for one in every.values() if one.init and not one.kw_only]

    def init(self: Any, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
        given = dict(zip((one.name for one in ordered), args, strict=False))
        if len(args) > len(ordered) or given.keys() & named.keys():
            return False
        given.update(named)
        for name, one in every.items():
            if not one.init:
                given.pop(name, None)
            elif name in given:
                continue
            if one.default_factory is not MISSING:
                given[name] = one.default_factory()
            elif one.default is not MISSING:
                given[name] = one.default
            elif one.init:
                return False
        if not given.keys() <= every.keys():
            return False
        for name, value in given.items():
            set_one(self, name, value)
        if goes_on:
            self.__post_init__()
        return True

    return init


_SELDOM = 8


def _at_first_call(name: str, text: Callable[[], str], known: dict[str, Any], of: str, seldom: Any = None) -> Any:
    """A function that compiles a text, puts what it defines in its own place, and calls it; before that, `seldom` may
    do for a few times, and say with true that it did."""
    calls = 0

    def first(self: Any, *args: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if seldom is not None and calls <= _SELDOM and seldom(self, args, named):
            return None
        # The text may add to what is known.
        written = text()
        scope = dict(known)
        exec(written, scope)
        made = scope[name]
        made.__qualname__ = first.__qualname__
        for cls in type(self).__mro__:
            if cls.__dict__.get(name) is first:
                setattr(cls, name, made)
        return made(self, *args, **named)

    first.__name__, first.__qualname__ = name, f"{of}.{name}"
    return first


_ORDER = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _compare(every: Fields, name: str, sign: str) -> str:
    compared = f"{_tuple('self', every)} {sign} {_tuple('other', every)}"
    return f"""\
def __{name}__(self, other):
 return {compared} if other.__class__ is self.__class__ else NotImplemented
"""


def _tuple(of: str, every: Fields) -> str:
    return "(" + "".join(f"{of}.{one.name}," for one in every.values() if one.compare) + ")"


def _init(every: Fields, frozen: bool, goes_on: bool, known: dict[str, Any]) -> str:
    """The text of `__init__`; the defaults that it uses come into `known`."""
    by_place: list[str] = []
    by_name: list[str] = []
    body: list[str] = []
    for place, one in enumerate(every.values()):
        name = value = told = one.name
        if one.default_factory is not MISSING:
            known[f"_{place}"], told = one.default_factory, f"{name}=_MISSING"
            value = f"_{place}() if {name} is _MISSING else {name}" if one.init else f"_{place}()"
        elif one.default is not MISSING:
            known[f"_{place}"], told = one.default, f"{name}=_{place}"
        if one.init:
            (by_name if one.kw_only else by_place).append(told)
        if one.init or one.default_factory is not MISSING:
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if goes_on:
        body.append("self.__post_init__()")
    arguments = ["self", *by_place, *(["*", *by_name] if by_name else [])]
    return f"def __init__({', '.join(arguments)}):\n " + "\n ".join(body or ["pass"]) + "\n"


def _repr(every: Fields) -> Any:
    names = [one.name for one in every.values() if one.repr]

    def __repr__(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return __repr__


def _refuse_set(self: Any, name: str, value: Any) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _slotted(cls: Any, own: Fields, every: Fields, frozen: bool) -> Any:
    """The class once more, with a slot for each field instead of a dictionary."""
    inherited = {name for base in cls.__mro__[1:-1] for name in base.__dict__.get("__slots__", ())}
    members = {name: member for name, member in cls.__dict__.items() if name not in own}
    members["__slots__"] = tuple(name for name in every if name not in inherited)
    for name in ("__dict__", "__weakref__"):
        members.pop(name, None)
    if frozen:
        members |= _state(tuple(every))
    made = type(cls)(cls.__name__, cls.__bases__, members)
    made.__qualname__ = cls.__qualname__
    return made


def _state(names: tuple[str, ...]) -> dict[str, Any]:
    """How one with slots that cannot be set is copied and pickled."""

    def __getstate__(self: Any) -> list[Any]:
        return [getattr(self, name) for name in names]

    def __setstate__(self: Any, state: list[Any]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}
