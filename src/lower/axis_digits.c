#include "lower/axis_digits.h"

#include "sched/order.h"
#include "tree/visit.h"

bool is_axis_digit(const struct positions *positions, enum axis axis)
{
    return axis != AXIS_NONE && axis != AXIS_THREAD && positions->launch->extent[axis_digit(axis_whole(axis), 1)];
}

enum axis axis_digits_coarsest(const struct positions *positions, enum axis axis)
{
    int k = AXIS_DIGITS - 1;

    while (k > 0 && !positions->launch->extent[axis_digit(axis, k)])
        k--;
    return axis_digit(axis, k);
}

bool counts_axis_digit(const struct positions *positions, const struct node *node)
{
    return node->kind == NODE_LOOP && is_axis_digit(positions, node->axis) && node->step == 1 && node->n_local == 0 &&
           affine_equal(node->lower, positions->first[node->axis]);
}

/* The first loop below node over positions of axis, if it takes them as they come; NULL: there is none. */
static const struct node *first_loop(const struct node *node, enum axis axis)
{
    const struct node *found = NULL;

    if (node->kind == NODE_LOOP && node->axis == axis)
        return node->step == 1 && affine_is_constant(node->lower, NULL) ? node : NULL;
    for (int k = 0; k < node->n_child && !found; k++)
        found = first_loop(node->child[k], axis);
    return found;
}

/* As the user calls it. */
static const char *name_of(const struct node *loop)
{
    return loop->info && loop->info->tuple > 1 ? loop->info->part->name : loop->var->name;
}

void axis_digits_begin(struct positions *positions, const struct node *kernel)
{
    for (int axis = AXIS_BLOCK_X; axis < AXIS_COUNT; axis++) {
        const struct node *loop =
            is_axis_digit(positions, (enum axis)axis) ? first_loop(kernel, (enum axis)axis) : NULL;
        positions->first[axis] = loop ? loop->lower : affine_constant(positions->arena, 0);
    }
}

/* The number of a position of which a block has several, called like the tuple. */
static void declare_number(struct positions *positions, const struct node *kernel, enum axis axis, struct names *names,
                           int *next_var)
{
    const struct node *loop = first_loop(kernel, axis_digits_coarsest(positions, axis));
    struct var *var = ARENA_NEW(positions->arena, struct var);

    *var = (struct var){.kind = VAR_VALUE,
                        .id = (*next_var)++,
                        .name = names_unique(names, loop ? loop->var->name : "position")};
    positions->number[axis] = var;
}

void axis_digits_declare(struct positions *positions, const struct node *kernel, struct names *names, int *next_var)
{
    static const char *const unnamed[] = {"bx", "by", "bz", "tx", "ty", "tz"};

    for (int axis = AXIS_COUNT - 1; axis >= AXIS_BLOCK_X; axis--) {
        const enum axis whole = axis_whole((enum axis)axis);
        const struct node *loop = first_loop(kernel, (enum axis)axis);
        struct var *var = ARENA_NEW(positions->arena, struct var);
        if (!positions->launch->extent[axis] || !is_axis_digit(positions, (enum axis)axis))
            continue;
        *var = (struct var){.kind = VAR_VALUE,
                            .id = (*next_var)++,
                            .name = names_unique(names, loop ? name_of(loop) : unnamed[whole - AXIS_BLOCK_X])};
        positions->at[axis] = var;
    }
    for (int axis = AXIS_BLOCK_X; axis < AXIS_THREAD; axis++)
        if (positions->launch->run[axis])
            declare_number(positions, kernel, (enum axis)axis, names, next_var);
}

/* body, with the number of the position in front where that is made of block and thread. */
static const struct node *numbered(const struct positions *positions, enum axis axis, const struct node *body)
{
    struct arena *arena = positions->arena;
    const enum axis threads = positions->launch->threads_axis[axis];
    const struct affine *number;

    if (!positions->launch->run[axis])
        return body;
    number = affine_combine(arena, affine_var(arena, positions->whole[axis]), positions->launch->run[axis],
                            affine_var(arena, positions->whole[threads]), 1);
    return node_value(arena, positions->number[axis], number, body);
}

/* The digits of an axis, the coarsest first. */
static const struct node *digits_of(const struct positions *positions, enum axis axis, const struct node *body)
{
    struct node *node = ARENA_NEW(positions->arena, struct node);
    struct part *part = ARENA_ARRAY(positions->arena, AXIS_DIGITS, struct part);
    const struct node **child = ARENA_ARRAY(positions->arena, 1, const struct node *);
    bool used = false;
    int n = 0;

    for (int k = AXIS_DIGITS - 1; k >= 0; k--) {
        const enum axis digit = axis_digit(axis, k);
        const struct affine *extent = positions->launch->extent[digit];
        if (extent)
            part[n++] = (struct part){positions->at[digit], positions->first[digit], extent};
        used = used || (extent && node_uses(body, positions->at[digit]));
    }
    child[0] = body;
    *node = (struct node){.kind = NODE_TUPLE,
                          .child = child,
                          .n_child = 1,
                          .var = positions->number[axis],
                          .axis = axis,
                          .part = part,
                          .n_part = n};
    return used ? numbered(positions, axis, node) : body;
}

const struct node *axis_digits_in_front(const struct positions *positions, const struct node *body)
{
    for (int axis = AXIS_THREAD_Z; axis >= AXIS_BLOCK_X && body; axis--)
        if (is_axis_digit(positions, (enum axis)axis))
            body = digits_of(positions, (enum axis)axis, body);
    return body;
}
