#include "lower/device/axis_digits.h"

#include "plan/device/copies/dealing.h"
#include "sched/order.h"
#include "tree/visit.h"
#include "tree/vars.h"

bool is_axis_digit(const struct positions *positions, enum axis axis)
{
    return axis != AXIS_NONE && axis != AXIS_THREAD && positions->launch->extent[axis_digit(axis_whole(axis), 1)];
}

bool axis_digits_walk(const struct positions *positions, enum axis axis)
{
    return is_axis_digit(positions, axis) && positions->launch->blocks[axis_whole(axis)] > 0;
}

enum axis axis_digits_coarsest(const struct positions *positions, enum axis axis)
{
    int k = AXIS_DIGITS - 1;

    while (k > 0 && !positions->launch->extent[axis_digit(axis, k)])
        k--;
    return axis_digit(axis, k);
}

unsigned axis_digits_bits(const struct positions *positions, enum axis axis)
{
    unsigned bits = 0;

    for (int k = 0; k < AXIS_DIGITS; k++)
        bits |= positions_bits(positions, axis_digit(axis, k));
    return bits;
}

bool counts_axis_digit(const struct positions *positions, const struct node *node)
{
    return node->kind == NODE_LOOP && is_axis_digit(positions, node->axis) && node->step == 1 && node->n_local == 0 &&
           affine_equal(node->lower, positions->first[node->axis]);
}

/* The first loop below node over positions of axis, none of a copy that goes over all of them, if it takes them as they
 * come; NULL: there is none. */
static const struct node *first_loop(const struct node *node, enum axis axis)
{
    const struct node *found = NULL;

    if (node->kind == NODE_LOOP && node->axis == axis && !(node->info && is_dealt(node->info)))
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

/* The number of a position of which a block has several, called like the tuple, and that of the block's first one. */
static void declare_number(struct positions *positions, const struct node *kernel, enum axis axis, struct names *names,
                           struct vars *vars)
{
    const struct node *loop = first_loop(kernel, axis_digits_coarsest(positions, axis));
    const char *name = names_unique(names, loop ? loop->var->name : "position");

    positions->number[axis] = var_new(vars, VAR_VALUE, name);
    if (!positions->launch->run[axis] || !axis_digits_walk(positions, axis))
        return;
    name = names_unique(names, arena_printf(positions->arena, "%s_first", name));
    positions->number_first[axis] = var_new(vars, VAR_VALUE, name);
    for (int k = 0; k < AXIS_DIGITS; k++)
        positions->nothing[k] = var_new(vars, VAR_VALUE, name);
}

/* The variables of the digits of a whole axis. */
static void declare_digits(struct positions *positions, const struct node *node, enum axis axis, struct names *names,
                           struct vars *vars)
{
    static const char *const unnamed[] = {"bx", "by", "bz", "tx", "ty", "tz"};

    for (int k = AXIS_DIGITS - 1; k >= 0; k--) {
        const enum axis digit = axis_digit(axis, k);
        const struct node *loop = first_loop(node, digit);
        if (!positions->launch->extent[digit])
            continue;
        positions->at[digit] =
            var_new(vars, VAR_VALUE, names_unique(names, loop ? name_of(loop) : unnamed[axis - AXIS_BLOCK_X]));
    }
    if (positions->launch->run[axis] || axis_digits_walk(positions, axis))
        declare_number(positions, node, axis, names, vars);
}

void axis_digits_declare(struct positions *positions, const struct node *kernel, struct names *names, struct vars *vars)
{
    for (int axis = AXIS_THREAD_Z; axis >= AXIS_BLOCK_X; axis--)
        if (is_axis_digit(positions, (enum axis)axis) && !axis_digits_walk(positions, (enum axis)axis))
            declare_digits(positions, kernel, (enum axis)axis, names, vars);
}

void axis_digits_enter(struct positions *positions, const struct node *tuple, struct names *names, struct vars *vars)
{
    const enum axis axis = axis_whole(tuple->axis);
    struct launch *own = ARENA_NEW(positions->arena, struct launch);

    *own = *positions->launch;
    positions->launch = own;
    for (int k = 0; k < AXIS_DIGITS; k++) {
        const enum axis digit = axis_digit(axis, k);
        const struct node *loop = first_loop(tuple, digit);
        own->extent[digit] = positions_extent_below(positions, tuple, digit);
        positions->first[digit] = loop ? loop->lower : affine_constant(positions->arena, 0);
    }
    positions->walking[axis] = true;
    declare_digits(positions, tuple, axis, names, vars);
}

/* The position of the block, the first one of several. */
static const struct affine *number_of_block(const struct positions *positions, enum axis axis)
{
    const int64_t run = positions->launch->run[axis];

    return affine_scale(positions->arena, affine_var(positions->arena, positions->whole[axis]), run ? run : 1);
}

/* That of the thread, block being that of its block. */
static const struct affine *number_of_thread(const struct positions *positions, enum axis axis,
                                             const struct affine *block)
{
    const struct var *thread = positions->whole[positions->launch->threads_axis[axis]];

    if (!positions->launch->run[axis])
        return block;
    return affine_add(positions->arena, block, affine_var(positions->arena, thread));
}

const struct affine *axis_digits_first(const struct positions *positions, enum axis axis)
{
    return positions->walking[axis] ? affine_var(positions->arena, positions->number_first[axis])
                                    : number_of_block(positions, axis);
}

/* The digits of number, a position on an axis, the coarsest first; one of a single value is that value, unless it tells
 * where the positions end. */
static struct node *tuple_of(const struct positions *positions, enum axis axis, const struct var *number,
                             const struct var *const var[AXIS_DIGITS], const struct node *body)
{
    struct node *node = ARENA_NEW(positions->arena, struct node);
    struct part *part = ARENA_ARRAY(positions->arena, AXIS_DIGITS, struct part);
    const struct node **child = ARENA_ARRAY(positions->arena, 1, const struct node *);
    int n = 0;

    for (int k = AXIS_DIGITS - 1; k >= 0; k--) {
        const enum axis digit = axis_digit(axis, k);
        const struct affine *extent = positions->launch->extent[digit];
        int64_t values;
        if (n > 0 && extent && affine_is_constant(extent, &values) && values == 1)
            body = body ? node_substitute(positions->arena, body, var[k], positions->first[digit]) : NULL;
        else if (extent)
            part[n++] = (struct part){var[k], positions->first[digit], extent};
    }
    if (!body)
        return NULL;
    child[0] = body;
    *node = (struct node){
        .kind = NODE_TUPLE, .child = child, .n_child = 1, .var = number, .axis = axis, .part = part, .n_part = n};
    return node;
}

/* As the variables that stand for them; nothing uses those of the first one of a run. */
static struct node *digits_of(const struct positions *positions, enum axis axis, const struct var *number,
                              const struct node *body)
{
    const bool first = number == positions->number_first[axis];
    const struct var *var[AXIS_DIGITS];

    for (int k = 0; k < AXIS_DIGITS; k++)
        var[k] = first ? positions->nothing[k] : positions->at[axis_digit(axis, k)];
    return tuple_of(positions, axis, number, var, body);
}

const struct node *axis_digits_of(const struct positions *positions, enum axis axis, const struct var *number,
                                  const struct var *const digit[AXIS_DIGITS], const struct node *body)
{
    return body ? tuple_of(positions, axis, number, digit, body) : NULL;
}

/* Does body use a digit of the tuple? */
static bool uses_digits(const struct node *body, const struct node *tuple)
{
    for (int k = 0; k < tuple->n_part; k++)
        if (node_uses(body, tuple->part[k].var))
            return true;
    return false;
}

/* body, with the digits and where it is made of block and thread the number of the position in front. */
static const struct node *digits_in_front(const struct positions *positions, enum axis axis, const struct node *body,
                                          const struct affine *number)
{
    const struct node *tuple = digits_of(positions, axis, positions->number[axis], body);

    if (!tuple)
        return NULL;
    if (!uses_digits(tuple->child[0], tuple))
        return node_untold(positions->arena, tuple->child[0]);
    return positions->launch->run[axis] ? node_value(positions->arena, positions->number[axis], number, tuple) : tuple;
}

const struct node *axis_digits_in_front(const struct positions *positions, const struct node *body)
{
    for (int axis = AXIS_THREAD_Z; axis >= AXIS_BLOCK_X && body; axis--)
        if (is_axis_digit(positions, (enum axis)axis) && !axis_digits_walk(positions, (enum axis)axis))
            body = digits_in_front(positions, (enum axis)axis, body,
                                   number_of_thread(positions, (enum axis)axis,
                                                    number_of_block(positions, (enum axis)axis)));
    return body;
}

const struct node *axis_digits_walking(const struct positions *positions, enum axis axis, const struct node *body,
                                       bool together)
{
    const struct affine *block = number_of_block(positions, axis), *first;
    const bool apart = together && positions->launch->run[axis];
    struct node *loop;

    if (apart && body) {
        first = affine_var(positions->arena, positions->number_first[axis]);
        body = digits_in_front(positions, axis, body, number_of_thread(positions, axis, first));
    }
    if (!body)
        return NULL;
    loop = digits_of(positions, axis, apart ? positions->number_first[axis] : positions->number[axis], body);
    if (!loop)
        return NULL;
    loop->lower = apart ? block : number_of_thread(positions, axis, block);
    loop->step = positions->launch->run[axis] ? positions->launch->run[axis] : 1;
    return loop;
}
