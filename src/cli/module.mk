# sources of src/cli, alphabetical
libpolynest_la_SOURCES +=
