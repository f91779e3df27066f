# dumps, read back as they are and changed
check_PROGRAMS += tests/dumps/polynest-dumps
tests_dumps_polynest_dumps_SOURCES = \
	tests/dumps/all.c \
	tests/dumps/dumps.h \
	tests/dumps/mutate.c \
	tests/dumps/polynest-dumps.c
tests_dumps_polynest_dumps_CFLAGS = $(AM_CFLAGS)
tests_dumps_polynest_dumps_LDFLAGS = $(AM_LDFLAGS) -static
tests_dumps_polynest_dumps_LDADD = libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm

TESTS += tests/dumps/read-back tests/dumps/read-changed tests/dumps/wrong-trees
EXTRA_DIST += tests/dumps/read-back tests/dumps/read-changed tests/dumps/wrong-trees tests/dumps/ends.json tests/dumps/find.json tests/dumps/gemm.json tests/dumps/scatter.json \
	tests/dumps/ring.json tests/dumps/shared.json tests/dumps/sum.json tests/dumps/tiles.json

# Every pass of every example, and 20000 changed dumps.
.PHONY: check-long-dumps
check-long: check-long-dumps
check-long-dumps: check
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/dumps/read-back 1 && $(srcdir)/tests/dumps/read-changed 10000 20000
