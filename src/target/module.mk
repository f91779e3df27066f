# sources of src/target, alphabetical
libpolynest_la_SOURCES +=
