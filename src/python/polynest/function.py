"""An emitted function, built and called with numpy arrays."""

from __future__ import annotations

import ctypes
import errno
import operator
import os
import re
import shlex
import subprocess
import tempfile
from typing import Any, Iterable

import numpy as np

from .errors import EnvironmentFault
from .extents import evaluate
from .program import Emitted

# bf16 has no numpy type: its bits
_DTYPES = {"bool": "?", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1", "u16": "u2", "u32": "u4",
           "u64": "u8", "f16": "f2", "bf16": "u2", "f32": "f4", "f64": "f8"}
_C_TYPES = {"bool": ctypes.c_bool, "i8": ctypes.c_int8, "i16": ctypes.c_int16, "i32": ctypes.c_int32,
            "i64": ctypes.c_int64, "u8": ctypes.c_uint8, "u16": ctypes.c_uint16, "u32": ctypes.c_uint32,
            "u64": ctypes.c_uint64,
            # narrow reals are passed as float
            "f16": ctypes.c_float, "bf16": ctypes.c_float, "f32": ctypes.c_float, "f64": ctypes.c_double}


def needed_flags(source: str) -> list[str]:
    """The compiler's flags that an emitted file names."""
    needs = re.search(r"^ \* needs +(.*(?:\n \*  .*)*)", source, re.M)
    flags = [word.rstrip(";") for word in needs.group(1).split() if word.startswith("-m")] if needs else []
    return flags + (["-fopenmp"] if "#pragma omp" in source or "omp_get" in source else [])


def _build(emitted: Emitted, folder: str, compiler: str | None, flags: Iterable[str]) -> ctypes.CDLL:
    name = emitted.signature["name"]
    for ending, text in ((".c", emitted.source), (".h", emitted.header)):
        with open(os.path.join(folder, name + ending), "w", encoding="utf-8") as file:
            file.write(text)
    command = [*shlex.split(compiler or os.environ.get("CC", "cc")), *flags, *needed_flags(emitted.source),
               "-shared", "-fPIC", name + ".c", "-lm", "-o", name + ".so"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except OSError as error:
        raise EnvironmentFault(f"the compiler does not run: {error}") from error
    if done.returncode != 0:
        raise EnvironmentFault(f"{shlex.join(command)} failed:\n{done.stderr}")
    return ctypes.CDLL(os.path.join(folder, name + ".so"))


class Function:
    """Called with keywords: parameters, scalars and arrays by their names.

    A parameter may be left out where an array has it as an extent. An array with the role out may be left out: it is
    made. Arrays must have the type and the extents of the signature's "stored" (one dimension with enough elements
    where it has "strides"), be contiguous, and not overlap where one is written. The result is what has the role out
    or inout: one array, or a tuple in the order of the description.

    TypeError: an argument is missing, unknown or of another type. ValueError: extents, overlap, or a precondition in
    the emitted comment.
    """

    def __init__(self, emitted: Emitted, compiler: str | None = None, flags: Iterable[str] = ("-O3",)) -> None:
        if emitted.signature["language"] != "c":
            raise ValueError("only functions in C can be called from here")
        self.emitted = emitted
        self.arguments: list[dict[str, Any]] = emitted.signature["arguments"]
        self._folder = tempfile.TemporaryDirectory(prefix="polynest-")
        self._library = _build(emitted, self._folder.name, compiler, flags)
        self._call = getattr(self._library, emitted.signature["name"])
        self._call.restype = ctypes.c_int if emitted.signature["returns"] == "int" else None

    def __call__(self, **given: Any) -> Any:
        self._refuse_unknown(given)
        parameters = self._parameters(given)
        values = {argument["name"]: self._value(argument, given, parameters) for argument in self.arguments}
        self._refuse_overlap(values)
        status = self._call(*(_passed(argument, values[argument["name"]]) for argument in self.arguments))
        if status == errno.ENOMEM:
            raise MemoryError("no memory for a temporary")
        if status:
            raise ValueError("a precondition does not hold:\n" + self.emitted.header.split("*/")[0])
        written = [values[a["name"]] for a in self.arguments if a["kind"] == "array" and a["role"] != "in"]
        return written[0] if len(written) == 1 else tuple(written)

    def _refuse_unknown(self, given: dict[str, Any]) -> None:
        unknown = set(given) - {argument["name"] for argument in self.arguments}
        if unknown:
            raise TypeError(f"{self.emitted.signature['name']} has no argument {', '.join(sorted(unknown))}")

    def _parameters(self, given: dict[str, Any]) -> dict[str, int]:
        """Those that are given, else the extents that are their names."""
        found: dict[str, int] = {}
        for argument in self.arguments:
            if argument["kind"] == "array" and argument["name"] in given and "stored" in argument:
                for extent, size in zip(argument["stored"], np.shape(given[argument["name"]])):
                    if extent.isidentifier():
                        found.setdefault(extent, size)
        for argument in self.arguments:
            if argument["kind"] == "param" and argument["name"] in given:
                found[argument["name"]] = operator.index(given[argument["name"]])
            elif argument["kind"] == "param" and argument["name"] not in found:
                raise TypeError(f"no array tells the parameter {argument['name']}: it must be given")
        return found

    def _value(self, argument: dict[str, Any], given: dict[str, Any], parameters: dict[str, int]) -> Any:
        name, kind = argument["name"], argument["kind"]
        if kind == "param":
            return parameters[name]
        if name not in given and not (kind == "array" and argument["role"] == "out"):
            raise TypeError(f"{name} is missing")
        if kind == "scalar" or _is_value(argument):
            return given[name]
        extents = _extents(argument, parameters)
        if name not in given:
            return np.zeros(extents, _DTYPES[argument["type"]])
        return _checked(argument, given[name], extents)

    def _refuse_overlap(self, values: dict[str, Any]) -> None:
        arrays = [a for a in self.arguments if isinstance(values[a["name"]], np.ndarray)]
        for k, one in enumerate(arrays):
            for other in arrays[k + 1:]:
                written = one["role"] != "in" or other["role"] != "in"
                if written and np.shares_memory(values[one["name"]], values[other["name"]]):
                    raise ValueError(f"{one['name']} and {other['name']} overlap")


def _is_value(argument: dict[str, Any]) -> bool:
    """One element that is only read is passed as a value."""
    return argument["role"] == "in" and not argument["shape"]


def _extents(argument: dict[str, Any], parameters: dict[str, int]) -> tuple[int, ...]:
    """The extents of the memory; none is negative."""
    if "stored" in argument:
        return tuple(max(0, evaluate(extent, parameters)) for extent in argument["stored"])
    last = evaluate(argument["offset"], parameters)
    for extent, stride in zip(argument["shape"], argument["strides"]):
        last += (evaluate(extent, parameters) - 1) * max(0, evaluate(stride, parameters))
    return (max(0, last + 1),)


def _checked(argument: dict[str, Any], array: Any, extents: tuple[int, ...]) -> np.ndarray:
    name, dtype = argument["name"], np.dtype(_DTYPES[argument["type"]])
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        given = getattr(array, "dtype", type(array).__name__)
        raise TypeError(f"{name} must be a numpy array of {dtype}, it is {given}")
    fits = array.shape == extents if "stored" in argument else array.ndim == 1 and array.size >= extents[0]
    if not fits:
        told = argument.get("stored", ["at least that"])
        raise ValueError(f"{name} must have the extents {extents} ({', '.join(told)}), it has {array.shape}")
    if not array.flags.c_contiguous or not array.flags.aligned:
        raise ValueError(f"{name} must be contiguous: see numpy.ascontiguousarray")
    if argument["role"] != "in" and not array.flags.writeable:
        raise ValueError(f"{name} must be writeable")
    return array


def _passed(argument: dict[str, Any], value: Any) -> Any:
    type_ = argument["type"]
    if argument["kind"] == "array" and not _is_value(argument):
        return ctypes.c_void_p(value.ctypes.data)
    if type_ == "bool":
        return ctypes.c_bool(bool(value))
    if _C_TYPES[type_] in (ctypes.c_float, ctypes.c_double):
        return _C_TYPES[type_](float(value))
    range_ = np.iinfo(_DTYPES[type_])
    if not range_.min <= operator.index(value) <= range_.max:
        raise ValueError(f"{argument['name']} is {value}, no {type_}")
    return _C_TYPES[type_](operator.index(value))
