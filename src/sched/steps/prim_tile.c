/* tile: splits in the order given, then i, ii, j, jj, the other loops in place. */
#include "sched/steps/split.h"

static const char *inner_name(struct schedule *schedule, const struct loop_ref *ref, const struct step *step,
                              const char *loop)
{
    const struct value *as = step_value(step, "as");

    for (int k = 0; as && k < as->n_item; k++)
        if (strcmp(as->key[k], loop) == 0) {
            const char *name = as->item[k].string;
            return edit_name_free(schedule, ref, name, as->item[k].place) ? name : NULL;
        }
    return edit_inner_name(schedule, ref);
}

static enum status split_one(struct schedule *schedule, const struct step *step, const struct value *sizes, int k)
{
    const struct value name = {.kind = VALUE_STRING, .place = sizes->key_place[k], .string = sizes->key[k]};
    struct loop_ref ref;
    const char *inner;

    if (!edit_loop(schedule, &name, &ref) || !edit_is_single(schedule, &ref, "tile"))
        return STATUS_REFUSED;
    inner = inner_name(schedule, &ref, step, sizes->key[k]);
    return inner ? split_loop(schedule, &ref, step, sizes->item[k].integer, inner) : STATUS_REFUSED;
}

static enum status check_names(struct schedule *schedule, const struct step *step, const struct value *sizes)
{
    const struct value *as = step_value(step, "as");

    for (int k = 0; as && k < as->n_item; k++) {
        bool known = false;
        for (int i = 0; i < sizes->n_item; i++)
            known = known || strcmp(as->key[k], sizes->key[i]) == 0;
        if (!known)
            return edit_refuse(schedule, as->key_place[k], "tile", NULL, "`%s` is not among the tiled loops",
                               as->key[k]);
    }
    return STATUS_OK;
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    const struct value *sizes = step_value(step, "tile");
    enum status status = check_names(schedule, step, sizes);

    for (int k = 0; k < sizes->n_item && status == STATUS_OK; k++)
        status = split_one(schedule, step, sizes, k);
    return status;
}

static const struct argument arguments[] = {
    {.key = "tile", .kind = ARGUMENT_LOOP_INTS, .required = true, .minimum = 1, .doc = "iterations of a tile, by loop"},
    {.key = "as", .kind = ARGUMENT_LOOP_NAMES, .fallback = "jj for j", .doc = "names of the inner parts"},
    {0},
};

const struct primitive primitive_tile = {
    .name = "tile",
    .summary = "split several loops",
    .rule = "Each of the loops is split: i, j become i, ii, j, jj. The loops over tiles do not move "
            "outside: `reorder` does that, to i, j, ii, jj.",
    .proved = "The order of the instances does not change. The `reorder` after it is refused where an "
              "instance of one tile depends on a later tile.",
    .argument = arguments,
    .apply = apply,
};
