# tests of the sources themselves, and of the program from outside
self_tests = \
	tests/self/asked \
	tests/self/bench \
	tests/self/called \
	tests/self/cli \
	tests/self/codes \
	tests/self/dist \
	tests/self/dumped \
	tests/self/format \
	tests/self/functions \
	tests/self/harness \
	tests/self/headers \
	tests/self/in-team \
	tests/self/installed \
	tests/self/layering \
	tests/self/machine \
	tests/self/names \
	tests/self/passes \
	tests/self/ptx \
	tests/self/python \
	tests/self/readme \
	tests/self/recipes/apply \
	tests/self/refusals \
	tests/self/renamed \
	tests/self/self-check \
	tests/self/several \
	tests/self/shared \
	tests/self/shim \
	tests/self/sources \
	tests/self/starts \
	tests/self/templates \
	tests/self/together \
	tests/self/tune \
	tests/self/verify
TESTS += $(self_tests)
EXTRA_DIST += $(self_tests) tests/self/files tests/self/layers tests/self/literals.awk

# the recipes of doc/HACKING.md
recipes = \
	tests/self/recipes/key.patch \
	tests/self/recipes/operator.patch \
	tests/self/recipes/pass.patch \
	tests/self/recipes/set.patch \
	tests/self/recipes/target.patch \
	tests/self/recipes/template.patch
EXTRA_DIST += $(recipes) tests/self/recipes/run
.PHONY: check-recipes
check-long: check-recipes
check-recipes:
	$(AM_V_at)srcdir=$(srcdir) $(srcdir)/tests/self/recipes/run || [ $$? = 77 ]
