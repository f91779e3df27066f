"""libpolynest by ctypes: the calls of polynest.h, and nothing else."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import POINTER, c_char, c_char_p, c_int, c_long, c_size_t, c_ulong, c_void_p

_TEXT = c_char_p
_CALLS = {
    "polynest_version": (_TEXT, []),
    "polynest_new": (c_void_p, [c_char_p, c_char_p, c_size_t]),
    "polynest_free": (None, [c_void_p]),
    "polynest_functions": (c_int, [c_void_p]),
    "polynest_choose_function": (c_int, [c_void_p, c_char_p]),
    "polynest_set_function_name": (None, [c_void_p, c_char_p]),
    "polynest_set_check_args": (None, [c_void_p, c_int]),
    "polynest_set_self_check": (None, [c_void_p, c_int]),
    "polynest_set_unscheduled": (None, [c_void_p, c_int]),
    "polynest_set_variant": (None, [c_void_p, c_char_p]),
    "polynest_set_schedule": (None, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "polynest_set_slice": (None, [c_void_p, c_char_p]),
    "polynest_set_tunable": (None, [c_void_p, c_char_p, c_char_p]),
    "polynest_set_size": (None, [c_void_p, c_char_p, c_long]),
    "polynest_set_budget": (None, [c_void_p, c_ulong]),
    "polynest_set_auto": (None, [c_void_p, c_int]),
    "polynest_permit": (c_int, [c_void_p, c_char_p]),
    "polynest_check": (c_int, [c_void_p]),
    "polynest_emit": (c_int, [c_void_p]),
    "polynest_show": (c_int, [c_void_p, c_int, c_int]),
    "polynest_explain": (c_int, [c_void_p, c_char_p]),
    "polynest_explain_json": (c_int, [c_void_p]),
    "polynest_apply_json": (c_int, [c_void_p, c_char_p]),
    "polynest_is_legal": (c_int, [c_void_p, POINTER(c_int)]),
    "polynest_is_parallel": (c_int, [c_void_p, c_char_p, POINTER(c_int)]),
    "polynest_is_permutable": (c_int, [c_void_p, c_char_p, POINTER(c_int)]),
    "polynest_footprint": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_int)]),
    "polynest_draw": (c_int, [c_void_p]),
    "polynest_draw_page": (c_int, [c_void_p]),
    "polynest_format": (c_int, [c_void_p]),
    "polynest_auto": (c_int, [c_void_p, c_int]),
    "polynest_description": (_TEXT, [c_void_p]),
    "polynest_schedule": (_TEXT, [c_void_p]),
    "polynest_source": (_TEXT, [c_void_p]),
    "polynest_header": (_TEXT, [c_void_p]),
    "polynest_signature": (_TEXT, [c_void_p]),
    "polynest_output": (_TEXT, [c_void_p]),
    "polynest_diagnostics": (_TEXT, [c_void_p]),
    "polynest_diagnostics_json": (_TEXT, [c_void_p]),
    "polynest_step_help": (POINTER(c_char), [c_char_p]),
    "polynest_start": (POINTER(c_char), [c_char_p]),
}


def _load() -> ctypes.CDLL:
    """The library that POLYNEST_LIBRARY names, else the installed one."""
    path = os.environ.get("POLYNEST_LIBRARY") or ctypes.util.find_library("polynest") or "libpolynest.so.0"
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libpolynest is not found ({error}): install polynest, or set POLYNEST_LIBRARY") from error
    for name, (result, arguments) in _CALLS.items():
        call = getattr(library, name)
        call.restype = result
        call.argtypes = arguments
    return library


lib = _load()
_free = ctypes.CDLL(None).free
_free.argtypes = [c_void_p]


def owned_text(pointer: "ctypes._Pointer[c_char]") -> str | None:
    """A text that the caller of the library frees; None for NULL."""
    if not pointer:
        return None
    try:
        return ctypes.string_at(pointer).decode()
    finally:
        _free(ctypes.cast(pointer, c_void_p))
