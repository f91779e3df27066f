#include "report/slice.h"

#include "poly/keep.h"
#include "sched/time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *after_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* One value, or `*`; its end, or NULL. */
static const char *read_one(struct slice *slice, const char *at)
{
    char *end = NULL;

    at = after_blanks(at);
    slice->fixed[slice->n] = *at != '*';
    if (*at == '*') {
        slice->n++;
        return after_blanks(at + 1);
    }
    errno = 0;
    slice->value[slice->n++] = strtoll(at, &end, 10);
    return end == at || errno ? NULL : after_blanks(end);
}

bool slice_read(struct arena *arena, struct diags *diags, const char *text, struct slice *slice)
{
    const char *at = text;
    int n = 1;

    for (const char *c = text; *c; c++)
        n += *c == ',';
    *slice = (struct slice){ARENA_ARRAY(arena, n, int64_t), ARENA_ARRAY(arena, n, bool), 0};
    for (int k = 0; at && k < n; k++) {
        at = read_one(slice, at);
        if (at && k < n - 1)
            at = *at == ',' ? at + 1 : NULL;
    }
    if (at && *at == '\0')
        return true;
    diag_error(diags, "slice", PLACE_NONE, "`%s` is no slice: a number or `*` for each loop, as in `1,*,*`", text);
    return false;
}

/* { S[i,j] }: the instances for which the loop has that value. */
static __isl_give isl_union_set *at_value(const struct order *loop, int64_t value)
{
    const struct loop_info *info = loop->info;
    isl_union_pw_aff *time = time_scale(isl_union_pw_aff_copy(loop->time), info->stride);

    if (info->offset)
        time = time_add(time, info->offset, 1);
    return isl_union_pw_aff_zero_union_set(time_add_constant(time, -value));
}

struct slicing {
    struct arena *arena;
    const struct slice *slice;
    struct program *program; /* a copy, with statements of its own */
};

static const struct order *slice_leaf(const struct slicing *slicing, const struct order *leaf,
                                      __isl_keep isl_union_set *instances)
{
    isl_set *domain = isl_set_copy(leaf->domain);

    domain = isl_set_intersect(domain, isl_union_set_extract_set(instances, isl_set_get_space(domain)));
    if (isl_set_is_empty(domain) != isl_bool_true)
        return order_leaf(slicing->arena, slicing->program->statement[leaf->statement->index], domain);
    isl_set_free(domain);
    return NULL;
}

/* depth: loops around; instances: of these, what is in the slice. */
static const struct order *slice_from(const struct slicing *slicing, const struct order *order, int depth,
                                      __isl_take isl_union_set *instances)
{
    const struct slice *slice = slicing->slice;
    const struct order **child = ARENA_ARRAY(slicing->arena, order->n_child, const struct order *), *sliced = NULL;
    const bool is_loop = order->kind == ORDER_LOOP;
    int n = 0;

    if (is_loop && depth < slice->n && slice->fixed[depth])
        instances = isl_union_set_intersect(instances, at_value(order, slice->value[depth]));
    for (int k = 0; k < order->n_child; k++) {
        child[n] = slice_from(slicing, order->child[k], depth + is_loop, isl_union_set_copy(instances));
        n += child[n] != NULL;
    }
    if (order->kind == ORDER_LEAF)
        sliced = slice_leaf(slicing, order, instances);
    else if (n > 0)
        sliced = is_loop ? order_with_children(slicing->arena, order, child) : order_sequence(slicing->arena, child, n);
    isl_union_set_free(instances);
    return sliced;
}

static struct program *copy_program(struct arena *arena, const struct program *program)
{
    struct program *copy = ARENA_NEW(arena, struct program);

    *copy = *program;
    copy->statement = ARENA_ARRAY(arena, program->n_statement, struct statement *);
    for (int k = 0; k < program->n_statement; k++) {
        copy->statement[k] = ARENA_NEW(arena, struct statement);
        *copy->statement[k] = *program->statement[k];
    }
    return copy;
}

const struct order *slice_of(struct arena *arena, const struct program **program, const struct order *order,
                             const struct slice *slice)
{
    const struct slicing slicing = {arena, slice, copy_program(arena, *program)};
    const struct order *sliced = slice_from(&slicing, order, 0, order_domain(order));
    isl_union_set *all = sliced ? order_domain(sliced) : NULL;

    for (int k = 0; sliced && k < slicing.program->n_statement; k++) {
        struct statement *statement = slicing.program->statement[k];
        isl_set *domain = isl_union_set_extract_set(all, isl_set_get_space(statement->domain));
        statement->domain = poly_keep_set(arena, domain);
    }
    isl_union_set_free(all);
    *program = slicing.program;
    return sliced;
}
