# sources of src/lower, alphabetical
libpolynest_la_SOURCES +=
