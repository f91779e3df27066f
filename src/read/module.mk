# sources of src/read, alphabetical
libpolynest_la_SOURCES +=
