# sources of src/auto, alphabetical
libpolynest_la_SOURCES += \
	src/auto/distance.c src/auto/distance.h \
	src/auto/divide.c src/auto/divide.h \
	src/auto/ends.c src/auto/ends.h \
	src/auto/fused.c src/auto/fused.h \
	src/auto/join.c src/auto/join.h \
	src/auto/keep.c src/auto/keep.h \
	src/auto/leave.c src/auto/leave.h \
	src/auto/own.c src/auto/own.h \
	src/auto/part.c src/auto/part.h \
	src/auto/proposal.c src/auto/proposal.h \
	src/auto/propose.c src/auto/propose.h \
	src/auto/related.c src/auto/related.h \
	src/auto/site.c src/auto/site.h \
	src/auto/sizes.c src/auto/sizes.h \
	src/auto/stride.c src/auto/stride.h \
	src/auto/sums.c src/auto/sums.h \
	src/auto/tiling.c src/auto/tiling.h \
	src/auto/wishes.c src/auto/wishes.h

# sources of src/auto/device, alphabetical
libpolynest_la_SOURCES += \
	src/auto/device/device.c src/auto/device/device.h \
	src/auto/device/grid.c \
	src/auto/device/recipe_columns.c \
	src/auto/device/recipe_points.c \
	src/auto/device/recipe_product.c \
	src/auto/device/recipe_rows.c \
	src/auto/device/recipe_transposition.c \
	src/auto/device/recipe_window.c

# sources of src/auto/recipes, alphabetical
libpolynest_la_SOURCES += \
	src/auto/recipes/recipe_apart.c \
	src/auto/recipes/recipe_blocks.c \
	src/auto/recipes/recipe_border.c \
	src/auto/recipes/recipe_columns.c \
	src/auto/recipes/recipe_left.c \
	src/auto/recipes/recipe_lines.c \
	src/auto/recipes/recipe_once.c \
	src/auto/recipes/recipe_pair.c \
	src/auto/recipes/recipe_pivot.c \
	src/auto/recipes/recipe_private.c \
	src/auto/recipes/recipe_push.c \
	src/auto/recipes/recipe_rows.c \
	src/auto/recipes/recipe_stages.c \
	src/auto/recipes/recipe_stream.c \
	src/auto/recipes/recipe_tile.c \
	src/auto/recipes/recipe_time.c \
	src/auto/recipes/recipe_triangle.c \
	src/auto/recipes/recipes.h \
	src/auto/recipes/sweeps.c src/auto/recipes/sweeps.h
