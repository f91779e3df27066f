#include "sched/schedule.h"

extern const struct primitive primitive_reorder, primitive_split, primitive_tile, primitive_skew, primitive_pad,
    primitive_shift, primitive_reverse, primitive_scale, primitive_collapse, primitive_cut, primitive_peel,
    primitive_join, primitive_fission, primitive_map;

const struct primitive *const schedule_primitives[] = {
    &primitive_reorder, &primitive_split, &primitive_tile,     &primitive_skew, &primitive_pad,
    &primitive_shift,   &primitive_reverse, &primitive_scale,  &primitive_collapse, &primitive_cut,
    &primitive_peel,    &primitive_join,  &primitive_fission,  &primitive_map,  NULL,
};
