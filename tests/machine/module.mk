# the abstract machine, which runs finished trees
check_PROGRAMS += tests/machine/polynest-machine
tests_machine_polynest_machine_SOURCES = \
	tests/machine/evaluate.c \
	tests/machine/machine.h \
	tests/machine/memory.c \
	tests/machine/polynest-machine.c \
	tests/machine/run.c \
	tests/machine/scope.c \
	tests/machine/threads.c \
	tests/machine/tiles.c \
	tests/machine/vectors.c \
	tests/machine/word.c \
	tests/machine/word.h
tests_machine_polynest_machine_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
tests_machine_polynest_machine_LDFLAGS = $(AM_LDFLAGS) -static
tests_machine_polynest_machine_LDADD = tests/oracle/liboracle.a libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm
