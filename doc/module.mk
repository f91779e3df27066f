# the documents, HTML of them, and the pages of the steps as one for man
step_pages = \
	doc/manual/steps/auto.md \
	doc/manual/steps/bind.md \
	doc/manual/steps/cache.md \
	doc/manual/steps/cache_read.md \
	doc/manual/steps/cache_write.md \
	doc/manual/steps/collapse.md \
	doc/manual/steps/compute_at.md \
	doc/manual/steps/cut.md \
	doc/manual/steps/decompose_init.md \
	doc/manual/steps/expand.md \
	doc/manual/steps/fission.md \
	doc/manual/steps/fuse.md \
	doc/manual/steps/inline.md \
	doc/manual/steps/join.md \
	doc/manual/steps/kernelize.md \
	doc/manual/steps/map.md \
	doc/manual/steps/pad.md \
	doc/manual/steps/parallelize.md \
	doc/manual/steps/peel.md \
	doc/manual/steps/pragma.md \
	doc/manual/steps/prefetch.md \
	doc/manual/steps/privatize.md \
	doc/manual/steps/reorder.md \
	doc/manual/steps/reverse.md \
	doc/manual/steps/reverse_compute_at.md \
	doc/manual/steps/rfactor.md \
	doc/manual/steps/scale.md \
	doc/manual/steps/set_memory.md \
	doc/manual/steps/shift.md \
	doc/manual/steps/simple_compute_at.md \
	doc/manual/steps/skew.md \
	doc/manual/steps/split.md \
	doc/manual/steps/stream.md \
	doc/manual/steps/sync.md \
	doc/manual/steps/tensorize.md \
	doc/manual/steps/tile.md \
	doc/manual/steps/unroll.md \
	doc/manual/steps/vectorize.md

documents = \
	README.md \
	doc/CHANGELOG.md \
	doc/COMPILERS.md \
	doc/CONTRIBUTING.md \
	doc/HACKING.md \
	doc/PROOFS.md \
	doc/manual/README.md \
	doc/manual/api.md \
	doc/manual/auto.md \
	doc/manual/automatic.md \
	doc/manual/build.md \
	doc/manual/coming-from.md \
	doc/manual/cuda-tutorial.md \
	doc/manual/cuda.md \
	doc/manual/faq.md \
	doc/manual/format.md \
	doc/manual/gallery.md \
	doc/manual/gemm.md \
	doc/manual/messages.md \
	doc/manual/pipeline.md \
	doc/manual/plan.md \
	doc/manual/python.md \
	doc/manual/running.md \
	doc/manual/small-matrices.md \
	doc/manual/start.md \
	doc/manual/stencils.md \
	doc/manual/steps.md \
	$(step_pages)

nodist_man_MANS = doc/polynest-steps.7
EXTRA_DIST += scripts/html.awk scripts/steps-man.awk
CLEANFILES += doc/polynest-steps.7
doc/polynest-steps.7: scripts/steps-man.awk $(step_pages)
	$(AM_V_GEN)$(MKDIR_P) doc && for page in $(step_pages); do cat "$(srcdir)/$$page" || exit 1; done | \
	    awk -f $(srcdir)/scripts/steps-man.awk > $@-t && mv $@-t $@

# HTML in html/ of the build folder, where pandoc or cmark-gfm is installed; cmark knows no tables
.PHONY: html-local
html-local:
	@if command -v pandoc > /dev/null; then convert='pandoc --wrap=preserve -f gfm -t html'; \
	elif command -v cmark-gfm > /dev/null; then convert='cmark-gfm --extension table --to html'; \
	else echo 'html: skipped, neither pandoc nor cmark-gfm is installed'; exit 0; fi; \
	for page in $(documents) tests/README.md; do \
	    $(MKDIR_P) "html/$$(dirname $$page)" && $$convert "$(srcdir)/$$page" | \
	        awk -v title="$$(sed -n '/^# /{s///p;q;}' "$(srcdir)/$$page")" -f $(srcdir)/scripts/html.awk > "html/$${page%.md}.html" || exit 1; \
	done; \
	$(MKDIR_P) html/doc/manual/pictures && for picture in $(manual_pictures); do cp "$(srcdir)/$$picture" html/doc/manual/pictures || exit 1; done
clean-local: clean-html
.PHONY: clean-html
clean-html:
	rm -rf html

manual_pictures = doc/manual/pictures/blocks.svg doc/manual/pictures/blur.svg doc/manual/pictures/broken.svg doc/manual/pictures/csr.svg doc/manual/pictures/plan.svg doc/manual/pictures/skew.svg doc/manual/pictures/tiles.svg
EXTRA_DIST += $(manual_pictures) doc/manual/pictures/blocks.json doc/manual/pictures/commands doc/manual/pictures/plan.json doc/manual/pictures/tiles.json
