"""Extents of arrays: expressions in the parameters, in which / rounds down, as in descriptions."""

from __future__ import annotations

import ast
import operator
from typing import Callable, Mapping

_BINARY: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.Mod: operator.mod,
}
_CALLS: dict[str, Callable[..., int]] = {"min": min, "max": max, "abs": abs, "floor": lambda value: value}


def evaluate(text: str, parameters: Mapping[str, int]) -> int:
    """The value of an extent. KeyError: a parameter is missing."""

    def value(node: ast.expr) -> int:
        if isinstance(node, ast.Constant):
            return int(node.value)
        if isinstance(node, ast.Name):
            return parameters[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return _BINARY[type(node.op)](value(node.left), value(node.right))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "ceil" and isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.Div):
                return -(-value(node.args[0].left) // value(node.args[0].right))
            return _CALLS.get(node.func.id, lambda argument: argument)(*map(value, node.args))
        raise ValueError(f"no extent: {text}")

    return value(ast.parse(text, mode="eval").body)
