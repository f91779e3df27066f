# the manual: pages of the steps, listings, commands and links
manual_tests = tests/manual/pages tests/manual/steps
TESTS += $(manual_tests)
EXTRA_DIST += $(manual_tests)

# the pages of the steps, from their descriptors and examples
.PHONY: update-manual
update-manual: all
	@$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(srcdir)/tests/manual/steps --update
