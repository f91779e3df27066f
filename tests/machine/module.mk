# the abstract machine, which runs finished trees
check_LIBRARIES += tests/machine/libmachine.a
tests_machine_libmachine_a_SOURCES = \
	tests/machine/device.c \
	tests/machine/evaluate.c \
	tests/machine/judge.c \
	tests/machine/judge.h \
	tests/machine/machine.h \
	tests/machine/memory.c \
	tests/machine/run.c \
	tests/machine/scope.c \
	tests/machine/team.c \
	tests/machine/tensors.c \
	tests/machine/texts.c \
	tests/machine/threads.c \
	tests/machine/tiles.c \
	tests/machine/vectors.c \
	tests/machine/word.c \
	tests/machine/word.h
tests_machine_libmachine_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off

check_PROGRAMS += tests/machine/polynest-machine
tests_machine_polynest_machine_SOURCES = tests/machine/polynest-machine.c src/cli/numbers.c src/cli/small_numbers.c
tests_machine_polynest_machine_LDFLAGS = $(AM_LDFLAGS) -static
tests_machine_polynest_machine_LDADD = tests/machine/libmachine.a tests/oracle/liboracle.a libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) $(GMP_LIBS) -lm
