/* tensorize: loops as instructions that compute with more than one number a lane. */
#include "plan/tensorize.h"

static const struct argument arguments[] = {
    {.key = "tensorize", .kind = ARGUMENT_LOOPS, .required = true,
     .doc = "the loops of lanes and of the products that each of them sums up"},
    {0},
};

const struct primitive primitive_tensorize = {"tensorize", "compute loops by one instruction", arguments,
                                              tensorize_dot};
