# sources of src/report, alphabetical
libpolynest_la_SOURCES +=
