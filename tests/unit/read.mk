# unit tests of program/ and read/, and the fuzzer's entry
EXTRA_DIST += tests/fuzz/fuzz_read.c
if HAVE_CHECK
read_tests = \
	tests/unit/test_diagnostics \
	tests/unit/test_expr \
	tests/unit/test_program \
	tests/unit/test_read
check_PROGRAMS += $(read_tests)
TESTS += $(read_tests)

tests_unit_test_diagnostics_SOURCES = tests/unit/test_diagnostics.c tests/unit/diagnostics.inc \
	tests/unit/reading.h tests/unit/unit.h
tests_unit_test_diagnostics_CFLAGS = $(unit_compile)
tests_unit_test_diagnostics_LDFLAGS = $(unit_link)
tests_unit_test_diagnostics_LDADD = $(unit_libs)

tests_unit_test_expr_SOURCES = tests/unit/test_expr.c tests/unit/reading.h tests/unit/unit.h
tests_unit_test_expr_CFLAGS = $(unit_compile)
tests_unit_test_expr_LDFLAGS = $(unit_link)
tests_unit_test_expr_LDADD = $(unit_libs)

tests_unit_test_program_SOURCES = tests/unit/test_program.c tests/unit/reading.h tests/unit/unit.h
tests_unit_test_program_CFLAGS = $(unit_compile)
tests_unit_test_program_LDFLAGS = $(unit_link)
tests_unit_test_program_LDADD = $(unit_libs)

tests_unit_test_read_SOURCES = tests/unit/test_read.c tests/unit/reading.h tests/unit/unit.h
tests_unit_test_read_CFLAGS = $(unit_compile)
tests_unit_test_read_LDFLAGS = $(unit_link)
tests_unit_test_read_LDADD = $(unit_libs)
endif
