/* shift: adds an affine amount to the values of a loop, or of one statement's part of it. */
#include "sched/edit.h"
#include "poly/keep.h"

#include <isl/val.h>

struct shift {
    const struct statement *statement;
    isl_aff *amount; /* in counts */
};

/* Only the statement's own instances move. */
static __isl_give isl_union_pw_aff *shifted_time(void *data, __isl_take isl_union_pw_aff *time)
{
    const struct shift *shift = data;
    isl_union_pw_aff *own = time_add(time_of(time, shift->statement), shift->amount, 1);
    isl_union_set *domain = isl_union_set_from_set(isl_set_copy(shift->statement->domain));

    time = isl_union_pw_aff_subtract_domain_union_set(time, isl_union_set_universe(domain));
    return isl_union_pw_aff_union_add(time, own);
}

static bool is_alone(const struct loop_ref *ref)
{
    isl_union_set *own;
    bool alone;

    if (!ref->statement)
        return true;
    own = isl_union_set_universe(isl_union_set_from_set(isl_set_copy(ref->statement->domain)));
    alone = isl_union_set_is_subset(ref->domain, own) == isl_bool_true;
    isl_union_set_free(own);
    return alone;
}

static enum status shift_loop(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                              __isl_take isl_aff *amount)
{
    struct loop_info *info = edit_copy_info(schedule, ref->info);

    info->offset = info->offset ? isl_aff_add(amount, isl_aff_copy(info->offset)) : amount;
    info->step = step;
    poly_keep_aff(schedule->arena, info->offset);
    return edit_replace(schedule, ref, info, NULL, NULL);
}

/* The amount in counts of the loop; NULL when it is not a whole number of them. */
static __isl_give isl_aff *in_counts(const struct loop_info *info, __isl_take isl_aff *amount)
{
    int64_t value;

    if (info->stride == 1)
        return amount;
    if (info->stride == -1)
        return isl_aff_neg(amount);
    if (!aff_constant(amount, &value) || value % info->stride != 0)
        return isl_aff_free(amount);
    return isl_aff_scale_down_val(amount, isl_val_int_from_si(isl_aff_get_ctx(amount), info->stride));
}

static enum status shift_statement(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                                   __isl_take isl_aff *amount)
{
    struct shift shift = {ref->statement, in_counts(ref->info, amount)};
    struct loop_info *info = edit_copy_info(schedule, ref->info);
    enum status status;

    if (!shift.amount)
        return edit_refuse(schedule, step_place(step, "by"), "shift", NULL,
                           "loop `%s` has step %lld: a statement can only be shifted by a multiple of it", ref->text,
                           (long long)ref->info->stride);
    info->step = step;
    status = edit_replace(schedule, ref, info, shifted_time, &shift);
    isl_aff_free(shift.amount);
    return status;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct loop_ref ref;
    isl_aff *amount;

    if (!edit_loop_argument(schedule, step, "shift", &ref) || !edit_is_single(schedule, &ref, "shift"))
        return STATUS_REFUSED;
    amount = params_read(schedule->program, step_value(step, "by"));
    if (!amount)
        return edit_refuse(schedule, step_place(step, "by"), "affine", NULL,
                           "the amount must be an affine expression of the parameters");
    return is_alone(&ref) ? shift_loop(schedule, &ref, step, amount) : shift_statement(schedule, &ref, step, amount);
}

static const struct argument arguments[] = {
    {.key = "shift",
     .kind = ARGUMENT_LOOP,
     .required = true,
     .doc = "the loop; `label.loop` shifts that statement against the others in it"},
    {.key = "by", .kind = ARGUMENT_AFFINE, .required = true, .doc = "what is added to the loop's values"},
    {0},
};

const struct primitive primitive_shift = {
    .name = "shift",
    .summary = "add an amount to the values of a loop",
    .rule = "All values of the loop grow by an amount. With a label in front of the loop, one "
            "statement is moved against the others in the same loop; its last instances then run "
            "after theirs.",
    .proved = "Each pair of dependent instances keeps its order: a statement is not moved in front "
              "of what it reads.",
    .argument = arguments,
    .apply = apply,
};
