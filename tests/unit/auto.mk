# unit tests of auto/
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_auto
TESTS += tests/unit/test_auto

tests_unit_test_auto_SOURCES = tests/unit/test_auto.c tests/unit/reading.h tests/unit/unit.h
tests_unit_test_auto_CFLAGS = $(unit_compile)
tests_unit_test_auto_LDFLAGS = $(unit_link)
tests_unit_test_auto_LDADD = $(unit_libs)
endif
