"""Classes made here are those that the standard library makes."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any, ClassVar

import pytest

from wfc import records

OPTIONS = [
    {},
    {"frozen": True},
    {"frozen": True, "slots": True},
    {"slots": True, "eq": False},
    {"frozen": True, "slots": True, "order": True},
    {"frozen": True, "slots": True, "kw_only": True},
]


def make(module: Any, options: dict[str, bool]) -> Any:
    @module.dataclass(**options)
    class Base:
        one: int
        kind: ClassVar[str] = "base"

    @module.dataclass(**options)
    class Made(Base):
        two: str = "x"
        three: list[int] = module.field(default_factory=list, repr=False)
        four: int = module.field(default=4, compare=False)
        plain = "an attribute"

        def __post_init__(self) -> None:
            object.__setattr__(self, "four", self.four + 1)

    return Made


@pytest.fixture(params=OPTIONS, ids=str)
def pair(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    return make(records, request.param), make(dataclasses, request.param)


def test_what_it_shows_and_what_it_holds(pair: tuple[Any, Any]) -> None:
    ours, theirs = (cls(one=1, three=[3]) for cls in pair)
    assert repr(ours) == repr(theirs)
    assert records.asdict(ours) == dataclasses.asdict(theirs) == {"one": 1, "two": "x", "three": [3], "four": 5}
    assert [(one.name, one.type, one.kw_only) for one in records.fields(ours)] == [
        (one.name, one.type, one.kw_only) for one in dataclasses.fields(theirs)
    ]
    assert (ours.kind, ours.plain, type(ours).__match_args__) == (
        theirs.kind,
        theirs.plain,
        type(theirs).__match_args__,
    )
    assert hasattr(ours, "__dict__") == hasattr(theirs, "__dict__")


def test_what_is_equal_and_what_comes_first(pair: tuple[Any, Any]) -> None:
    def told(cls: Any) -> list[Any]:
        first, same, other = cls(one=1), cls(one=1, four=7), cls(one=2)
        return [first == same, first == other, first != other, first == 1, _try(lambda: first < other)]

    assert told(pair[0]) == told(pair[1])


def test_what_can_be_hashed(pair: tuple[Any, Any]) -> None:
    ours, theirs = (_try(lambda cls=cls: type(hash(cls(one=1, three=())))) for cls in pair)
    assert ours == theirs


def test_what_can_be_changed(pair: tuple[Any, Any]) -> None:
    def told(cls: Any) -> list[Any]:
        made = cls(one=1)
        return [_try(lambda: setattr(made, "one", 2)), made.one, _try(lambda: delattr(made, "one"))]

    assert told(pair[0]) == told(pair[1])


def test_copies_and_replacements(pair: tuple[Any, Any]) -> None:
    for cls, module in zip(pair, (records, dataclasses), strict=True):
        made = cls(one=1, three=[3])
        assert repr(copy.copy(made)) == repr(made)
        assert repr(module.replace(made, two="y")) == repr(cls(one=1, two="y", three=[3], four=5))


def test_what_is_missing_or_too_much_is_refused(pair: tuple[Any, Any]) -> None:
    for cls in pair:
        with pytest.raises(TypeError, match=r"missing 1 required (keyword-only|positional) argument: 'one'"):
            cls()
        with pytest.raises(TypeError, match="unexpected keyword argument 'five'"):
            cls(one=1, five=5)


@records.dataclass(frozen=True, slots=True)
class Kept:
    """Of a module, so that it can be pickled."""

    name: str
    items: tuple[int, ...] = ()


def test_a_frozen_one_with_slots_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept("a", (1,)))) == Kept("a", (1,))


def test_a_list_of_each_own_for_what_a_factory_makes() -> None:
    made = make(records, {})
    assert made(one=1).three is not made(one=1).three


def test_one_that_is_not_to_be_shown_is_told_as_any_object_is() -> None:
    made = make(records, {"eq": False, "repr": False})
    assert type(made(one=1)).__repr__ is object.__repr__


def _try(act: Any) -> Any:
    try:
        return act()
    except Exception as wrong:  # noqa: BLE001  which one it is, is what is compared
        return type(wrong).__name__


def test_the_standard_library_knows_its_fields(pair: tuple[Any, Any]) -> None:
    told = ("name", "type", "default", "default_factory", "init", "repr", "compare", "kw_only")
    ours, theirs = ([[getattr(one, what) for what in told] for one in dataclasses.fields(cls)] for cls in pair)
    assert ours == theirs
    one = pair[0](one=1)
    assert dataclasses.is_dataclass(one)
    assert repr(dataclasses.replace(one, two="y")) == repr(records.replace(one, two="y"))
    assert dataclasses.asdict(one) == records.asdict(one)


def test_a_field_that_is_not_given_is_not_replaced() -> None:
    @records.dataclass(frozen=True)
    class Counted:
        name: str
        count: int = records.field(init=False, default=0)

    assert records.replace(Counted("a"), name="b") == Counted("b")
    assert dataclasses.replace(Counted("a"), name="b") == Counted("b")
    for other in ("count", "other"):
        with pytest.raises(TypeError, match=f"unexpected keyword argument '{other}'"):
            records.replace(Counted("a"), **{other: 2})


def test_the_standard_library_may_go_on_from_ours() -> None:
    @records.dataclass(frozen=True)
    class First:
        one: int
        two: str = "x"

    @dataclasses.dataclass(frozen=True)
    class Second(First):
        three: list[int] = dataclasses.field(default_factory=list)

    assert repr(Second(1)).endswith("Second(one=1, two='x', three=[])")
    assert Second(1) == Second(1)
    assert [one.name for one in dataclasses.fields(Second)] == ["one", "two", "three"]
