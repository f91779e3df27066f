# one pass each: a tree in, a tree out
TEST_EXTENSIONS += .pass
PASS_LOG_COMPILER = $(srcdir)/tests/passes/run-pass
passes = \
	tests/passes/base.pass \
	tests/passes/bind.pass \
	tests/passes/bodies.pass \
	tests/passes/cases.pass \
	tests/passes/check_tails.pass \
	tests/passes/clip.pass \
	tests/passes/cover.pass \
	tests/passes/declarations.pass \
	tests/passes/digits.pass \
	tests/passes/dots.pass \
	tests/passes/else.pass \
	tests/passes/end.pass \
	tests/passes/extent.pass \
	tests/passes/fences.pass \
	tests/passes/finish.pass \
	tests/passes/forward.pass \
	tests/passes/full_lanes.pass \
	tests/passes/grid.pass \
	tests/passes/hints.pass \
	tests/passes/hoist.pass \
	tests/passes/interleave.pass \
	tests/passes/join.pass \
	tests/passes/kernels.pass \
	tests/passes/launches.pass \
	tests/passes/leave.pass \
	tests/passes/literal.pass \
	tests/passes/loose.pass \
	tests/passes/name.pass \
	tests/passes/needless.pass \
	tests/passes/operands.pass \
	tests/passes/outline.pass \
	tests/passes/plain.pass \
	tests/passes/private.pass \
	tests/passes/reach.pass \
	tests/passes/refine.pass \
	tests/passes/regions.pass \
	tests/passes/registers.pass \
	tests/passes/replay.pass \
	tests/passes/replay_end.pass \
	tests/passes/row_pointers.pass \
	tests/passes/rows.pass \
	tests/passes/scale.pass \
	tests/passes/scopes.pass \
	tests/passes/shadow.pass \
	tests/passes/shape.pass \
	tests/passes/splats.pass \
	tests/passes/streams.pass \
	tests/passes/subterms.pass \
	tests/passes/teams.pass \
	tests/passes/tensors.pass \
	tests/passes/texts.pass \
	tests/passes/threads.pass \
	tests/passes/tidy.pass \
	tests/passes/tile_setup.pass \
	tests/passes/tiles.pass \
	tests/passes/tuples.pass \
	tests/passes/unfold.pass \
	tests/passes/unroll.pass \
	tests/passes/vectors.pass \
	tests/passes/whole.pass
TESTS += $(passes)
EXTRA_DIST += $(passes) tests/passes/run-pass
