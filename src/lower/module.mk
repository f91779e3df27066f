# sources of src/lower, alphabetical
libpolynest_la_SOURCES += \
	src/lower/drive.c \
	src/lower/lower.c src/lower/lower.h \
	src/lower/passes.h \
	src/lower/pipeline.c src/lower/pipeline.h

# src/lower/body
libpolynest_la_SOURCES += \
	src/lower/body/bodies.c src/lower/body/bodies.h \
	src/lower/body/conditions.c src/lower/body/conditions.h \
	src/lower/body/decide.c src/lower/body/decide.h \
	src/lower/body/declarations.c src/lower/body/declarations.h \
	src/lower/body/flat.c src/lower/body/flat.h \
	src/lower/body/leave.c src/lower/body/leave.h \
	src/lower/body/clip_bound.c src/lower/body/clip_bound.h \
	src/lower/body/pass_base.c \
	src/lower/body/pass_clip.c \
	src/lower/body/pass_outline.c \
	src/lower/body/pass_plain.c \
	src/lower/body/pass_private.c \
	src/lower/body/pass_scope.c \
	src/lower/body/pass_tuple.c \
	src/lower/body/preconditions.c src/lower/body/preconditions.h \
	src/lower/body/requirement_checks.c src/lower/body/requirement_checks.h \
	src/lower/body/element_loops.c src/lower/body/element_loops.h \
	src/lower/body/value_checks.c src/lower/body/value_checks.h

# src/lower/device
libpolynest_la_SOURCES += \
	src/lower/device/axis_digits.c src/lower/device/axis_digits.h \
	src/lower/device/differing.c src/lower/device/differing.h \
	src/lower/device/grid.h \
	src/lower/device/grid_copies.c \
	src/lower/device/grid_dealing.c \
	src/lower/device/grid_rounds.c \
	src/lower/device/grid_walking.c \
	src/lower/device/launched.c src/lower/device/launched.h \
	src/lower/device/pass_bind.c \
	src/lower/device/pass_declare.c \
	src/lower/device/pass_grid.c \
	src/lower/device/pass_kernel.c \
	src/lower/device/pass_needless.c \
	src/lower/device/positions.c src/lower/device/positions.h \
	src/lower/device/rounds.c src/lower/device/rounds.h \
	src/lower/device/starts.c src/lower/device/starts.h \
	src/lower/device/warp_sum.c src/lower/device/warp_sum.h

# src/lower/dump
libpolynest_la_SOURCES += \
	src/lower/dump/dump.h \
	src/lower/dump/fields.c src/lower/dump/fields.h \
	src/lower/dump/lex.c src/lower/dump/lex.h \
	src/lower/dump/names.c src/lower/dump/names.h \
	src/lower/dump/read.c \
	src/lower/dump/read_expr.c \
	src/lower/dump/read_fields.c \
	src/lower/dump/read_node.c \
	src/lower/dump/reader.h \
	src/lower/dump/write.c \
	src/lower/dump/write_expr.c \
	src/lower/dump/writer.h

# src/lower/facts
libpolynest_la_SOURCES += \
	src/lower/facts/bound.c src/lower/facts/bound.h \
	src/lower/facts/conjuncts.c src/lower/facts/conjuncts.h \
	src/lower/facts/ends.c src/lower/facts/ends.h \
	src/lower/facts/descend.c src/lower/facts/descend.h \
	src/lower/facts/facts.c src/lower/facts/facts.h \
	src/lower/facts/known.c src/lower/facts/known.h \
	src/lower/facts/mark.c src/lower/facts/mark.h \
	src/lower/facts/over.c src/lower/facts/over.h \
	src/lower/facts/pending.c src/lower/facts/pending.h \
	src/lower/facts/relation.c src/lower/facts/relation.h \
	src/lower/facts/shown.c src/lower/facts/shown.h \
	src/lower/facts/some_update.c src/lower/facts/some_update.h \
	src/lower/facts/span.c src/lower/facts/span.h \
	src/lower/facts/surroundings.c src/lower/facts/surroundings.h \
	src/lower/facts/witness.c src/lower/facts/witness.h

# src/lower/finished
libpolynest_la_SOURCES += \
	src/lower/finished/finished.c src/lower/finished/finished.h \
	src/lower/finished/lane_totals.c \
	src/lower/finished/lane_totals.h \
	src/lower/finished/least.c src/lower/finished/least.h \
	src/lower/finished/line.c src/lower/finished/line.h \
	src/lower/finished/meaning.c src/lower/finished/meaning.h \
	src/lower/finished/same_elements.c src/lower/finished/same_elements.h \
	src/lower/finished/same_lines.c src/lower/finished/same_lines.h \
	src/lower/finished/same_renamed.c \
	src/lower/finished/same_runs.c src/lower/finished/same_runs.h \
	src/lower/finished/same_sets.c src/lower/finished/same_sets.h \
	src/lower/finished/same_stored.c src/lower/finished/same_stored.h \
	src/lower/finished/same_window.c \
	src/lower/finished/shape.c src/lower/finished/shape.h \
	src/lower/finished/shape_implied.c \
	src/lower/finished/shape_parts.h \
	src/lower/finished/shape_read.c \
	src/lower/finished/solving.c src/lower/finished/solving.h \
	src/lower/finished/sources_before.c \
	src/lower/finished/sources.c src/lower/finished/sources.h \
	src/lower/finished/sources_loops.h \
	src/lower/finished/sources_multiples.c \
	src/lower/finished/sources_parties.c \
	src/lower/finished/sources_parts.h \
	src/lower/finished/sources_questions.c \
	src/lower/finished/sources_warps.c \
	src/lower/finished/sources_choices.c \
	src/lower/finished/sources_flow.c \
	src/lower/finished/sources_windows.c \
	src/lower/finished/sources_zeros.c \
	src/lower/finished/stored_known.c \
	src/lower/finished/stored_misses.c \
	src/lower/finished/stored_parts.c

# src/lower/flow
libpolynest_la_SOURCES += \
	src/lower/flow/flow.c src/lower/flow/flow.h \
	src/lower/flow/flow_described.c src/lower/flow/flow_described.h \
	src/lower/flow/flow_least.c src/lower/flow/flow_least.h \
	src/lower/flow/flow_nodes.c \
	src/lower/flow/flow_run.c src/lower/flow/flow_run.h \
	src/lower/flow/flow_sizes.c src/lower/flow/flow_sizes.h \
	src/lower/flow/flow_streams.c \
	src/lower/flow/flow_team.c src/lower/flow/flow_team.h \
	src/lower/flow/flow_tensors.c \
	src/lower/flow/flow_term.c src/lower/flow/flow_term.h \
	src/lower/flow/flow_term_call.c src/lower/flow/flow_term_set.c \
	src/lower/flow/flow_term_parts.h \
	src/lower/flow/flow_threads.c \
	src/lower/flow/flow_tiles.c \
	src/lower/flow/flow_tree.c src/lower/flow/flow_tree.h \
	src/lower/flow/flow_values.c \
	src/lower/flow/flow_vectors.c

# src/lower/instr
libpolynest_la_SOURCES += \
	src/lower/instr/comparison.h \
	src/lower/instr/dots.c src/lower/instr/dots.h \
	src/lower/instr/fragments.c src/lower/instr/fragments.h \
	src/lower/instr/pass_texts.c \
	src/lower/instr/pass_unfold.c \
	src/lower/instr/same_memory.c \
	src/lower/instr/same_call.c \
	src/lower/instr/same_nest.c src/lower/instr/same_nest.h \
	src/lower/instr/tensor_copy.c src/lower/instr/tensor_copy.h \
	src/lower/instr/tensor_product.c src/lower/instr/tensor_product.h \
	src/lower/instr/tensor_tile.c src/lower/instr/tensor_tile.h \
	src/lower/instr/tensors.c src/lower/instr/tensors.h \
	src/lower/instr/tile_parts.c src/lower/instr/tile_parts.h \
	src/lower/instr/tile_registers.c src/lower/instr/tile_registers.h \
	src/lower/instr/tile_setup.c src/lower/instr/tile_setup.h \
	src/lower/instr/tile_unroll.c src/lower/instr/tile_unroll.h \
	src/lower/instr/tiles.c src/lower/instr/tiles.h

# src/lower/loops
libpolynest_la_SOURCES += \
	src/lower/loops/ast_expr.c src/lower/loops/ast_expr.h \
	src/lower/loops/counts.c src/lower/loops/counts.h \
	src/lower/loops/counts_rows.c \
	src/lower/loops/direct.c \
	src/lower/loops/from_isl.c \
	src/lower/loops/hulls.c src/lower/loops/hulls.h \
	src/lower/loops/iterations.c src/lower/loops/iterations.h \
	src/lower/loops/pass_scale.c \
	src/lower/loops/pass_join.c src/lower/loops/pass_tidy.c \
	src/lower/loops/shape.c \
	src/lower/loops/torn.c src/lower/loops/torn.h

# src/lower/names
libpolynest_la_SOURCES += \
	src/lower/names/pass_digits.c \
	src/lower/names/pass_else.c \
	src/lower/names/pass_end.c \
	src/lower/names/pass_extent.c \
	src/lower/names/pass_finish.c \
	src/lower/names/pass_name.c \
	src/lower/names/pass_shadow.c

# src/lower/prove
libpolynest_la_SOURCES += \
	src/lower/prove/counted.c src/lower/prove/counted.h \
	src/lower/prove/cover.c \
	src/lower/prove/injective.c src/lower/prove/injective.h \
	src/lower/prove/linear.c src/lower/prove/linear.h \
	src/lower/prove/node_looks.c src/lower/prove/node_looks.h \
	src/lower/prove/own_part.c src/lower/prove/own_part.h \
	src/lower/prove/partition.c src/lower/prove/partition.h \
	src/lower/prove/parts.c src/lower/prove/parts.h \
	src/lower/prove/replay_tree.c src/lower/prove/replay_tree.h \
	src/lower/prove/retrace.c src/lower/prove/retrace.h \
	src/lower/prove/run_subscripts.c src/lower/prove/run_subscripts.h \
	src/lower/prove/run_tiles.c src/lower/prove/run_tiles.h \
	src/lower/prove/run_tree.c src/lower/prove/run_tree.h \
	src/lower/prove/solve_counts.c src/lower/prove/solve_counts.h

# src/lower/threads
libpolynest_la_SOURCES += \
	src/lower/threads/fences.c src/lower/threads/fences.h \
	src/lower/threads/hints.c src/lower/threads/hints.h \
	src/lower/threads/pass_regions.c \
	src/lower/threads/pass_teams.c \
	src/lower/threads/pass_threads.c \
	src/lower/threads/rectangle.c \
	src/lower/threads/rectangle.h \
	src/lower/threads/streams.c src/lower/threads/streams.h \
	src/lower/threads/tell.c \
	src/lower/threads/uses.c src/lower/threads/uses.h \
	src/lower/threads/waits.c src/lower/threads/waits.h

# src/lower/tiles
libpolynest_la_SOURCES += \
	src/lower/tiles/breakpoints.c src/lower/tiles/breakpoints.h \
	src/lower/tiles/cases.c src/lower/tiles/cases.h \
	src/lower/tiles/check_tails.c \
	src/lower/tiles/cut.c src/lower/tiles/cut.h \
	src/lower/tiles/cut_end.c \
	src/lower/tiles/guard.c src/lower/tiles/guard.h \
	src/lower/tiles/loosen.c src/lower/tiles/loosen.h \
	src/lower/tiles/pass_cases.c \
	src/lower/tiles/pass_literal.c \
	src/lower/tiles/pass_refine.c \
	src/lower/tiles/pass_unroll.c \
	src/lower/tiles/pass_whole.c \
	src/lower/tiles/plain_end.c src/lower/tiles/plain_end.h \
	src/lower/tiles/ragged.c src/lower/tiles/ragged.h \
	src/lower/tiles/refine.h \
	src/lower/tiles/refine_bound.c src/lower/tiles/refine_bound.h \
	src/lower/tiles/rest.c src/lower/tiles/rest.h \
	src/lower/tiles/spread.c src/lower/tiles/spread.h \
	src/lower/tiles/unroll.h

# src/lower/vector
libpolynest_la_SOURCES += \
	src/lower/vector/clamp.c src/lower/vector/clamp.h \
	src/lower/vector/fill_all.c src/lower/vector/fill_all.h \
	src/lower/vector/flat_tuple.c src/lower/vector/flat_tuple.h \
	src/lower/vector/full_lanes.c src/lower/vector/full_lanes.h \
	src/lower/vector/interleave.c src/lower/vector/interleave.h \
	src/lower/vector/lane_assign.c \
	src/lower/vector/lane_bools.c src/lower/vector/lane_bools.h \
	src/lower/vector/lane_ends.c src/lower/vector/lane_ends.h \
	src/lower/vector/lane_exprs.c \
	src/lower/vector/lane_offsets.c \
	src/lower/vector/lane_shared.c \
	src/lower/vector/lane_locals.c src/lower/vector/lane_locals.h \
	src/lower/vector/lane_types.c src/lower/vector/lane_types.h \
	src/lower/vector/loose.c src/lower/vector/loose.h \
	src/lower/vector/weights.c src/lower/vector/weights.h \
	src/lower/vector/lanes.c src/lower/vector/lanes.h \
	src/lower/vector/narrow.c src/lower/vector/narrow.h \
	src/lower/vector/reach.c src/lower/vector/reach.h \
	src/lower/vector/registers.c src/lower/vector/registers.h \
	src/lower/vector/shared.c \
	src/lower/vector/simd_sums.c src/lower/vector/simd_sums.h \
	src/lower/vector/stores_together.c src/lower/vector/stores_together.h \
	src/lower/vector/strips.c src/lower/vector/strips.h \
	src/lower/vector/sums.c src/lower/vector/sums.h \
	src/lower/vector/vectors.c src/lower/vector/vectors.h

# src/lower/vector/reuse
libpolynest_la_SOURCES += \
	src/lower/vector/reuse/forward.c src/lower/vector/reuse/forward.h \
	src/lower/vector/reuse/hoist.c src/lower/vector/reuse/hoist.h \
	src/lower/vector/reuse/masks.c src/lower/vector/reuse/masks.h \
	src/lower/vector/reuse/operands.c src/lower/vector/reuse/operands.h \
	src/lower/vector/reuse/row_pointers.c src/lower/vector/reuse/row_pointers.h \
	src/lower/vector/reuse/rows.c src/lower/vector/reuse/rows.h \
	src/lower/vector/reuse/same_masks.c src/lower/vector/reuse/same_masks.h \
	src/lower/vector/reuse/splats.c src/lower/vector/reuse/splats.h \
	src/lower/vector/reuse/strip.c src/lower/vector/reuse/strip.h \
	src/lower/vector/reuse/subterms.c src/lower/vector/reuse/subterms.h

# src/lower/ways
libpolynest_la_SOURCES += \
	src/lower/ways/way.c src/lower/ways/way.h \
	src/lower/ways/way_digits.c \
	src/lower/ways/way_lanes.c \
	src/lower/ways/way_leaves.c \
	src/lower/ways/way_sets.c src/lower/ways/way_sets.h \
	src/lower/ways/way_stops.c
