# the tests
include tests/unit/module.mk
include tests/unit/auto.mk
include tests/unit/dep.mk
include tests/unit/flow.mk
include tests/unit/verify.mk
include tests/unit/print.mk
include tests/unit/tree.mk
include tests/unit/read.mk
include tests/manual/module.mk
include tests/self/module.mk
include tests/harness.mk
