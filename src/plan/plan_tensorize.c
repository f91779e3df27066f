/* tensorize: loops as instructions that compute with more than one number a lane. */
#include "plan/tensorize.h"

#include "caps/gpu.h"

static enum status apply(struct schedule *schedule, const struct step *step)
{
    return gpu_by_language(schedule->program->target.language) ? tensorize_tile(schedule, step)
                                                               : tensorize_dot(schedule, step);
}

static const struct argument arguments[] = {
    {.key = "tensorize",
     .kind = ARGUMENT_LOOPS,
     .required = true,
     .doc = "the loops of lanes and of the products that each of them sums up; on a GPU those of a tile: over rows, "
            "columns and sums, or over rows and columns of what is computed of the sums"},
    {0},
};

const struct primitive primitive_tensorize = {"tensorize", "compute loops by one instruction", arguments, apply};
