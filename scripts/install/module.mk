# what is installed besides the program, the library and the manual page: for make, CMake, shells and editors, and to read
cmakedir = $(datadir)/cmake/polynest
dist_cmake_DATA = scripts/install/polynest-config.cmake
nodist_cmake_DATA = scripts/install/polynest-config-version.cmake

dist_pkgdata_DATA = scripts/install/polynest.mk
nodist_pkgdata_DATA = schema.json
CLEANFILES += schema.json
schema.json: polynest$(EXEEXT)
	$(AM_V_GEN)./polynest$(EXEEXT) schema > $@-new && mv $@-new $@

bashcompletiondir = $(datadir)/bash-completion/completions
dist_bashcompletion_DATA = scripts/install/bash/polynest
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = scripts/install/zsh/_polynest
fishcompletiondir = $(datadir)/fish/vendor_completions.d
dist_fishcompletion_DATA = scripts/install/fish/polynest.fish

nobase_dist_doc_DATA = $(documents) $(example_files) $(step_examples)
