/* cut: a loop becomes several, one after the other, cut at printed values. */
#include "sched/steps/pieces.h"

#include <isl/space.h>
#include <isl/val.h>

/* The first count of the next piece: the smallest one whose value has reached `at`. */
static __isl_give isl_aff *boundary(const struct loop_info *info, __isl_take isl_aff *at)
{
    const bool descending = info->stride < 0;

    if (info->offset)
        at = isl_aff_sub(at, isl_aff_copy(info->offset));
    at = isl_aff_scale_down_val(at, isl_val_int_from_si(isl_aff_get_ctx(at), info->stride));
    return descending ? isl_aff_add_constant_si(isl_aff_floor(at), 1) : isl_aff_ceil(at);
}

static isl_stat add_below(__isl_take isl_pw_aff *distance, void *user)
{
    isl_union_set **below = user;
    isl_set *set = isl_pw_aff_nonneg_set(
        isl_pw_aff_add_constant_val(isl_pw_aff_neg(distance), isl_val_negone(isl_union_set_get_ctx(*below))));

    *below = isl_union_set_union(*below, isl_union_set_from_set(set));
    return isl_stat_ok;
}

/* The instances of rest whose count is below the boundary. */
static __isl_give isl_union_set *below(const struct loop_ref *ref, __isl_keep isl_union_set *rest,
                                       __isl_take isl_aff *boundary_count)
{
    isl_union_pw_aff *distance = time_add(isl_union_pw_aff_copy(ref->time), boundary_count, -1);
    isl_union_set *set = isl_union_set_empty(isl_union_set_get_space(rest));

    isl_union_pw_aff_foreach_pw_aff(distance, add_below, &set);
    isl_union_pw_aff_free(distance);
    isl_aff_free(boundary_count);
    return isl_union_set_intersect(set, isl_union_set_copy(rest));
}

static enum status cut_at(struct schedule *schedule, const struct loop_ref *ref, const struct step *step)
{
    const struct value *at = step_value(step, "at");
    isl_union_set **piece = ARENA_ARRAY(schedule->arena, at->n_item + 1, isl_union_set *);
    isl_union_set *rest = isl_union_set_copy(ref->domain);
    enum status status = STATUS_OK;

    for (int k = 0; k < at->n_item && status == STATUS_OK; k++) {
        isl_aff *value = params_read(schedule->program, &at->item[k]);
        if (!value)
            status = edit_refuse(schedule, at->item[k].place, "affine", NULL,
                                 "a cut must be an affine expression of the parameters");
        else {
            piece[k] = below(ref, rest, boundary(ref->info, value));
            rest = isl_union_set_subtract(rest, isl_union_set_copy(piece[k]));
        }
    }
    piece[at->n_item] = rest;
    if (status == STATUS_OK)
        status = pieces_cut(schedule, ref, step, piece, at->n_item + 1, "a cut is outside the range of the loop");
    for (int k = 0; k <= at->n_item; k++)
        isl_union_set_free(piece[k]);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;

    if (!edit_loop_argument(schedule, step, "cut", &ref) || !edit_is_single(schedule, &ref, "cut"))
        return STATUS_REFUSED;
    if (step_value(step, "at")->n_item == 0)
        return edit_refuse(schedule, step_place(step, "at"), "cut", NULL, "there is no value to cut at");
    return cut_at(schedule, &ref, step);
}

static const struct argument arguments[] = {
    {.key = "cut", .kind = ARGUMENT_LOOP, .required = true, .doc = "the loop"},
    {.key = "at", .kind = ARGUMENT_AFFINES, .required = true, .doc = "values at which the next piece begins"},
    {.key = "as", .kind = ARGUMENT_NAMES, .fallback = "i_0, i_1, ...", .doc = "names of the pieces"},
    {0},
};

const struct primitive primitive_cut = {
    .name = "cut",
    .summary = "cut a loop into pieces",
    .rule = "The loop becomes several loops, one after the other. Each value in `at` is the first "
            "one of the next piece, and may depend on parameters. Where the loop is shorter, pieces "
            "are empty.",
    .proved = "The cut points ascend, and each piece has iterations at some size that `assume` "
              "allows. The order of the instances does not change.",
    .argument = arguments,
    .apply = apply,
};
