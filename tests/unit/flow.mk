# unit tests of lower/flow/flow.h and finished.h: trees that are broken on purpose
if HAVE_CHECK
check_PROGRAMS += tests/unit/test_finished tests/unit/test_finished_digits tests/unit/test_finished_sources \
	tests/unit/test_finished_known tests/unit/test_finished_totals tests/unit/test_finished_warps \
	tests/unit/test_finished_buffers tests/unit/test_finished_flow tests/unit/test_finished_windows tests/unit/test_finished_zeros \
	tests/unit/test_flow
TESTS += tests/unit/test_finished tests/unit/test_finished_digits tests/unit/test_finished_sources \
	tests/unit/test_finished_known tests/unit/test_finished_totals tests/unit/test_finished_warps \
	tests/unit/test_finished_buffers tests/unit/test_finished_flow tests/unit/test_finished_windows tests/unit/test_finished_zeros \
	tests/unit/test_flow

tests_unit_test_flow_SOURCES = tests/unit/test_flow.c tests/unit/breaking.c tests/unit/breaking.h tests/unit/unit.h
tests_unit_test_flow_CFLAGS = $(unit_compile)
tests_unit_test_flow_LDFLAGS = $(unit_link)
tests_unit_test_flow_LDADD = $(unit_libs)

tests_unit_test_finished_SOURCES = tests/unit/test_finished.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_CFLAGS = $(unit_compile)
tests_unit_test_finished_LDFLAGS = $(unit_link)
tests_unit_test_finished_LDADD = $(unit_libs)

tests_unit_test_finished_digits_SOURCES = tests/unit/test_finished_digits.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_digits_CFLAGS = $(unit_compile)
tests_unit_test_finished_digits_LDFLAGS = $(unit_link)
tests_unit_test_finished_digits_LDADD = $(unit_libs)

tests_unit_test_finished_sources_SOURCES = tests/unit/test_finished_sources.c tests/unit/tile_copies.h tests/unit/unit.h \
	tests/unit/reading.h
tests_unit_test_finished_sources_CFLAGS = $(unit_compile)
tests_unit_test_finished_sources_LDFLAGS = $(unit_link)
tests_unit_test_finished_sources_LDADD = $(unit_libs)
tests_unit_test_finished_known_SOURCES = tests/unit/test_finished_known.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_known_CFLAGS = $(unit_compile)
tests_unit_test_finished_known_LDFLAGS = $(unit_link)
tests_unit_test_finished_known_LDADD = $(unit_libs)
tests_unit_test_finished_totals_SOURCES = tests/unit/test_finished_totals.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_totals_CFLAGS = $(unit_compile)
tests_unit_test_finished_totals_LDFLAGS = $(unit_link)
tests_unit_test_finished_totals_LDADD = $(unit_libs)
tests_unit_test_finished_flow_SOURCES = tests/unit/test_finished_flow.c tests/unit/tile_copies.h \
	tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_flow_CFLAGS = $(unit_compile)
tests_unit_test_finished_flow_LDFLAGS = $(unit_link)
tests_unit_test_finished_flow_LDADD = $(unit_libs)

tests_unit_test_finished_windows_SOURCES = tests/unit/test_finished_windows.c tests/unit/tile_copies.h \
	tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_windows_CFLAGS = $(unit_compile)
tests_unit_test_finished_windows_LDFLAGS = $(unit_link)
tests_unit_test_finished_windows_LDADD = $(unit_libs)
tests_unit_test_finished_buffers_SOURCES = tests/unit/test_finished_buffers.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_buffers_CFLAGS = $(unit_compile)
tests_unit_test_finished_buffers_LDFLAGS = $(unit_link)
tests_unit_test_finished_buffers_LDADD = $(unit_libs)

tests_unit_test_finished_warps_SOURCES = tests/unit/test_finished_warps.c tests/unit/unit.h tests/unit/reading.h
tests_unit_test_finished_warps_CFLAGS = $(unit_compile)
tests_unit_test_finished_warps_LDFLAGS = $(unit_link)
tests_unit_test_finished_warps_LDADD = $(unit_libs)
tests_unit_test_finished_zeros_SOURCES = tests/unit/test_finished_zeros.c tests/unit/tile_copies.h tests/unit/unit.h \
	tests/unit/reading.h
tests_unit_test_finished_zeros_CFLAGS = $(unit_compile)
tests_unit_test_finished_zeros_LDFLAGS = $(unit_link)
tests_unit_test_finished_zeros_LDADD = $(unit_libs)
endif
