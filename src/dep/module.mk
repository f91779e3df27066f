# sources of src/dep, alphabetical
libpolynest_la_SOURCES +=
