# unit tests of dep/
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_dep
TESTS += tests/unit/test_dep

tests_unit_test_dep_SOURCES = tests/unit/test_dep.c tests/unit/reading.h tests/unit/unit.h
tests_unit_test_dep_CFLAGS = $(unit_compile)
tests_unit_test_dep_LDFLAGS = $(unit_link)
tests_unit_test_dep_LDADD = $(unit_libs)
endif
