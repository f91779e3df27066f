# the tests
include tests/unit/module.mk
