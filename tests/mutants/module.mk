# Changes in the sources, and what catches them: make mutants [MUTANTS="name .."] [SEED=1 NUMBER=30 PASSES=1000 CASES=150]
EXTRA_DIST += tests/mutants/covered.c tests/mutants/equivalent tests/mutants/passes tests/mutants/run-mutants tests/mutants/sites
mutant_programs = tests/machine/polynest-machine$(EXEEXT) tests/oracle/polynest-oracle$(EXEEXT) tests/fuzz/polynest-fuzz$(EXEEXT)
run_mutants = $(AM_TESTS_ENVIRONMENT) \
	MUTANT_CC="$(CC) -D_GNU_SOURCE $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) -O1" \
	MUTANT_LIBS="$(LDFLAGS) $(ISL_LIBS) $(CJSON_LIBS) $(GMP_LIBS) $(LIBS)" MUTANT_CHECK_LIBS="$(CHECK_LIBS)"; \
	export MUTANT_CC MUTANT_LIBS MUTANT_CHECK_LIBS

.PHONY: mutants check-mutants
mutants: polynest$(EXEEXT) $(mutant_programs)
	@$(MAKE) $(AM_MAKEFLAGS) `printf '%s\n' $(check_PROGRAMS) | grep '^tests/unit/'`
	@$(run_mutants); $(srcdir)/tests/mutants/run-mutants

# Some of them in the long run.
check-mutants: polynest$(EXEEXT) $(mutant_programs)
	@$(MAKE) $(AM_MAKEFLAGS) `printf '%s\n' $(check_PROGRAMS) | grep '^tests/unit/'`
	@$(run_mutants); NUMBER=8 PASSES=8 CASES=150 $(srcdir)/tests/mutants/run-mutants
check-long: check-mutants
