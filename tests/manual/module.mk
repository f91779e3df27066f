# the manual: pages of the steps, listings, commands and links
manual_tests = tests/manual/html tests/manual/objects tests/manual/page tests/manual/pages tests/manual/pictures tests/manual/steps
TESTS += $(manual_tests)
EXTRA_DIST += $(manual_tests)

# the pages of the steps and the keys of objects, from their descriptors and examples, and the pictures
.PHONY: update-manual
update-manual: all
	@$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(srcdir)/tests/manual/steps --update
	@$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(srcdir)/tests/manual/objects --update
	@$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(srcdir)/tests/self/codes --update
	@$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(srcdir)/tests/manual/pictures --update
