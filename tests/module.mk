# the tests
include tests/unit/module.mk
include tests/self/module.mk
