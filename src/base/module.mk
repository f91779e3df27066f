# sources of src/base, alphabetical
libpolynest_la_SOURCES +=
