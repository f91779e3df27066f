# unit tests of tree/verify.h: trees that are broken on purpose
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_verify
TESTS += tests/unit/test_verify

tests_unit_test_verify_SOURCES = tests/unit/test_verify.c tests/unit/unit.h
tests_unit_test_verify_CFLAGS = $(unit_compile)
tests_unit_test_verify_LDFLAGS = $(unit_link)
tests_unit_test_verify_LDADD = $(unit_libs)
endif
