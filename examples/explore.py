# Matrix products with several schedules, in one session. Each part between `# %%` is a cell in editors and notebooks
# that know these. Needs the package of src/python and numpy.

# %% the product as it stands
import time

import numpy as np
import polynest

product = polynest.Program({
    "polynest": 1, "name": "product", "params": ["N"],
    "arrays": [{"name": "A", "role": "in", "type": "f32", "shape": ["N", "N"]},
               {"name": "B", "role": "in", "type": "f32", "shape": ["N", "N"]},
               {"name": "C", "role": "inout", "type": "f32", "shape": ["N", "N"]}],
    "nests": [{"loops": ["i < N", "j < N", "k < N"], "body": ["C[i, j] += A[i, k] * B[k, j]"]}]})
print(product.explain())

# %% a candidate is a list of steps
candidates = {
    "as it stands": product,
    "k outside": product.with_steps([{"reorder": ["k", "i", "j"]}]),
    "tiles": product.with_steps([{"tile": {"i": 32, "j": 32}}, {"reorder": ["i", "j", "k", "ii", "jj"]}]),
    "proposed": product.with_auto(),
}
for name, candidate in candidates.items():
    print(f"{name}:\n{candidate.show()}")

# %% one that is illegal says why
try:
    product.with_steps([{"reverse": "k"}]).check()
except polynest.Refused as refused:
    print(refused)

# %% build, compare and time them
A, B = np.random.default_rng(1).random((2, 64, 64), np.float32)
expected = None
for name, candidate in candidates.items():
    function = candidate.compile()
    start = time.perf_counter()
    C = function(A=A, B=B, C=np.zeros((64, 64), np.float32))
    print(f"{name}: {1e3 * (time.perf_counter() - start):.2f} ms")
    if expected is None:
        expected = C
    assert np.array_equal(C, expected), name
