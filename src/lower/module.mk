# sources of src/lower, alphabetical
libpolynest_la_SOURCES += \
	src/lower/ast_expr.c src/lower/ast_expr.h \
	src/lower/axis_digits.c src/lower/axis_digits.h \
	src/lower/bodies.c src/lower/bodies.h \
	src/lower/bound.c src/lower/bound.h \
	src/lower/breakpoints.c src/lower/breakpoints.h \
	src/lower/cases.c src/lower/cases.h \
	src/lower/check_tails.c \
	src/lower/clamp.c src/lower/clamp.h \
	src/lower/counted.c src/lower/counted.h \
	src/lower/counts.c src/lower/counts.h \
	src/lower/cover.c \
	src/lower/cut.c src/lower/cut.h src/lower/cut_end.c \
	src/lower/declarations.c src/lower/declarations.h \
	src/lower/decide.c src/lower/decide.h \
	src/lower/descend.c src/lower/descend.h \
	src/lower/differing.c src/lower/differing.h \
	src/lower/direct.c \
	src/lower/dots.c src/lower/dots.h \
	src/lower/facts.c src/lower/facts.h \
	src/lower/fill_all.c src/lower/fill_all.h \
	src/lower/flat.c src/lower/flat.h \
	src/lower/flat_tuple.c src/lower/flat_tuple.h \
	src/lower/forward.c src/lower/forward.h \
	src/lower/fragments.c src/lower/fragments.h \
	src/lower/from_isl.c \
	src/lower/full_lanes.c src/lower/full_lanes.h \
	src/lower/grid.h src/lower/grid_copies.c src/lower/grid_dealing.c src/lower/grid_rounds.c src/lower/grid_walking.c \
	src/lower/guard.c src/lower/guard.h \
	src/lower/hints.c src/lower/hints.h \
	src/lower/hoist.c src/lower/hoist.h \
	src/lower/hulls.c src/lower/hulls.h \
	src/lower/injective.c src/lower/injective.h \
	src/lower/interleave.c src/lower/interleave.h \
	src/lower/iterations.c src/lower/iterations.h \
	src/lower/known.c src/lower/known.h \
	src/lower/lane_assign.c \
	src/lower/lane_exprs.c \
	src/lower/lane_offsets.c \
	src/lower/lane_shared.c \
	src/lower/lane_bools.c src/lower/lane_bools.h \
	src/lower/lane_types.c src/lower/lane_types.h \
	src/lower/lanes.c src/lower/lanes.h \
	src/lower/launched.c src/lower/launched.h \
	src/lower/loosen.c src/lower/loosen.h \
	src/lower/lower.c src/lower/lower.h \
	src/lower/masks.c src/lower/masks.h \
	src/lower/narrow.c src/lower/narrow.h \
	src/lower/operands.c src/lower/operands.h \
	src/lower/over.c src/lower/over.h \
	src/lower/partition.c src/lower/partition.h \
	src/lower/parts.c src/lower/parts.h \
	src/lower/pass_bind.c \
	src/lower/pass_cases.c \
	src/lower/pass_digits.c \
	src/lower/pass_else.c \
	src/lower/pass_end.c \
	src/lower/pass_extent.c \
	src/lower/pass_finish.c \
	src/lower/pass_declare.c \
	src/lower/pass_grid.c \
	src/lower/pass_kernel.c \
	src/lower/pass_literal.c \
	src/lower/pass_name.c \
	src/lower/pass_outline.c \
	src/lower/pass_plain.c \
	src/lower/pass_private.c \
	src/lower/pass_refine.c \
	src/lower/pass_regions.c \
	src/lower/pass_scale.c \
	src/lower/pass_scope.c \
	src/lower/pass_shadow.c \
	src/lower/pass_threads.c \
	src/lower/pass_tidy.c \
	src/lower/pass_tuple.c \
	src/lower/pass_unroll.c \
	src/lower/pass_whole.c \
	src/lower/pending.c src/lower/pending.h \
	src/lower/positions.c src/lower/positions.h \
	src/lower/plain_end.c src/lower/plain_end.h \
	src/lower/preconditions.c src/lower/preconditions.h \
	src/lower/ragged.c src/lower/ragged.h \
	src/lower/reach.c src/lower/reach.h \
	src/lower/refine.h \
	src/lower/refine_bound.c src/lower/refine_bound.h \
	src/lower/registers.c src/lower/registers.h \
	src/lower/requirement_checks.c src/lower/requirement_checks.h \
	src/lower/relation.c src/lower/relation.h \
	src/lower/replay_tree.c src/lower/replay_tree.h \
	src/lower/rest.c src/lower/rest.h \
	src/lower/retrace.c src/lower/retrace.h \
	src/lower/rounds.c src/lower/rounds.h \
	src/lower/rows.c src/lower/rows.h \
	src/lower/shape.c \
	src/lower/shared.c \
	src/lower/shown.c src/lower/shown.h \
	src/lower/simd_sums.c src/lower/simd_sums.h \
	src/lower/splats.c src/lower/splats.h \
	src/lower/span.c src/lower/span.h \
	src/lower/starts.c src/lower/starts.h \
	src/lower/conditions.c src/lower/conditions.h \
	src/lower/fences.c src/lower/fences.h \
	src/lower/streams.c src/lower/streams.h \
	src/lower/stores_together.c src/lower/stores_together.h \
	src/lower/strips.c src/lower/strips.h \
	src/lower/subterms.c src/lower/subterms.h \
	src/lower/sums.c src/lower/sums.h \
	src/lower/surroundings.c src/lower/surroundings.h \
	src/lower/tensor_copy.c src/lower/tensor_copy.h \
	src/lower/tensor_product.c src/lower/tensor_product.h \
	src/lower/tensor_tile.c src/lower/tensor_tile.h \
	src/lower/tensors.c src/lower/tensors.h \
	src/lower/tile_parts.c src/lower/tile_parts.h \
	src/lower/tile_registers.c src/lower/tile_registers.h \
	src/lower/tile_setup.c src/lower/tile_setup.h \
	src/lower/tile_unroll.c src/lower/tile_unroll.h \
	src/lower/tiles.c src/lower/tiles.h \
	src/lower/uses.c src/lower/uses.h \
	src/lower/value_checks.c src/lower/value_checks.h \
	src/lower/vectors.c src/lower/vectors.h \
	src/lower/waits.c src/lower/waits.h \
	src/lower/warp_sum.c src/lower/warp_sum.h \
	src/lower/witness.c src/lower/witness.h
