# unit tests of tree/verify.h: trees that are broken on purpose
if HAVE_CHECK
verify_tests = tests/unit/test_verify tests/unit/test_verify_places
check_PROGRAMS += $(verify_tests)
TESTS += $(verify_tests)
breaking = tests/unit/breaking.c tests/unit/breaking.h tests/unit/unit.h

tests_unit_test_verify_SOURCES = tests/unit/test_verify.c $(breaking)
tests_unit_test_verify_CFLAGS = $(unit_compile)
tests_unit_test_verify_LDFLAGS = $(unit_link)
tests_unit_test_verify_LDADD = $(unit_libs)

tests_unit_test_verify_places_SOURCES = tests/unit/test_verify_places.c $(breaking)
tests_unit_test_verify_places_CFLAGS = $(unit_compile)
tests_unit_test_verify_places_LDFLAGS = $(unit_link)
tests_unit_test_verify_places_LDADD = $(unit_libs)
endif
