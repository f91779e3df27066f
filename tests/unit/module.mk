# unit tests of the inner layers; they need Check and the static library, whose inner names are visible
if HAVE_CHECK
unit_tests = \
	tests/unit/test_api \
	tests/unit/test_base \
	tests/unit/test_build \
	tests/unit/test_numbers \
	tests/unit/test_pipeline \
	tests/unit/test_poly \
	tests/unit/test_report \
	tests/unit/test_partition \
	tests/unit/test_replay \
	tests/unit/test_schema \
	tests/unit/test_system \
	tests/unit/test_threads
check_PROGRAMS += $(unit_tests)
TESTS += $(unit_tests)

unit_libs = libpolynest.la $(CHECK_LIBS) $(ISL_LIBS) $(CJSON_LIBS)
unit_link = $(AM_LDFLAGS) -static
unit_compile = $(AM_CFLAGS) $(CHECK_CFLAGS)

tests_unit_test_api_SOURCES = tests/unit/test_api.c tests/unit/unit.h
tests_unit_test_api_CFLAGS = $(unit_compile)
tests_unit_test_api_LDFLAGS = $(unit_link)
tests_unit_test_api_LDADD = $(unit_libs)

tests_unit_test_base_SOURCES = tests/unit/test_base.c tests/unit/unit.h
tests_unit_test_base_CFLAGS = $(unit_compile)
tests_unit_test_base_LDFLAGS = $(unit_link)
tests_unit_test_base_LDADD = $(unit_libs)

tests_unit_test_threads_SOURCES = tests/unit/test_threads.c tests/unit/unit.h
tests_unit_test_threads_CFLAGS = $(unit_compile) -pthread
tests_unit_test_threads_LDFLAGS = $(unit_link) -pthread
tests_unit_test_threads_LDADD = $(unit_libs)

tests_unit_test_build_SOURCES = tests/unit/test_build.c tests/unit/unit.h
tests_unit_test_build_CFLAGS = $(unit_compile)
tests_unit_test_build_LDFLAGS = $(unit_link)
tests_unit_test_build_LDADD = $(unit_libs)

tests_unit_test_numbers_SOURCES = tests/unit/test_numbers.c tests/unit/unit.h src/cli/numbers.c src/cli/small_numbers.c
tests_unit_test_numbers_CFLAGS = $(unit_compile)
tests_unit_test_numbers_LDADD = $(CHECK_LIBS) $(GMP_LIBS)

tests_unit_test_pipeline_SOURCES = tests/unit/test_pipeline.c tests/unit/unit.h
tests_unit_test_pipeline_CFLAGS = $(unit_compile)
tests_unit_test_pipeline_LDFLAGS = $(unit_link)
tests_unit_test_pipeline_LDADD = $(unit_libs)

tests_unit_test_poly_SOURCES = tests/unit/test_poly.c tests/unit/unit.h
tests_unit_test_poly_CFLAGS = $(unit_compile)
tests_unit_test_poly_LDFLAGS = $(unit_link)
tests_unit_test_poly_LDADD = $(unit_libs)

tests_unit_test_report_SOURCES = tests/unit/test_report.c tests/unit/unit.h
tests_unit_test_report_CFLAGS = $(unit_compile)
tests_unit_test_report_LDFLAGS = $(unit_link)
tests_unit_test_report_LDADD = $(unit_libs)

tests_unit_test_partition_SOURCES = tests/unit/test_partition.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_partition_CFLAGS = $(unit_compile)
tests_unit_test_partition_LDFLAGS = $(unit_link)
tests_unit_test_partition_LDADD = $(unit_libs)

tests_unit_test_replay_SOURCES = tests/unit/test_replay.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_replay_CFLAGS = $(unit_compile)
tests_unit_test_replay_LDFLAGS = $(unit_link)
tests_unit_test_replay_LDADD = $(unit_libs)

tests_unit_test_schema_SOURCES = tests/unit/test_schema.c tests/unit/unit.h tests/unit/validate.c tests/unit/validate.h
tests_unit_test_schema_CFLAGS = $(unit_compile)
tests_unit_test_schema_LDFLAGS = $(unit_link)
tests_unit_test_schema_LDADD = $(unit_libs)

tests_unit_test_system_SOURCES = tests/unit/test_system.c tests/unit/unit.h
tests_unit_test_system_CFLAGS = $(unit_compile)
tests_unit_test_system_LDFLAGS = $(unit_link)
tests_unit_test_system_LDADD = $(unit_libs)
endif
