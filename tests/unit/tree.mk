if HAVE_CHECK
check_PROGRAMS += tests/unit/test_tree
TESTS += tests/unit/test_tree

tests_unit_test_tree_SOURCES = tests/unit/test_tree.c
tests_unit_test_tree_CFLAGS = $(unit_compile)
tests_unit_test_tree_LDFLAGS = $(unit_link)
tests_unit_test_tree_LDADD = $(unit_libs)
endif
