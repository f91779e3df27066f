# sources of src/sched, alphabetical
libpolynest_la_SOURCES +=
