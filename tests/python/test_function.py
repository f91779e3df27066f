"""Built functions and what they accept."""

import numpy as np
import pytest

import polynest
from polynest.extents import evaluate
from polynest.function import needed_flags


def program(arrays, nests, **more):
    return polynest.Program({"polynest": 1, "name": "f", "params": ["N", "M"], "arrays": arrays, "nests": nests,
                             **more})


def array(name, role, shape, type_="f32", **more):
    return {"name": name, "role": role, "type": type_, "shape": shape, **more}


def test_matrix_product_with_threads_and_vectors():
    sums = {"loops": ["k < M"], "body": ["C[i, j] += A[i, k] * B[k, j]"]}
    gemm = program([array("A", "in", ["N", "M"], "f64"), array("B", "in", ["M", "N"], "f64"),
                    array("C", "out", ["N", "N"], "f64")],
                   [{"loops": ["i < N", "j < N"], "body": ["C[i, j] = 0", sums]}],
                   plan=[{"parallelize": ["i"]}], target={"openmp": True})
    a, b = np.arange(35.0).reshape(5, 7), np.arange(35.0).reshape(7, 5)
    np.testing.assert_array_equal(gemm.compile(flags=["-O2"])(A=a, B=b), a @ b)


def test_all_types_arrive_as_they_are():
    for type_, dtype in (("i8", np.int8), ("u16", np.uint16), ("i64", np.int64), ("u64", np.uint64),
                         ("f32", np.float32), ("f64", np.float64), ("bool", np.bool_)):
        copy = program([array("x", "in", ["N"], type_), array("y", "out", ["N"], type_)],
                       [{"loops": ["i < N"], "body": ["y[i] = x[i]"]}])
        x = np.array([0, 1, 1, 0, 1]).astype(dtype)
        y = copy.compile(flags=[])(x=x, M=0)
        assert y.dtype == dtype
        np.testing.assert_array_equal(y, x)


def test_scalars_and_single_elements():
    f = program([array("a", "in", [], "f64"), array("r", "inout", [], "f64"), array("x", "in", ["N"], "f64")],
                [{"loops": ["i < N"], "body": ["r += a * s * x[i]"]}],
                scalars=[{"name": "s", "type": "i32"}]).compile(flags=[])
    r = np.array(1.0)
    assert f(a=2.0, r=r, x=np.ones(3), s=5, M=0) is r and r == 31
    assert f(a=np.float32(2), r=r, x=np.ones(3), s=np.int64(-5), M=0) == 1
    with pytest.raises(ValueError, match="no i32"):
        f(a=2.0, r=r, x=np.ones(3), s=2**31, M=0)
    with pytest.raises(TypeError):
        f(a=2.0, r=r, x=np.ones(3), s=1.5, M=0)


def test_blocks_and_strides():
    f = program([array("x", "in", ["N"], "f32", layout={"block": {"0": 4}}),
                 array("y", "out", ["N"], "f32", layout={"strides": [3], "offset": 1})],
                [{"loops": ["i < N"], "body": ["y[i] = x[i]"]}]).compile(flags=[])
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    y = f(x=x, N=6, M=0)
    np.testing.assert_array_equal(y[1::3], np.arange(6))
    with pytest.raises(ValueError, match="extents"):
        f(x=x, N=9, M=0)


@pytest.fixture(scope="module")
def copy():
    return program([array("x", "in", ["N", "M"]), array("y", "out", ["N", "M"])],
                   [{"loops": ["i < N", "j < M"], "body": ["y[i, j] = x[i, j]"]}], assume=["N >= 2"]).compile(flags=[])


@pytest.mark.parametrize("arguments, error, words", [
    ({"x": np.ones((2, 3))}, TypeError, "float32"),
    ({"x": [[1.0]]}, TypeError, "numpy array"),
    ({}, TypeError, "parameter N"),
    ({"N": 2, "M": 2}, TypeError, "x is missing"),
    ({"x": np.ones((2, 3), np.float32), "z": 1}, TypeError, "no argument z"),
    ({"x": np.ones((2, 3), np.float32), "y": np.ones((3, 2), np.float32)}, ValueError, "extents"),
    ({"x": np.ones((3, 2), np.float32).T}, ValueError, "contiguous"),
    ({"x": np.ones((1, 3), np.float32)}, ValueError, "precondition"),
])
def test_wrong_arguments_are_told(copy, arguments, error, words):
    with pytest.raises(error, match=words):
        copy(**arguments)


def test_overlap_is_refused(copy):
    x = np.ones((2, 3), np.float32)
    with pytest.raises(ValueError, match="overlap"):
        copy(x=x, y=x)


def test_a_compiler_that_fails_is_told():
    f = program([array("x", "inout", ["N"])], [{"loops": ["i < N"], "body": ["x[i] = 0"]}])
    with pytest.raises(polynest.EnvironmentFault, match="does not run"):
        f.compile("no-such-compiler")
    with pytest.raises(polynest.EnvironmentFault, match="failed"):
        f.compile(flags=["-no-such-flag"])


def test_extents_round_down():
    assert evaluate("(N + 3) / 4 * 2 - 1", {"N": 2}) == 1
    assert evaluate("min(N, 3) + -N / 2 + ceil(N / 2) + abs(-N) + N % 2", {"N": 5}) == 3 - 3 + 3 + 5 + 1
    with pytest.raises(KeyError):
        evaluate("N + K", {"N": 2})


def test_flags_of_the_comment():
    source = "/* f\n *\n * needs     -mavx2 -mfma; N >= 0\n */\n#pragma omp parallel for"
    assert needed_flags(source) == ["-mavx2", "-mfma", "-fopenmp"]
    assert needed_flags("/* f */") == []
