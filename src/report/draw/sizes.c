#include "report/draw/sizes.h"

#include "base/names.h"
#include "poly/number.h"

#include <isl/ilp.h>
#include <isl/val.h>

#include <inttypes.h>
#include <string.h>

enum { DRAW_SIZE = 8 };

static int index_of(const struct program *program, const char *name)
{
    for (int k = 0; k < program->n_param; k++)
        if (strcmp(program->param[k].name, name) == 0)
            return k;
    return -1;
}

static enum status unknown(const struct schedule *schedule, const struct size *size)
{
    const struct program *program = schedule->program;
    const char **known = ARENA_ARRAY(schedule->arena, program->n_param + 1, const char *), *nearest;
    struct diag *diag;

    for (int k = 0; k < program->n_param; k++)
        known[k] = program->param[k].name;
    diag = diag_error(schedule->diags, "unknown-name", PLACE_NONE, "no parameter is called `%s`", size->name);
    nearest = name_nearest(size->name, known, program->n_param);
    if (nearest)
        diag_hint(schedule->diags, diag, "did you mean `%s`?", nearest);
    return STATUS_USAGE;
}

/* The value of a parameter in a set that has one or several; false: none. */
static bool value_of(__isl_keep isl_set *sizes, int param, bool largest, int64_t *value)
{
    isl_set *params =
        isl_set_move_dims(isl_set_from_params(isl_set_copy(sizes)), isl_dim_set, 0, isl_dim_param, (unsigned)param, 1);
    isl_val *found = largest ? isl_set_dim_max_val(params, 0) : isl_set_dim_min_val(params, 0);

    return poly_number(found, value);
}

static __isl_give isl_set *choose(__isl_take isl_set *sizes, int param, int most)
{
    isl_set *small = isl_set_upper_bound_si(isl_set_copy(sizes), isl_dim_param, (unsigned)param, most);
    int64_t value;

    if (value_of(small, param, true, &value) || value_of(sizes, param, false, &value))
        sizes = isl_set_fix_si(sizes, isl_dim_param, (unsigned)param, (int)value);
    isl_set_free(small);
    return sizes;
}

enum status sizes_choose(const struct schedule *schedule, const struct size *size, int n_size, const int *most,
                         __isl_give isl_set **sizes)
{
    const struct program *program = schedule->program;
    isl_set *all = isl_set_copy(program->context);
    struct text text = {0};

    *sizes = NULL;
    for (int k = 0; k < n_size; k++) {
        const int param = index_of(program, size[k].name);
        if (param < 0) {
            isl_set_free(all);
            text_free(&text);
            return unknown(schedule, &size[k]);
        }
        all = isl_set_fix_si(all, isl_dim_param, (unsigned)param, (int)size[k].value);
        text_addf(&text, "%s%s = %" PRId64, k ? ", " : "", size[k].name, size[k].value);
    }
    if (isl_set_is_empty(all) != isl_bool_false) {
        diag_error(schedule->diags, "assume", PLACE_NONE, "the assumptions exclude %s", text_str(&text));
        isl_set_free(all);
        text_free(&text);
        return STATUS_USAGE;
    }
    text_free(&text);
    for (int k = 0; k < program->n_param; k++)
        all = choose(all, k, most ? most[k] : DRAW_SIZE);
    *sizes = all;
    return STATUS_OK;
}

bool sizes_value(__isl_keep isl_set *sizes, int param, int64_t *value)
{
    int64_t least;

    return value_of(sizes, param, true, value) && value_of(sizes, param, false, &least) && least == *value;
}

void sizes_print(struct text *out, const struct program *program, __isl_keep isl_set *sizes)
{
    for (int k = 0; k < program->n_param; k++) {
        int64_t value;
        if (value_of(sizes, k, true, &value))
            text_addf(out, "%s%s = %" PRId64, out->size ? ", " : "", program->param[k].name, value);
    }
}
