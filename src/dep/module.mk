# sources of src/dep, alphabetical
libpolynest_la_SOURCES += \
	src/dep/agreement.c src/dep/agreement.h \
	src/dep/apart.c src/dep/apart.h \
	src/dep/box.c src/dep/box.h \
	src/dep/box_symbolic.c \
	src/dep/compare.c src/dep/compare.h \
	src/dep/dependence.c src/dep/dependence.h \
	src/dep/extent.c src/dep/extent.h \
	src/dep/initialise.c src/dep/initialise.h \
	src/dep/legal.c src/dep/legal.h \
	src/dep/live_range.c src/dep/live_range.h \
	src/dep/meeting.c src/dep/meeting.h \
	src/dep/parallel.c src/dep/parallel.h \
	src/dep/polynomial.c src/dep/polynomial.h \
	src/dep/reduction.c \
	src/dep/repetition.c src/dep/repetition.h \
	src/dep/sure.c src/dep/sure.h \
	src/dep/told.c src/dep/told.h
