# emitted code in threads, below the sanitizer of threads
TEST_EXTENSIONS += .races
RACES_LOG_COMPILER = $(srcdir)/tests/races/run-races
races = tests/races/elsewhere.races tests/races/parallelize.races
TESTS += $(races)
EXTRA_DIST += $(races) tests/races/accesses.h tests/races/build-judge tests/races/known.c tests/races/openmp.c \
	tests/races/run-races

# All cases, examples and kernels in threads.
.PHONY: check-races
check-races: all $(check_DATA) tests/oracle/polynest-oracle$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/races/run-races all
check-long: check-races
