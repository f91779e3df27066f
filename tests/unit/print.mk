if HAVE_CHECK
check_PROGRAMS += tests/unit/test_print
TESTS += tests/unit/test_print

tests_unit_test_print_SOURCES = tests/unit/test_print.c tests/unit/tree_text.c tests/unit/tree_text.h tests/unit/unit.h
tests_unit_test_print_CFLAGS = $(unit_compile)
tests_unit_test_print_LDFLAGS = $(unit_link)
tests_unit_test_print_LDADD = $(unit_libs)
endif

EXTRA_DIST += \
	tests/unit/print/layouts.expected tests/unit/print/layouts.json tests/unit/print/layouts.tree \
	tests/unit/print/long.expected tests/unit/print/long.json tests/unit/print/long.tree \
	tests/unit/print/memory.expected tests/unit/print/memory.json tests/unit/print/memory.tree \
	tests/unit/print/mm.json tests/unit/print/tiled.expected tests/unit/print/tiled.tree \
	tests/unit/print/untiled.expected tests/unit/print/untiled.tree \
	tests/unit/print/shapes.expected tests/unit/print/shapes.json tests/unit/print/shapes.tree \
	tests/unit/print/values.expected tests/unit/print/values.json tests/unit/print/values.tree
