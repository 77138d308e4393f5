"""What the ranking's defaults could be instead: a variant sets a few constants otherwise while it is in force."""

import contextlib
import math
import sys
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import NamedTuple
from unittest import mock

from nodes import recall, rerank
from nodes.ranking import decay, floor, profiles, relevance, versions
from state.stores.index import lexical

PRODUCT = frozenset({"graph", "nodes", "state"})


class Setting(NamedTuple):
    """A constant of a module, and the value it has in a variant."""

    module: ModuleType
    name: str
    value: object


class Variant(NamedTuple):
    """Constants set otherwise. What is in the index is so only where it was written so: `at_writing`."""

    name: str
    settings: tuple[Setting, ...]
    at_writing: bool = False

    @contextlib.contextmanager
    def in_force(self) -> Iterator[None]:
        """Set the constants, and set them back; raise AttributeError where a module has no such constant."""
        with contextlib.ExitStack() as stack:
            for module, name, value in self.settings:
                for holder in _holders(name, getattr(module, name)):
                    stack.enter_context(mock.patch.object(holder, name, value))
            yield

    def change(self) -> str:
        """Return what is set otherwise, as `relevance.MEANING 0.5 → 0.3`; of a table the entries that differ."""
        return ", ".join(
            f"{module.__name__.rpartition('.')[2]}.{name} {_change(getattr(module, name), value)}"
            for module, name, value in self.settings
        )


def _holders(name: str, default: object) -> list[ModuleType]:
    """Return the product's modules that have this very constant: its own, and those that import it by its name."""
    ours = [module for path, module in sys.modules.items() if path.partition(".")[0] in PRODUCT]
    return [module for module in ours if name in vars(module) and vars(module)[name] is default]


def _change(default: object, value: object) -> str:
    if not isinstance(default, Mapping) or not isinstance(value, Mapping):
        return f"{default} → {value}"
    now = {key: value.get(key, 0.0) for key in default}
    return ", ".join(f"{key}: {was} → {now[key]}" for key, was in default.items() if was != now[key])


def _relevance(**values: float) -> tuple[Setting, ...]:
    return tuple(Setting(relevance, name, value) for name, value in values.items())


def _floor(**values: float) -> tuple[Setting, ...]:
    return tuple(Setting(floor, name, value) for name, value in values.items())


def _nearby(weights: Mapping[int, float]) -> tuple[Setting, ...]:
    return (Setting(lexical, "NEARBY_WEIGHTS", weights),)


VARIANTS = {
    each.name: each
    for each in (
        Variant("words alone", _relevance(MEANING=0.0, WORDS=1.0)),
        Variant("more words", _relevance(MEANING=0.3, WORDS=0.7)),
        Variant("more meaning", _relevance(MEANING=0.7, WORDS=0.3)),
        Variant("meaning alone", _relevance(MEANING=1.0, WORDS=0.0)),
        Variant("no subject", _relevance(SUBJECT=0.0)),
        Variant("questions as good", _relevance(ASKS=0.0)),
        Variant("no slot", _relevance(SLOT=0.0)),
        Variant("no window boost", (Setting(profiles, "WINDOW_BOOST", 0.0),)),
        Variant("double window boost", (Setting(profiles, "WINDOW_BOOST", 1.0),)),
        Variant("no decay", (Setting(decay, "SHARE", dict.fromkeys(decay.SHARE, 0.0)),)),
        Variant("facts fade more", (Setting(decay, "SHARE", {**decay.SHARE, "fact": 0.2}),)),
        Variant("everything fades", (Setting(decay, "SHARE", dict.fromkeys(decay.SHARE, 0.3)),)),
        Variant("no floor", _floor(LEAST=-math.inf, BEHIND=math.inf, APART=-math.inf)),
        Variant("less evidence", _floor(LEAST=1.5)),
        Variant("more evidence", _floor(LEAST=3.5)),
        Variant("nearer the best", _floor(BEHIND=3.0)),
        Variant("farther behind", _floor(BEHIND=5.0)),
        Variant("not apart", _floor(APART=0.0)),
        Variant("no words as evidence", _floor(WORDS=0.0)),
        Variant("near-copies kept", (Setting(rerank, "NEAR_COPY", math.inf),)),
        Variant("looser near-copies", (Setting(rerank, "NEAR_COPY", 0.7),)),
        Variant("no newer first", (Setting(versions, "ALIKE", math.inf),)),
        Variant("looser newer first", (Setting(versions, "NEAR", 0.8),)),
        Variant("smaller pool", (Setting(recall, "POOL", 20),)),
        Variant("larger pool", (Setting(recall, "POOL", 200),)),
        Variant("own words alone", _nearby({}), at_writing=True),
        Variant("fewer words nearby", _nearby({1: 0.3, 2: 0.2}), at_writing=True),
    )
}
