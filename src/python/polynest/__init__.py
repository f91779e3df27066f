"""polynest from Python: descriptions of loop nests as dicts, proofs, emitted C, and functions for numpy arrays.

    import numpy as np
    import polynest

    twice = polynest.Program({
        "polynest": 1, "name": "twice", "params": ["N"],
        "arrays": [{"name": "x", "role": "inout", "type": "f32", "shape": ["N"]}],
        "nests": [{"loops": ["i < N"], "body": ["x[i] = 2 * x[i]"]}]})
    print(twice.emit().source)
    x = np.ones(1000, np.float32)
    twice.compile()(x=x)
"""

from .errors import EnvironmentFault, Error, Refused, Undecided
from .library import lib, owned_text
from .program import Answer, Emitted, Picture, Program

__version__: str = lib.polynest_version().decode()
__all__ = ["Answer", "Emitted", "EnvironmentFault", "Error", "Picture", "Program", "Refused", "Undecided", "load",
           "step_help"]

load = Program.load


def step_help(name: str) -> str:
    """The page of a step or an object of the description, in Markdown."""
    text = owned_text(lib.polynest_step_help(name.encode()))
    if text is None:
        raise ValueError(f"nothing is called {name!r}")
    return text
