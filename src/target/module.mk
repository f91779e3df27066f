# sources of src/target, alphabetical
libpolynest_la_SOURCES += \
	src/target/target.h \
	src/target/targets.c

# src/target/c
libpolynest_la_SOURCES += \
	src/target/c/asked.c \
	src/target/c/c.c \
	src/target/c/comment.c \
	src/target/c/comment_statements.c \
	src/target/c/compare.c \
	src/target/c/dispatch.c src/target/c/dispatch.h \
	src/target/c/distribution.c \
	src/target/c/file.h \
	src/target/c/function.c \
	src/target/c/memory.c \
	src/target/c/merge.c \
	src/target/c/overlap.c \
	src/target/c/overtaking.c \
	src/target/c/pattern.c \
	src/target/c/pattern.h \
	src/target/c/permits.c \
	src/target/c/pieces.c src/target/c/pieces.h \
	src/target/c/question.c \
	src/target/c/rounding.c \
	src/target/c/self_check.c src/target/c/self_check.h \
	src/target/c/several.c src/target/c/several.h \
	src/target/c/signature.c \
	src/target/c/table.c

# src/target/clike
libpolynest_la_SOURCES += \
	src/target/clike/body.c src/target/clike/body.h \
	src/target/clike/braces.c src/target/clike/braces.h \
	src/target/clike/condition.c \
	src/target/clike/convert.c src/target/clike/convert.h \
	src/target/clike/declare.c src/target/clike/declare.h \
	src/target/clike/dialect.h \
	src/target/clike/emitter.h \
	src/target/clike/expr.c src/target/clike/expr.h \
	src/target/clike/heading.c src/target/clike/heading.h \
	src/target/clike/helpers.c src/target/clike/helpers.h \
	src/target/clike/index.c src/target/clike/index.h \
	src/target/clike/items.c src/target/clike/items.h \
	src/target/clike/memory.c src/target/clike/memory.h \
	src/target/clike/scope.c src/target/clike/scope.h \
	src/target/clike/sight.c src/target/clike/sight.h \
	src/target/clike/storage.c src/target/clike/storage.h \
	src/target/clike/tile.c src/target/clike/tile.h \
	src/target/clike/together.c src/target/clike/together.h \
	src/target/clike/types.c src/target/clike/types.h \
	src/target/clike/wrap.c src/target/clike/wrap.h \
	src/target/clike/writer.c src/target/clike/writer.h

# src/target/clike/nodes
libpolynest_la_SOURCES += \
	src/target/clike/nodes/openmp.c src/target/clike/nodes/openmp.h \
	src/target/clike/nodes/prefetch.c src/target/clike/nodes/prefetch.h \
	src/target/clike/nodes/texts.c src/target/clike/nodes/texts.h \
	src/target/clike/nodes/tuple.c src/target/clike/nodes/tuple.h

# src/target/clike/vector
libpolynest_la_SOURCES += \
	src/target/clike/vector/apart.c \
	src/target/clike/vector/convert.c \
	src/target/clike/vector/each.c src/target/clike/vector/each.h \
	src/target/clike/vector/lanes.h \
	src/target/clike/vector/mask.c \
	src/target/clike/vector/memory.c \
	src/target/clike/vector/names.c \
	src/target/clike/vector/parts.c \
	src/target/clike/vector/rows.c \
	src/target/clike/vector/value.c \
	src/target/clike/vector/vector.c src/target/clike/vector/vector.h

# src/target/cuda
libpolynest_la_SOURCES += \
	src/target/cuda/caps.c \
	src/target/cuda/cuda.c \
	src/target/cuda/tensor.c src/target/cuda/tensor.h

# src/target/device
libpolynest_la_SOURCES += \
	src/target/device/atomic.c \
	src/target/device/copy.c \
	src/target/device/device.c \
	src/target/device/extent.c src/target/device/extent.h \
	src/target/device/file.h \
	src/target/device/host.c \
	src/target/device/launch.c \
	src/target/device/merged.c \
	src/target/device/naming.c \
	src/target/device/routine.c \
	src/target/device/shared.c src/target/device/shared.h \
	src/target/device/shared_size.c \
	src/target/device/signs.c \
	src/target/device/warp_sum.c \
	src/target/device/words.c

# src/target/hip
libpolynest_la_SOURCES += \
	src/target/hip/caps.c \
	src/target/hip/hip.c
