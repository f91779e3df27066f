# sources of src/run, alphabetical
libpolynest_la_SOURCES += \
	src/run/bench.c \
	src/run/bench.h \
	src/run/job.c \
	src/run/json.c \
	src/run/json.h \
	src/run/machine.c \
	src/run/machine.h \
	src/run/measure.c \
	src/run/measure.h \
	src/run/options.c \
	src/run/options.h \
	src/run/params.c \
	src/run/params.h \
	src/run/process.c \
	src/run/process.h \
	src/run/scratch.c \
	src/run/scratch.h \
	src/run/subject.c \
	src/run/subject.h \
	src/run/verify.c \
	src/run/verify.h
