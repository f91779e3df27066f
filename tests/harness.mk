# the oracle, the cases and how they are run
include tests/oracle/module.mk
include tests/machine/module.mk
include tests/cases/module.mk
TEST_EXTENSIONS = .case
include tests/examples/module.mk
include tests/polybench/module.mk
include tests/dumps/module.mk
include tests/passes/module.mk
include tests/fuzz/module.mk
include tests/races/module.mk
include tests/isl/module.mk
include tests/mutants/module.mk

# some tests as on processors of lower levels
TEST_EXTENSIONS += .level
LEVEL_LOG_COMPILER = $(srcdir)/tests/levels/run-level
levels = tests/levels/sse4.2.level tests/levels/avx2.level tests/levels/avx512.level
TESTS += $(levels)
EXTRA_DIST += $(levels) tests/levels/run-level

# The cases come last, they are short. What they emit for devices is compiled at the end, all together; where only some tests are to run each compiles its own.
emitted_cuda = tests/emitted-cuda
TESTS += $(cases) tests/cases-listed tests/cuda/compile-together
.PHONY: clean-compiled
clean-local: clean-compiled
clean-compiled:
	rm -rf $(emitted_cuda) tests/loaders

EXTRA_DIST += tests/cuda/build tests/cuda/build-device tests/cuda/check-gpu tests/cuda/compile-together tests/cuda/cuda_bf16.h tests/cuda/cuda_fp16.h tests/cuda/cuda_pipeline.h tests/cuda/cuda_runtime.h \
	tests/cuda/half.h tests/cuda/hip/hip_runtime.h tests/cuda/join-sources tests/cuda/managed.c tests/cuda/mma.h tests/cuda/run-device tests/cuda/shim.cpp tests/cuda/shim.h tests/cuda/shim-source \
	tests/cuda/wrong.cu
EXTRA_DIST += tests/avx512/conversions.h tests/avx512/emulate tests/avx512/floats.h tests/avx512/immintrin.h \
	tests/avx512/integers.h tests/avx512/tiles.h tests/amx/emulate tests/amx/immintrin.h
EXTRA_DIST += tests/README.md tests/build-code tests/build-loader tests/builds tests/cases-listed tests/find-compilers tests/link-shared tests/list-cases \
	tests/processor tests/run-case tests/unfolded

# One test a case file.
CASE_LOG_COMPILER = $(srcdir)/tests/run-case
check_DATA = tests/compilers
CLEANFILES += tests/compilers
tests/compilers: tests/find-compilers
	$(AM_V_GEN)$(srcdir)/tests/find-compilers > $@

# For each compiler the program that loads what it built, and what judges races.
check_DATA += tests/loaders/made
tests/loaders/made: tests/build-loader tests/compilers tests/oracle/libloader.a tests/oracle/libdriver.a \
	tests/races/accesses.h tests/races/build-judge tests/races/known.c tests/races/openmp.c
	$(AM_V_GEN)rm -rf $(@D) && mkdir -p $(@D) && while IFS= read -r compiler; do \
	    $(srcdir)/tests/build-loader $(@D) $$compiler; \
	done < tests/compilers && $(srcdir)/tests/races/build-judge $(@D)/threads && touch $@

# The shim, most of what there is to compile in a case. Without a C++ compiler there are no such cases; what one has against
# the shim is in the file failed.
check_DATA += tests/cuda-headers/cuda_runtime.h.gch tests/cuda-headers/shim.o
CLEANFILES += tests/cuda-headers/cuda_runtime.h tests/cuda-headers/cuda_runtime.h.gch tests/cuda-headers/shim.o \
	tests/cuda-headers/failed tests/cuda-headers/log
tests/cuda-headers/cuda_runtime.h.gch: tests/cuda/build tests/cuda/cuda_runtime.h tests/cuda/shim.h
	$(AM_V_GEN)mkdir -p $(@D) && rm -f $(@D)/failed && cp $(srcdir)/tests/cuda/cuda_runtime.h $(@D) && \
	    $(srcdir)/tests/cuda/build -x c++-header $(@D)/cuda_runtime.h -o $@ 2> $(@D)/log || { mv $(@D)/log $(@D)/failed; echo none > $@; }
tests/cuda-headers/shim.o: tests/cuda/shim.cpp tests/cuda-headers/cuda_runtime.h.gch
	$(AM_V_GEN)SHIM_HEADERS=$(@D) $(srcdir)/tests/cuda/build -c $(srcdir)/tests/cuda/shim.cpp -o $@ 2> $(@D)/log || \
	    { mv $(@D)/log $(@D)/failed; echo none > $@; }

AM_TESTS_ENVIRONMENT = \
	POLYNEST=$(abs_top_builddir)/polynest$(EXEEXT); \
	ORACLE=$(abs_top_builddir)/tests/oracle/polynest-oracle$(EXEEXT); \
	MACHINE=$(abs_top_builddir)/tests/machine/polynest-machine$(EXEEXT); \
	FUZZ=$(abs_top_builddir)/tests/fuzz/polynest-fuzz$(EXEEXT); \
	BORDER=$(abs_top_builddir)/tests/fuzz/polynest-border$(EXEEXT); \
	WIDE=$(abs_top_builddir)/tests/fuzz/polynest-wide$(EXEEXT); \
	DUMPS=$(abs_top_builddir)/tests/dumps/polynest-dumps$(EXEEXT); \
	DRIVER=$(abs_top_builddir)/tests/oracle/libdriver.a; \
	HARNESS=$(abs_top_srcdir)/tests/oracle; \
	CUDA_SHIM=$(abs_top_srcdir)/tests/cuda; \
	SHIM_HEADERS=$(abs_top_builddir)/tests/cuda-headers; \
	COMPILERS=$(abs_top_builddir)/tests/compilers; \
	LOADERS=$(abs_top_builddir)/tests/loaders; \
	case " $$MAKEFLAGS" in *" TESTS="*) EMIT_TO= ;; *) EMIT_TO=$(abs_top_builddir)/$(emitted_cuda) ;; esac; \
	MALLOC_PERTURB_=165; \
	ASAN_OPTIONS=max_malloc_fill_size=1048576:malloc_fill_byte=165:$$ASAN_OPTIONS; \
	export POLYNEST ORACLE MACHINE FUZZ BORDER WIDE DUMPS DRIVER HARNESS COMPILERS LOADERS CUDA_SHIM SHIM_HEADERS EMIT_TO MALLOC_PERTURB_ ASAN_OPTIONS;

# The CUDA cases and examples on the device of this machine, and random programs from the seed FUZZ_FIRST on.
GPU_SEEDS = 400
.PHONY: check-gpu
check-gpu: all tests/oracle/polynest-oracle$(EXEEXT) tests/oracle/libdriver.a tests/fuzz/polynest-wide$(EXEEXT) \
	tests/fuzz/polynest-fuzz$(EXEEXT) tests/compilers
	@nvidia-smi -L > /dev/null 2>&1 || { echo "no GPU here: nothing was run"; exit 0; }; \
	$(AM_TESTS_ENVIRONMENT) failed=0; \
	(cd $(srcdir) && grep -lE '"language": *"cuda"' tests/cases/*/*.case && printf '%s\n' $(filter tests/examples/cuda_%,$(examples))) | \
	    sed 's:^:$(abs_top_srcdir)/:' | xargs $(srcdir)/tests/cuda/check-gpu || failed=1; \
	$(srcdir)/tests/cuda/check-gpu random $(FUZZ_FIRST) $(GPU_SEEDS) || failed=1; \
	exit $$failed

# Rewrites the expected texts of all cases where they differ; review with git diff.
.PHONY: update-golden
update-golden: all $(check_DATA) tests/oracle/polynest-oracle$(EXEEXT) tests/oracle/libdriver.a
	@$(AM_TESTS_ENVIRONMENT) POLYNEST_UPDATE_GOLDEN=1; export POLYNEST_UPDATE_GOLDEN; \
	for case in $(cases); do \
	    $(srcdir)/tests/run-case $(srcdir)/$$case || echo "$$case: failed"; \
	done; \
	for pass in $(passes); do \
	    $(srcdir)/tests/passes/run-pass $(srcdir)/$$pass || echo "$$pass: failed"; \
	done

# The cases go into the archive by their list: as words of one command they are too long for a shell.
dist-hook:
	folder=$$(cd $(distdir) && pwd) && cd $(srcdir) && \
	sed -n 's/^	\(tests\/cases\/[^ ]*\).*/\1/p' tests/cases/module.mk | tar -cf - -T - | tar -xf - -C "$$folder"
