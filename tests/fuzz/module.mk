# random programs with random schedules
check_PROGRAMS += tests/fuzz/polynest-fuzz
tests_fuzz_polynest_fuzz_SOURCES = \
	tests/fuzz/caches.c \
	tests/fuzz/calls.c \
	tests/fuzz/chains.c \
	tests/fuzz/dates.c \
	tests/fuzz/dates.h \
	tests/fuzz/fusing.c \
	tests/fuzz/fuzz.c \
	tests/fuzz/generate.c \
	tests/fuzz/generate.h \
	tests/fuzz/grid.c \
	tests/fuzz/judge.c \
	tests/fuzz/judge.h \
	tests/fuzz/judge_loop.c \
	tests/fuzz/judge_loop.h \
	tests/fuzz/nests.c \
	tests/fuzz/pipeline.c \
	tests/fuzz/placing.c \
	tests/fuzz/plans.c \
	tests/fuzz/polyhedral.c \
	tests/fuzz/products.c \
	tests/fuzz/steps.c \
	tests/fuzz/sums.c \
	tests/fuzz/trace.c \
	tests/fuzz/trace.h \
	tests/fuzz/values.c \
	tests/fuzz/values.h
tests_fuzz_polynest_fuzz_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/oracle
tests_fuzz_polynest_fuzz_CFLAGS = $(AM_CFLAGS)
tests_fuzz_polynest_fuzz_LDFLAGS = $(AM_LDFLAGS) -static
tests_fuzz_polynest_fuzz_LDADD = tests/machine/libmachine.a tests/oracle/liboracle.a libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm

TEST_EXTENSIONS += .fuzz
FUZZ_LOG_COMPILER = $(srcdir)/tests/fuzz/run-fuzz
fuzz_seeds = tests/fuzz/1.fuzz tests/fuzz/2.fuzz tests/fuzz/3.fuzz tests/fuzz/4.fuzz tests/fuzz/5.fuzz \
	tests/fuzz/6.fuzz tests/fuzz/7.fuzz tests/fuzz/8.fuzz tests/fuzz/caches-1.fuzz tests/fuzz/caches-2.fuzz \
	tests/fuzz/loops-1.fuzz tests/fuzz/loops-2.fuzz tests/fuzz/plans-1.fuzz tests/fuzz/plans-2.fuzz \
	tests/fuzz/grid-1.fuzz tests/fuzz/grid-2.fuzz tests/fuzz/products-1.fuzz tests/fuzz/sums-1.fuzz tests/fuzz/chains-1.fuzz \
	tests/fuzz/polyhedral-1.fuzz tests/fuzz/polyhedral-2.fuzz tests/fuzz/calls-1.fuzz
TESTS += $(fuzz_seeds)
EXTRA_DIST += tests/sanitized tests/thread-sanitized tests/fuzz/run-fuzz $(fuzz_seeds)

# 2400 programs, 1200 with caches, 1200 with plans and 2000 with one loop in threads or vectors, with every compiler.
# 4800 are chains of three steps. 400 are for a device, 400 are reductions there, 400 products in instructions for these.
.PHONY: check-long
check-long: check
	@tests/isl/judge-isl 1000 5000
	@$(AM_TESTS_ENVIRONMENT) POLYNEST_FUZZ_ALL=1 POLYNEST_FUZZ_RACES=1 POLYNEST_BUILDS=all; \
	export POLYNEST_FUZZ_ALL POLYNEST_FUZZ_RACES POLYNEST_BUILDS; failed=0; \
	for case in $(cases); do \
	    $(srcdir)/tests/run-case $(srcdir)/$$case > long.log 2>&1; status=$$?; \
	    test $$status = 0 || test $$status = 77 || { echo "$$case: failed"; cat long.log; failed=1; }; \
	done; rm -f long.log; test $$failed = 0 || exit 1; \
	for k in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do \
	    $(srcdir)/tests/fuzz/run-fuzz $$((1000 + 100 * k)) 100 || exit 1; \
	done; \
	for k in 0 1 2 3 4 5 6 7 8 9 10 11; do \
	    $(srcdir)/tests/fuzz/run-fuzz $$((5000 + 100 * k)) 100 caches || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((7000 + 100 * k)) 100 plans || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((29000 + 100 * k)) 100 calls || exit 1; \
	done; \
	for k in 0 1 2 3 4 5 6 7 8 9; do \
	    $(srcdir)/tests/fuzz/run-fuzz $$((9000 + 200 * k)) 200 loops || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((1000 + 480 * k)) 480 chains || exit 1; \
	done; \
	for k in 0 1 2 3 4 5 6 7; do \
	    $(srcdir)/tests/fuzz/run-fuzz $$((9000 + 50 * k)) 50 grid || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((9000 + 50 * k)) 50 products || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((9000 + 50 * k)) 50 sums || exit 1; \
	    $(srcdir)/tests/fuzz/run-fuzz $$((9000 + 200 * k)) 200 polyhedral || exit 1; \
	done

# All cases and some random programs by a polynest that is watched itself.
.PHONY: check-sanitized
check-sanitized: all
	@$(srcdir)/tests/sanitized 1 300
check-long: check-sanitized

# Calls of the library in several threads, likewise.
.PHONY: check-threads
check-threads: all
	@$(srcdir)/tests/thread-sanitized
check-long: check-threads

# Programs that nobody has seen, of all kinds in turn, for so many minutes or from the seed FUZZ_FIRST on.
FUZZ_MINUTES = 10
FUZZ_FIRST = $$(date +%s)000
.PHONY: fuzz
fuzz: all $(check_DATA) tests/oracle/polynest-oracle$(EXEEXT) tests/fuzz/polynest-fuzz$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) POLYNEST_FUZZ_ALL=1; export POLYNEST_FUZZ_ALL; \
	first=$(FUZZ_FIRST); end=$$(($$(date +%s) + 60 * $(FUZZ_MINUTES))); \
	while [ $$(date +%s) -lt $$end ]; do \
	    for drawn in "" caches plans loops grid products sums chains polyhedral; do \
	        echo "run-fuzz $$first 20 $$drawn"; \
	        $(srcdir)/tests/fuzz/run-fuzz $$first 20 $$drawn || exit 1; \
	        first=$$((first + 20)); \
	    done; \
	done

# random programs of all features
check_PROGRAMS += tests/fuzz/polynest-wide
tests_fuzz_polynest_wide_SOURCES = \
	tests/fuzz/wide.c \
	tests/fuzz/wide.h \
	tests/fuzz/wide_describe.c \
	tests/fuzz/wide_free.c \
	tests/fuzz/wide_index.c \
	tests/fuzz/wide_machine.c \
	tests/fuzz/wide_machine.h \
	tests/fuzz/wide_nests.c \
	tests/fuzz/wide_plain.c \
	tests/fuzz/wide_plan.c \
	tests/fuzz/wide_polyhedral.c \
	tests/fuzz/wide_steps.c \
	tests/fuzz/wide_bind.c \
	tests/fuzz/wide_chain.c \
	tests/fuzz/wide_cores.c \
	tests/fuzz/wide_dots.c \
	tests/fuzz/wide_product.c \
	tests/fuzz/wide_rows.c \
	tests/fuzz/wide_stages.c \
	tests/fuzz/wide_terms.c \
	tests/fuzz/wide_texts.c \
	tests/fuzz/wide_values.c
tests_fuzz_polynest_wide_CPPFLAGS = $(tests_fuzz_polynest_fuzz_CPPFLAGS)
tests_fuzz_polynest_wide_CFLAGS = $(AM_CFLAGS)
tests_fuzz_polynest_wide_LDFLAGS = $(AM_LDFLAGS) -static
tests_fuzz_polynest_wide_LDADD = $(tests_fuzz_polynest_fuzz_LDADD)

# make fuzz-wide draws for FUZZ_MINUTES from the seed FUZZ_FIRST on, and prints the table of features of all runs together.
TEST_EXTENSIONS += .wide
WIDE_LOG_COMPILER = $(srcdir)/tests/fuzz/run-wide
wide_seeds = tests/fuzz/wide-1.wide tests/fuzz/wide-2.wide
TESTS += $(wide_seeds)
EXTRA_DIST += tests/fuzz/run-wide tests/fuzz/wide_run.c $(wide_seeds)

.PHONY: check-long-wide fuzz-wide
check-long: check-long-wide
check-long-wide: check
	@$(AM_TESTS_ENVIRONMENT) for k in 0 1 2 3 4 5 6 7 8 9 10 11; do \
	    $(srcdir)/tests/fuzz/run-wide $$((1000 + 200 * k)) 200 || exit 1; \
	    $(srcdir)/tests/fuzz/run-wide $$((1000 + 10 * k)) 10 cores || exit 1; \
	done

fuzz-wide: all tests/fuzz/polynest-wide$(EXEEXT)
	@$(AM_TESTS_ENVIRONMENT) WIDE_TOTAL=$$(mktemp); export WIDE_TOTAL; failed=0; \
	first=$(FUZZ_FIRST); end=$$(($$(date +%s) + 60 * $(FUZZ_MINUTES))); \
	while [ $$(date +%s) -lt $$end ]; do \
	    echo "run-wide $$first 200"; \
	    $(srcdir)/tests/fuzz/run-wide $$first 200 || failed=1; \
	    $(srcdir)/tests/fuzz/run-wide $$first 5 cores || failed=1; \
	    first=$$((first + 200)); \
	done; \
	awk '{ for (k = 2; k <= 5; k++) n[$$1, k] += $$k; name[$$1] = 1 } END { for (f in name) \
	    printf "%-20s %7d %7d %7d %5d\n", f, n[f, 2], n[f, 3], n[f, 4], n[f, 5] }' "$$WIDE_TOTAL" | sort; \
	rm -f "$$WIDE_TOTAL"; exit $$failed

# refusals and acceptances of small programs against plain enumeration
check_PROGRAMS += tests/fuzz/polynest-border
tests_fuzz_polynest_border_SOURCES = \
	tests/fuzz/border.c \
	tests/fuzz/border.h \
	tests/fuzz/border_copies.c \
	tests/fuzz/border_draw.c \
	tests/fuzz/border_judge.c \
	tests/fuzz/border_loops.c \
	tests/fuzz/border_moved.c \
	tests/fuzz/border_orders.c \
	tests/fuzz/border_pairs.c \
	tests/fuzz/border_ranges.c \
	tests/fuzz/border_rounded.c \
	tests/fuzz/border_run.c \
	tests/fuzz/border_said.c \
	tests/fuzz/border_sums.c \
	tests/fuzz/border_sunk.c \
	tests/fuzz/border_text.c \
	tests/fuzz/border_words.c
tests_fuzz_polynest_border_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/oracle
tests_fuzz_polynest_border_CFLAGS = $(AM_CFLAGS)
tests_fuzz_polynest_border_LDFLAGS = $(AM_LDFLAGS) -static
tests_fuzz_polynest_border_LDADD = libpolynest.la $(ISL_LIBS) $(CJSON_LIBS) -lm

TEST_EXTENSIONS += .border
BORDER_LOG_COMPILER = $(srcdir)/tests/fuzz/run-border
borders = tests/fuzz/budget.border tests/fuzz/device.border tests/fuzz/elements.border tests/fuzz/lanes.border \
	tests/fuzz/moves.border tests/fuzz/order.border tests/fuzz/sums.border
TESTS += $(borders)
EXTRA_DIST += tests/fuzz/run-border tests/fuzz/refusals $(borders)

border_words = bounds initial layout exact assumed order ties total jam ranges parallel vector races sync local private \
	moved copied ahead trigger promise timed rounded partial sunk budget
.PHONY: check-long-border
check-long: check-long-border
check-long-border: check
	@$(AM_TESTS_ENVIRONMENT) for word in $(border_words); do \
	    $(srcdir)/tests/fuzz/run-border 1000 500 $$word || exit 1; \
	done
