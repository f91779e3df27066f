"""A description, and what can be asked about it."""

from __future__ import annotations

import json
import os
from ctypes import byref, c_int
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping

from .errors import EnvironmentFault, Error, Refused, Undecided
from .library import lib, owned_text

if TYPE_CHECKING:
    from .function import Function

_ERRORS: dict[int, type[Error]] = {1: Refused, 2: Refused, 3: EnvironmentFault, 4: Undecided}
_FORMS = {"loops": 0, "tree": 1, "map": 2, "outline": 3, "changes": 4}


@dataclass(frozen=True)
class Emitted:
    """What `emit` makes: two files, and the function's arguments as polynest_signature tells them."""

    source: str
    header: str
    signature: dict[str, Any]
    warnings: str


@dataclass(frozen=True)
class Answer:
    """Yes or no, as a truth value, and the reason for a no."""

    text: str
    yes: bool

    def __bool__(self) -> bool:
        return self.yes


class Picture(str):
    """An SVG, which notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)


class Program:
    """A description: a dict, or its JSON text. It never changes; `with_steps` and others give a new one.

    Each question raises Refused, Undecided or EnvironmentFault where there is no answer.
    """

    def __init__(self, description: Mapping[str, Any] | str, name: str = "description.json") -> None:
        self.text = description if isinstance(description, str) else json.dumps(description, indent=1)
        self.name = name
        self._settings: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Program":
        """The description in a file. Data files it names are looked for beside it."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), os.fspath(path))

    @classmethod
    def start(cls, kind: str) -> "Program":
        """A commented description to start from, such as "gemm" (`polynest new`)."""
        text = owned_text(lib.polynest_start(kind.encode()))
        if text is None:
            raise ValueError(f"there is no start {kind!r}")
        return cls(text, f"{kind}.json")

    # What a new program has besides this one's text

    def _with(self, call: str, *arguments: Any) -> "Program":
        other = Program(self.text, self.name)
        other._settings = (*self._settings, (call, arguments))
        return other

    def with_steps(self, schedule: Iterable[Any] = (), plan: Iterable[Any] = (),
                   target: Mapping[str, Any] | None = None) -> "Program":
        """With this schedule and plan, and the target if one is given, in the place of the description's own."""
        steps: dict[str, Any] = {"polynest": 1, "schedule": list(schedule), "plan": list(plan)}
        if target is not None:
            steps["target"] = dict(target)
        return self.with_schedule(json.dumps(steps, indent=1))

    def apply(self, step: Mapping[str, Any]) -> "Program":
        """With one more step at the end of the schedule or the plan, {"split": "i", "by": 8}; whether the order is
        legal after it is another question."""
        text, steps = self._ask("polynest_apply_json", json.dumps(step).encode(), take=lambda handle: (
            lib.polynest_description(handle).decode(), lib.polynest_schedule(handle)))
        other = Program(text, self.name)
        other._settings = self._settings
        return other if steps is None else other.with_schedule(steps.decode())

    def with_schedule(self, text: str, name: str = "steps.json") -> "Program":
        """With a schedule file's text, such as `auto` gives."""
        data = text.encode()
        return self._with("polynest_set_schedule", name.encode(), data, len(data))

    def with_auto(self, replace: bool = False) -> "Program":
        """With the steps that `auto` proposes."""
        return self._with("polynest_set_auto", int(replace))

    def with_function(self, name: str) -> "Program":
        """With one of the functions that the description lists; questions are about one."""
        data = self.text.encode()
        handle = lib.polynest_new(self.name.encode(), data, len(data))
        known = lib.polynest_choose_function(handle, name.encode())
        lib.polynest_free(handle)
        if not known:
            raise ValueError(f"the description lists no function {name!r}")
        return self._with("polynest_choose_function", name.encode())

    def with_variant(self, name: str) -> "Program":
        """With one of the description's variants."""
        return self._with("polynest_set_variant", name.encode())

    def with_tunables(self, **values: Any) -> "Program":
        """With values of the description's tunables."""
        other = self
        for name, value in values.items():
            other = other._with("polynest_set_tunable", name.encode(), str(value).encode())
        return other

    def permitting(self, *words: str) -> "Program":
        """With "reassociate", "contract" or "approximate" permitted."""
        other = self
        for word in words:
            if word not in ("reassociate", "contract", "approximate"):
                raise ValueError(f"nothing is called {word!r} that can be permitted")
            other = other._with("polynest_permit", word.encode())
        return other

    def unscheduled(self) -> "Program":
        """Without schedule and plan: the reference for the other one."""
        return self._with("polynest_set_unscheduled", 1)

    # Questions

    def _ask(self, call: str, *arguments: Any, settings: Iterable[tuple[str, tuple[Any, ...]]] = (),
             take: Callable[[Any], Any]) -> Any:
        data = self.text.encode()
        handle = lib.polynest_new(self.name.encode(), data, len(data))
        try:
            for setting, values in (*self._settings, *settings):
                getattr(lib, setting)(handle, *values)
            status = getattr(lib, call)(handle, *arguments)
            if status != 0:
                raise _ERRORS[status](lib.polynest_diagnostics(handle).decode(),
                                      json.loads(lib.polynest_diagnostics_json(handle) or b"[]"))
            return take(handle)
        finally:
            lib.polynest_free(handle)

    def _output(self, call: str, *arguments: Any, settings: Iterable[tuple[str, tuple[Any, ...]]] = ()) -> str:
        return self._ask(call, *arguments, settings=settings, take=lambda handle: lib.polynest_output(handle).decode())

    def check(self) -> str:
        """Proves the schedule; the warnings."""
        return self._ask("polynest_check", take=lambda handle: lib.polynest_diagnostics(handle).decode())

    def emit(self, name: str | None = None, check_args: bool = False, self_check: bool = False) -> Emitted:
        """The emitted files, with the function under another name if one is given; check_args: it tests its
        preconditions; self_check: it also runs the description as written, and compares."""
        settings = [("polynest_set_check_args", (int(check_args),)), ("polynest_set_self_check", (int(self_check),))]
        if name is not None:
            settings.append(("polynest_set_function_name", (name.encode(),)))
        return self._ask("polynest_emit", settings=settings, take=lambda handle: Emitted(
            lib.polynest_source(handle).decode(), lib.polynest_header(handle).decode(),
            json.loads(lib.polynest_signature(handle)), lib.polynest_diagnostics(handle).decode()))

    def show(self, form: str = "loops", steps: bool = False, slice: str | None = None) -> str:
        """The order: as "loops", pseudo-code, "tree", "map" or "outline"; after each step if steps, as "changes" with
        what each takes away. In a slice, "1,*,*", only what runs where the loops have these values."""
        if form not in _FORMS:
            raise ValueError(f"the forms are {', '.join(_FORMS)}")
        settings = [] if slice is None else [("polynest_set_slice", (slice.encode(),))]
        return self._output("polynest_show", _FORMS[form], int(steps), settings=settings)

    def explain(self, topic: str | None = None) -> str:
        """Verdicts, dependences, parallel loops; or what is known of a loop, a step or a buffer."""
        return self._output("polynest_explain", None if topic is None else topic.encode())

    def analysis(self) -> dict[str, Any]:
        """The order after the schedule as data: "legal" or what is broken, "dependences", "loops" with bodies,
        "arrays"."""
        return json.loads(self._output("polynest_explain_json"))

    def _answer(self, call: str, *names: str) -> Answer:
        yes = c_int()
        words = (name.encode() for name in names)
        return Answer(self._output(call, *words, byref(yes)), yes.value != 0)

    def is_legal(self) -> Answer:
        """Does the order after the schedule keep all dependences?"""
        return self._answer("polynest_is_legal")

    def is_parallel(self, loop: str) -> Answer:
        """May the iterations of the loop run in any order, or at once?"""
        return self._answer("polynest_is_parallel", loop)

    def is_permutable(self, *loops: str) -> Answer:
        """May the loops, which are directly inside of each other, be in any order, and be tiled?"""
        return self._answer("polynest_is_permutable", ", ".join(loops))

    def footprint(self, loop: str, array: str) -> Answer:
        """How many elements of the array one iteration of the loop touches: as an expression in the parameters in
        `text`, true where it is exact and not only a bound."""
        return self._answer("polynest_footprint", loop, array)

    def draw(self, **sizes: int) -> Picture:
        """The iteration spaces as SVG, for these values of parameters."""
        return Picture(self._output("polynest_draw", settings=_sizes(sizes)))

    def draw_page(self, **sizes: int) -> str:
        """The same after each step, as one HTML page."""
        return self._output("polynest_draw_page", settings=_sizes(sizes))

    def format(self) -> str:
        """The description's text as polynest formats it."""
        return self._output("polynest_format")

    def auto(self, replace: bool = False) -> str:
        """A schedule file with the steps that polynest proposes, commented."""
        return self._output("polynest_auto", int(replace))

    def compile(self, compiler: str | None = None, flags: Iterable[str] = ("-O3",)) -> "Function":
        """The emitted function, built by compiler (else $CC, else cc), for numpy arrays."""
        from .function import Function

        return Function(self.emit(check_args=True), compiler, flags)


def _sizes(sizes: Mapping[str, int]) -> list[tuple[str, tuple[Any, ...]]]:
    return [("polynest_set_size", (name.encode(), value)) for name, value in sizes.items()]
