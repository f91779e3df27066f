# sources of src/program, alphabetical
libpolynest_la_SOURCES +=
