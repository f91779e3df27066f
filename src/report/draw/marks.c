/* Which instances run in one vector. */
#include "report/draw/marks.h"

#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "report/draw/workers.h"

#include <stdlib.h>

struct lane {
    struct instance *instance;
    int loop; /* which of its leaf's loops has vectors */
};

/* The innermost loop around the instance whose iterations are lanes; -1: none. */
static int vector_loop(const struct leaf *leaf)
{
    for (int k = leaf->n_loop - 1; k >= 0; k--)
        if (loop_plan_of(leaf->loop[k]->info).vector)
            return k;
    return -1;
}

/* Compares all counts but that of the loop with the vectors. */
static int compare_others(const struct lane *x, const struct lane *y)
{
    const int64_t *a = x->instance->count, *b = y->instance->count;
    const int before = compare_counts(a, b, x->loop), after = x->loop + 1;

    return before ? before : compare_counts(a + after, b + after, x->instance->leaf->n_loop - after);
}

/* By leaf, the other loops, then from lane to lane. */
static int by_lane(const void *a, const void *b)
{
    const struct lane *x = a, *y = b;
    const int leaf = x->instance->leaf->number - y->instance->leaf->number;
    const int others = leaf ? leaf : compare_others(x, y);

    return others ? others : compare_counts(x->instance->count + x->loop, y->instance->count + y->loop, 1);
}

/* Do lanes go on from x to y: the same iteration of all other loops? */
static bool is_along(const struct lane *x, const struct lane *y)
{
    return x->instance->leaf == y->instance->leaf && compare_others(x, y) == 0;
}

/* Adds the types of what statements below order use; false: there are several, or narrow ones, which are computed in
 * other types. */
static bool has_one_type(const struct order *order, enum type *type)
{
    if (order->kind == ORDER_LEAF)
        for (int k = 0; k < order->statement->n_access; k++) {
            const enum type found = order->statement->access[k].array->type;
            if (type_bits(found) < 32 || (*type != TYPE_NONE && *type != found))
                return false;
            *type = found;
        }
    for (int k = 0; k < order->n_child; k++)
        if (!has_one_type(order->child[k], type))
            return false;
    return true;
}

/* The lanes of a vector: what the plan says, or the target has; 0: that is left open. */
static int64_t lanes_of(const struct program *program, const struct order *loop)
{
    const struct simd *simd = simd_by_name(program->target.simd);
    const int64_t asked = loop_plan_of(loop->info).lanes, tile = loop->info->tile;
    enum type type = TYPE_NONE;

    if (asked || !simd || !has_one_type(loop, &type) || type == TYPE_NONE)
        return asked;
    return tile > 0 && tile <= 64 && simd_type_of(simd, type, (int)tile) ? tile : simd_widest(simd, &type, 1);
}

/* The lanes of one iteration of all other loops, n from the first on, in vectors that start at the first. */
static void add_vectors(struct arena *arena, const struct program *program, const struct lane *lane, int n,
                        struct marks *marks)
{
    const struct order *loop = lane->instance->leaf->loop[lane->loop];
    const int64_t lanes = lanes_of(program, loop), first = lane->instance->count[lane->loop];
    struct drawn_vector *vector = NULL;
    int64_t end = 0;

    for (int k = 0; k < n; k++) {
        struct instance *instance = lane[k].instance;
        const int64_t place = (instance->count[lane->loop] - first) / loop->info->unit;
        if (!vector || (lanes && place >= end)) {
            vector = &marks->vector[marks->n_vector++];
            vector->lane = ARENA_ARRAY(arena, lanes && lanes < n ? lanes : n, const struct instance *);
            vector->open = lanes == 0;
            end = lanes ? (place / lanes + 1) * lanes : n;
        }
        instance->vector = marks->n_vector - 1;
        instance->lane = (int)(lanes ? place % lanes : place);
        vector->lane[vector->n++] = instance;
        vector->full = vector->n >= lanes;
    }
}

static void vectors_find(struct arena *arena, const struct instances *instances, struct marks *marks)
{
    VEC(struct lane) list = {0};
    int n;

    for (int k = 0; k < instances->n; k++) {
        const int loop = vector_loop(instances->list[k].leaf);
        if (loop >= 0 && !statement_is_copy(instances->list[k].statement))
            VEC_PUSH(arena, &list, ((struct lane){&instances->list[k], loop}));
    }
    if (list.n == 0)
        return;
    qsort(list.at, (size_t)list.n, sizeof(struct lane), by_lane);
    marks->vector = ARENA_ARRAY(arena, list.n, struct drawn_vector);
    for (int k = 0; k < list.n; k += n) {
        n = 1;
        while (k + n < list.n && is_along(&list.at[k], &list.at[k + n]))
            n++;
        add_vectors(arena, instances->program, &list.at[k], n, marks);
    }
}

struct marks marks_find(struct arena *arena, const struct instances *instances, __isl_keep isl_set *sizes)
{
    struct marks marks = {0};

    workers_find(arena, instances, sizes, &marks);
    vectors_find(arena, instances, &marks);
    return marks;
}
