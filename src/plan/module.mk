# sources of src/plan, alphabetical
libpolynest_la_SOURCES += \
	src/plan/contract.c src/plan/contract.h \
	src/plan/footprint.c src/plan/footprint.h \
	src/plan/zeros.c src/plan/zeros.h
