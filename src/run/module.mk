# sources of src/run, alphabetical
libpolynest_la_SOURCES += \
	src/run/affine.c \
	src/run/affine.h \
	src/run/bench.c \
	src/run/bench.h \
	src/run/candidates.c \
	src/run/candidates.h \
	src/run/job.c \
	src/run/json.c \
	src/run/json.h \
	src/run/machine.c \
	src/run/machine.h \
	src/run/measure.c \
	src/run/measure.h \
	src/run/neighbour.c \
	src/run/neighbour.h \
	src/run/options.c \
	src/run/options.h \
	src/run/params.c \
	src/run/params.h \
	src/run/process.c \
	src/run/process.h \
	src/run/random.h \
	src/run/scratch.c \
	src/run/scratch.h \
	src/run/subject.c \
	src/run/subject.h \
	src/run/tune.c \
	src/run/tune.h \
	src/run/tune_batch.c \
	src/run/tune_log.c \
	src/run/tune_log.h \
	src/run/tune_parts.h \
	src/run/tune_result.c \
	src/run/verify.c \
	src/run/verify.h
