"""Descriptions, questions and refusals."""

import json
import os
import pathlib
import re

import pytest

import polynest

TOP = pathlib.Path(os.environ["POLYNEST_TOP"])
TWICE = {"polynest": 1, "name": "twice", "params": ["N"],
         "arrays": [{"name": "x", "role": "inout", "type": "f32", "shape": ["N"]}],
         "nests": [{"loops": ["i < N"], "body": ["S: x[i] = 2 * x[i]"]}]}


def test_dicts_and_texts_are_the_same_description():
    assert polynest.Program(TWICE).emit().source == polynest.Program(json.dumps(TWICE)).emit().source
    assert "x[i] = 2 * x[i]" in polynest.Program(TWICE).emit().source


def test_every_example_in_c_is_emitted_with_a_signature():
    for path in sorted((TOP / "examples").glob("*gemm*.json")):
        text = path.read_text()
        if '"nests"' not in text or "$" in text:
            continue
        emitted = polynest.load(path).emit()
        prototype = re.search(rf"\b{emitted.signature['name']}\((.*?)\)", emitted.header, re.S).group(1)
        names = [re.search(r"(\w+)$", argument.strip()).group(1) for argument in prototype.split(",")]
        assert [a["name"] for a in emitted.signature["arguments"]] == names[:len(emitted.signature["arguments"])]


def test_steps_make_another_program():
    plain = polynest.Program(TWICE)
    split = plain.with_steps(schedule=[{"split": "i", "by": 8, "as": "ii"}],
                             plan=[{"parallelize": ["i"]}], target={"openmp": True})
    assert "omp parallel" in split.emit().source
    assert "omp parallel" not in plain.emit().source
    assert "ii" in split.show() and "ii" not in plain.show()
    assert "split" in split.explain("1")
    assert split.show("loops", slice="8,1") == "if N >= 10\n  S: x[9] = 2 * x[9]\n"
    assert "twice_as_written(" in split.emit(self_check=True).source
    assert split.unscheduled().emit("g").source.count("twice(") == 0


def test_one_of_several_functions():
    functions = [{key: value for key, value in TWICE.items() if key not in ("polynest", "params")},
                 {"name": "once", "arrays": TWICE["arrays"], "nests": [{"loops": ["i < N"], "body": ["x[i] = 1"]}]}]
    both = polynest.Program({"polynest": 1, "params": ["N"], "functions": functions})
    assert both.with_function("twice").emit().source == polynest.Program(TWICE).emit().source
    once = both.with_function("once").apply({"split": "i", "by": 8})
    assert "ii" in once.show() and "ii" not in once.with_function("twice").show()
    with pytest.raises(polynest.Refused):
        both.check()
    with pytest.raises(ValueError):
        both.with_function("never")


def test_steps_are_applied_one_by_one():
    split = polynest.Program(TWICE).apply({"split": "i", "by": 8})
    assert '{"split": "i", "by": 8}' in split.text
    assert "unroll ii" in split.apply({"unroll": "ii"}).emit().source
    with pytest.raises(polynest.Refused):
        split.apply({"split": "k", "by": 8})
    laid = polynest.Program(TWICE).with_steps(schedule=[{"split": "i", "by": 8}]).apply({"unroll": "ii"})
    assert "unroll" not in laid.text and "unroll ii" in laid.emit().source


def test_questions_are_answered():
    running = {**TWICE, "nests": [{"loops": ["i < N - 1", "j < 3"], "body": ["S: x[i + 1] = x[i] + x[i + 1]"]}]}
    program = polynest.Program(running)
    assert program.is_legal() and not program.is_permutable("i", "j")
    assert not program.is_parallel("i") and "S[0, 0] before S[1, 0]" in program.is_parallel("i").text
    assert program.footprint("j", "x") and program.footprint("j", "x").text == "2"
    assert not program.apply({"reverse": "i"}).is_legal()
    with pytest.raises(polynest.Error):
        program.is_parallel("k")


def test_the_analysis_is_data():
    analysis = polynest.Program(TWICE).analysis()
    assert analysis["legal"] and analysis["loops"][0]["parallel"] and analysis["loops"][0]["body"] == [{"statement": "S"}]
    assert analysis["arrays"][0]["array"] == "x" and analysis["dependences"] == []


def test_refusals_have_messages_with_places():
    description = json.loads(json.dumps(TWICE).replace("2 * x[i]", "2 * x[i - 1]"))
    with pytest.raises(polynest.Refused) as refused:
        polynest.Program(description).check()
    assert "x[i - 1]" in str(refused.value) or "x[-1]" in str(refused.value)
    assert refused.value.diagnostics[0]["code"].startswith("PN")
    with pytest.raises(polynest.Refused):
        polynest.Program("{").check()


def test_undecided_is_an_error_of_its_own():
    with pytest.raises(polynest.Undecided):
        polynest.Program(TWICE)._with("polynest_set_budget", 5).check()


def test_pictures_and_proposals():
    assert polynest.Program(TWICE).draw(N=4)._repr_svg_().startswith("<svg")
    assert "<html" in polynest.Program(TWICE).draw_page(N=4)
    proposal = polynest.Program(TWICE).auto()
    assert polynest.Program(TWICE).with_schedule(proposal).emit().source.split("*/", 1)[1] == \
        polynest.Program(TWICE).with_auto().emit().source.split("*/", 1)[1]


def test_starts_and_pages():
    assert "gemm" in polynest.Program.start("gemm").emit().signature["name"]
    assert "split" in polynest.step_help("split")
    with pytest.raises(ValueError):
        polynest.step_help("splat")
    with pytest.raises(ValueError):
        polynest.Program.start("splat")


def test_the_page_of_the_manual_runs():
    page = (TOP / "doc/manual/python.md").read_text()
    names = {}
    for listing in re.findall(r"^```python\n(.*?)^```$", page, re.S | re.M):
        exec(compile(listing, "python.md", "exec"), names)  # pylint: disable=exec-used


def test_the_example_runs():
    exec(compile((TOP / "examples/explore.py").read_text(), "explore.py", "exec"), {})  # pylint: disable=exec-used
