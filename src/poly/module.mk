# sources of src/poly, alphabetical
libpolynest_la_SOURCES +=
