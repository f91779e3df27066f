# sources of src/api, alphabetical
libpolynest_la_SOURCES +=
