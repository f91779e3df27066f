# sources of src/tree, alphabetical
libpolynest_la_SOURCES +=
