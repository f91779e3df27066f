#include "lower/vector/strips.h"

#include "lower/vector/sums.h"
#include "tree/visit.h"

#include <stdlib.h>

/* Vectors that a loop of constant length is written out for. */
enum { MOST_UNROLLED = 8 };

const struct affine *vectors_distance(struct arena *arena, const struct node *loop)
{
    return loop->step > 0 ? affine_sub(arena, loop->upper, loop->lower) : affine_sub(arena, loop->lower, loop->upper);
}

/* How many iterations of the loop there are from the value first on. */
static const struct affine *left_from(struct vectors *vectors, const struct node *loop, const struct affine *first)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *distance = vectors_distance(arena, node_with_bounds(arena, loop, first, loop->upper));

    return distance ? affine_add_constant(arena, affine_floor(arena, distance, llabs(loop->step)), 1) : NULL;
}

/* What is known where lane 0 of a vector has the value base, and all its lanes are active; loops over vectors start at
 * the loop's first value. */
static struct facts facts_of_vector(struct vectors *vectors, const struct node *loop, const struct affine *base,
                                    bool all)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *left = all ? left_from(vectors, loop, base) : NULL;
    const struct affine *distance = affine_sub(arena, affine_var(arena, loop->var), loop->lower);
    struct facts facts = vectors_facts(vectors);

    if (affine_uses(base, loop->var)) {
        facts_enter_loop(&facts, loop);
        facts_assume_zero(&facts, affine_mod(arena, distance, vectors->lanes.n * llabs(loop->step)));
    }
    if (vectors->inner[1])
        facts_enter_loop(&facts, vectors->inner[1]);
    if (left)
        facts_assume(&facts, affine_add_constant(arena, left, -vectors->lanes.n));
    return facts;
}

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

/* The loop's body with its variable as base and as many steps as the lane's number, its lanes below count active. */
const struct node *vectors_lanes(struct vectors *vectors, const struct node *loop, const struct affine *base,
                                 const struct affine *count)
{
    struct arena *arena = vectors->lowering->arena;
    struct lanes *lanes = &vectors->lanes;
    const int taken = vectors->lowering->taken.used.n;
    const struct facts facts = facts_of_vector(vectors, loop, base, !count);
    const struct affine *value;

    if (count && affine_has_floor(count))
        count = affine_mark_plain(arena, count, non_negative, (void *)(uintptr_t)&facts);
    lanes->facts = &facts;
    lanes->lane = lower_new_var(vectors->lowering, VAR_LOOP, loop->var->name);
    lanes->count = count;
    if (!lanes->place && vectors->registers > 1)
        lanes->place = affine_constant(arena, 0);
    value = affine_add(arena, base, affine_scale(arena, affine_var(arena, lanes->lane), loop->step));
    const struct node *body = lanes_body(lanes, node_substitute(arena, vectors->body, loop->var, value));
    vectors->lowering->taken.used.n = taken;
    lanes->facts = NULL;
    return body;
}

static bool is_index(void *user, const struct affine *a)
{
    (void)user;
    (void)a;
    return true;
}

/* The registers of one step of the loop, all their lanes active, one after the other. */
static const struct node *step_of(struct vectors *vectors, const struct node *loop, const struct affine *base)
{
    struct arena *arena = vectors->lowering->arena;
    const int64_t lanes = vectors->lanes.n, last = lanes * (vectors->registers - 1);
    struct node *unrolled = ARENA_NEW(arena, struct node);
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    const struct affine *at;
    struct var *var;

    if (vectors->registers == 1)
        return vectors_lanes(vectors, loop, base, NULL);
    var = lower_new_var(vectors->lowering, VAR_LOOP,
                        names_unique(&vectors->lowering->taken, arena_printf(arena, "%s_v", loop->var->name)));
    var->narrow = true;
    var->high = last + lanes;
    at = affine_var(arena, var);
    vectors->lanes.place = affine_mark_plain(arena, affine_floor(arena, at, lanes), is_index, NULL);
    *unrolled = (struct node){.kind = NODE_LOOP,
                              .var = var,
                              .lower = affine_constant(arena, 0),
                              .upper = affine_constant(arena, last + lanes - 1),
                              .step = lanes,
                              .unroll = vectors->registers,
                              .child = child,
                              .n_child = 1};
    vectors->inner[1] = unrolled;
    child[0] = vectors_lanes(vectors, loop, affine_add(arena, base, affine_scale(arena, at, loop->step)), NULL);
    vectors->inner[1] = NULL;
    vectors->lanes.place = NULL;
    return !child[0] || node_is_empty(child[0]) ? child[0] : unrolled;
}

/* A copy of loop that takes so many iterations at a time, from first to last, with this body. */
static const struct node *over_vectors(struct vectors *vectors, const struct node *loop, const struct affine *first,
                                       const struct affine *last, int64_t lanes, const struct node *body)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    if (!body || !first || !last)
        return NULL;
    if (node_is_empty(body))
        return body;
    *copy = *loop;
    copy->step = loop->step * lanes;
    copy->lower = first;
    copy->upper = last;
    copy->unroll = 0;
    return node_with_body(vectors->lowering->arena, copy, body);
}

struct asking {
    const struct simd *simd;
    int lanes;
    bool lacks;
};

static void ask_element(struct asking *asking, const struct element *element, enum vector_op op)
{
    const struct simd_type *type =
        element->array ? simd_type_of(asking->simd, type_in_lanes(element->array->type), asking->lanes) : NULL;

    if (type && element->lane_step != 0 && element->lane_step != 1 && !type->row[op])
        asking->lacks = true;
}

static void ask_load(const struct tree_expr *expr, void *user)
{
    const bool is_long = expr->n_arg > 0 && expr->arg[0]->type == TYPE_I64;

    if (expr->kind == TREE_LOAD)
        ask_element(user, &expr->element, is_long ? VECTOR_GATHER_LONG_MASK : VECTOR_GATHER_MASK);
}

static void ask_node(const struct node *node, void *user)
{
    const bool is_long = node->target.distance && node->target.distance->type == TYPE_I64;

    if (node->kind == NODE_ASSIGN && node->vector)
        ask_element(user, &node->target, is_long ? VECTOR_SCATTER_LONG_MASK : VECTOR_SCATTER_MASK);
    tree_expr_for_each(node->value, ask_load, user);
    tree_expr_for_each(node->guard_value, ask_load, user);
}

/* Can all elements that are not side by side in body be loaded and stored under masks? */
static bool masks_apart(const struct vectors *vectors, const struct node *body)
{
    struct asking asking = {vectors->lanes.simd, vectors->lanes.n, false};

    if (body)
        node_for_each(body, ask_node, &asking);
    return !asking.lacks;
}

/* Can the values be loaded and stored in a part of the lanes? */
static bool has_masks(const struct vectors *vectors)
{
    for (int k = 0; k < vectors->types.n; k++) {
        const struct simd_type *type = simd_type_of(vectors->lanes.simd, vectors->types.type[k], vectors->lanes.n);
        if (vectors->tail == TAIL_PEEL)
            return false;
        if (!type || !type->row[VECTOR_LOAD_MASK] || !type->row[VECTOR_STORE_MASK])
            return false;
    }
    return true;
}

/* The iterations from first on, without vectors. */
static const struct node *one_by_one(struct vectors *vectors, const struct node *loop, const struct affine *first)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    *copy = *loop;
    copy->child = vectors->scalar->child;
    copy->local = vectors->scalar->local;
    copy->n_local = vectors->scalar->n_local;
    copy->unroll = 0;
    copy->lower = first;
    return first ? copy : NULL;
}

/* The parts of a loop: over whole steps, and the rest in vectors with masks, or one by one. NULL: there is none; a
 * block of nothing: nothing of the loop runs there. */
struct strip {
    const struct node *whole, *rest, *scalar;
};

/* The strip as one node, with the sums that it collects around what is in vectors. */
static const struct node *joined(struct vectors *vectors, struct strip strip)
{
    struct arena *arena = vectors->lowering->arena;
    const struct node *part[2];
    int n = 0;

    if (vectors->lanes.refused)
        return NULL;
    if (strip.whole)
        part[n++] = strip.whole;
    if (strip.rest)
        part[n++] = strip.rest;
    const struct node *node = n ? node_block(arena, part, n) : NULL;
    for (int k = vectors->lanes.sums.n - 1; k >= 0 && node && !node_is_empty(node); k--) {
        const struct lane_sum *sum = &vectors->lanes.sums.at[k];
        node = sums_around(vectors->lowering, sum, vectors->lanes.n, vectors->registers, node);
    }
    if (!strip.scalar || !node)
        return strip.scalar ? strip.scalar : node;
    return node_block(arena, (const struct node *[]){node, strip.scalar}, 2);
}

/* loop, of n steps, as the compiler is to unroll it when they are few. */
static const struct node *unrolled(struct vectors *vectors, int64_t n, const struct node *loop)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    if (!loop || node_is_empty(loop) || loop->threads || n > MOST_UNROLLED)
        return loop;
    *copy = *loop;
    copy->unroll = n;
    return copy;
}

static const struct node *refuse_rest(struct vectors *vectors, const struct node *loop)
{
    return lanes_refuse(&vectors->lanes, "state the divisibility in `assume`, or use another `tail`",
                        arena_printf(vectors->lowering->arena, "vectors of %d lanes do not divide the loop `%s`",
                                     vectors->lanes.n * vectors->registers, loop->info->name));
}

/* More iterations than lanes: a loop over vectors, the last of them partial if need be. */
const struct node *vectors_short_strip(struct vectors *vectors, const struct node *loop, int64_t n)
{
    struct arena *arena = vectors->lowering->arena;
    const int64_t lanes = vectors->lanes.n, step = lanes * vectors->registers, whole = n / step * step;
    const struct affine *rest = affine_add_constant(arena, loop->lower, whole * loop->step);
    const struct affine *var = affine_var(arena, loop->var);
    const struct affine *left = left_from(vectors, loop, var);
    struct strip strip = {NULL, NULL, NULL};

    if (whole < n && vectors->tail == TAIL_EXACT)
        return refuse_rest(vectors, loop);
    vectors->inner[0] = loop;
    if (whole == step)
        strip.whole = step_of(vectors, loop, loop->lower);
    else if (whole > 0)
        strip.whole = unrolled(vectors, whole / step,
                               over_vectors(vectors, loop, loop->lower, affine_add_constant(arena, rest, -loop->step),
                                            step, step_of(vectors, loop, var)));
    if (whole < n && (!has_masks(vectors) || !masks_apart(vectors, strip.whole)))
        strip.scalar = one_by_one(vectors, loop, rest);
    else if (n - whole > lanes)
        strip.rest = over_vectors(vectors, loop, rest, loop->upper, lanes, vectors_lanes(vectors, loop, var, left));
    else if (whole < n)
        strip.rest = vectors_lanes(vectors, loop, rest, affine_constant(arena, n - whole));
    if (strip.rest && loop->comment)
        strip.rest = node_with_comment(arena, strip.rest, loop->comment);
    return joined(vectors, strip);
}

/* lower + what whole steps of the vectors there are up to upper take: where the rest starts. */
static const struct affine *rest_start(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const int64_t step = (int64_t)vectors->lanes.n * vectors->registers;
    const struct affine *n = left_from(vectors, loop, loop->lower);

    return affine_add(arena, loop->lower, affine_scale(arena, affine_floor(arena, n, step), step * loop->step));
}

const struct node *vectors_if_any(struct vectors *vectors, const struct node *loop, int64_t least,
                                  const struct node *node)
{
    struct arena *arena = vectors->lowering->arena;
    struct condition *some = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct facts facts = vectors_facts(vectors);

    *some = (struct condition){vectors_distance(arena, loop), false};
    *guard = (struct guard){some, 1};
    return !node || facts_imply(&facts, affine_add_constant(arena, some->affine, least))
               ? node
               : node_if(arena, guard, 1, node);
}

/* The loop over the rest with its start as C divides. */
static const struct node *plain_start(struct vectors *vectors, const struct node *loop, const struct node *rest)
{
    struct facts facts = vectors_facts(vectors);
    const struct affine *runs = affine_sub(vectors->lowering->arena, loop->upper, loop->lower);

    facts_assume(&facts, loop->step > 0 ? runs : affine_scale(vectors->lowering->arena, runs, -1));
    return node_with_bounds(vectors->lowering->arena, rest,
                            affine_mark_plain(vectors->lowering->arena, rest->lower, non_negative, &facts),
                            rest->upper);
}

/* The loop over the rest, which has the variable of the loop in front of it. */
static const struct node *continuing(struct arena *arena, const struct node *rest, bool once)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *rest;
    copy->continues = true;
    copy->once = once;
    return copy;
}

/* One vector is nothing to share. */
static const struct node *without_threads(struct arena *arena, const struct node *loop)
{
    struct node *copy = ARENA_NEW(arena, struct node);

    *copy = *loop;
    copy->threads = NULL;
    copy->comment = NULL;
    return copy;
}

/* Has the loop as many iterations as a step, at most? */
static bool fits_one(struct vectors *vectors, const struct node *loop, int64_t step)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *distance = vectors_distance(arena, loop);
    const struct facts facts = vectors_facts(vectors);

    return distance && facts_imply(&facts, affine_add_constant(arena, affine_scale(arena, distance, -1),
                                                               step * llabs(loop->step) - 1));
}

/* The loop in one vector, a part of whose lanes may run. */
static const struct node *one_vector(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const bool literal = affine_is_constant(loop->lower, NULL);
    const struct affine *first = literal ? loop->lower : affine_var(arena, loop->var);
    const struct affine *left = left_from(vectors, loop, first);
    struct strip strip = {NULL, NULL, NULL};
    const struct node *body;

    vectors->registers = 1;
    strip.rest = vectors_lanes(vectors, loop, first, left);
    body = strip.rest ? joined(vectors, strip) : NULL;
    body = body ? vectors_if_any(vectors, loop, 0, body) : NULL;
    body = body && !literal ? node_value(arena, loop->var, loop->lower, body) : body;
    return body ? node_with_comment(arena, body, loop->comment) : NULL;
}

/* Has every step of the loop all its iterations? */
static bool is_exact(struct vectors *vectors, const struct node *loop, int64_t step)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *n = left_from(vectors, loop, loop->lower);
    const struct condition none_left = {n ? affine_mod(arena, n, step) : NULL, true};
    const struct facts facts = vectors_facts(vectors);

    return none_left.affine && facts_imply_condition(&facts, &none_left);
}

/* The same for a number of iterations that is known at run time only; sums are under a condition as a whole. Where no
 * step over several registers is ever full, a step is one register. */
const struct node *vectors_long_strip(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const int64_t lanes = vectors->lanes.n, step = lanes * vectors->registers;
    const struct affine *var = affine_var(arena, loop->var), *start = rest_start(vectors, loop);
    const struct affine *left = left_from(vectors, loop, var);
    const bool sums = vectors->lanes.sums.n > 0;
    const bool exact = is_exact(vectors, loop, step);
    bool masks = has_masks(vectors);
    const struct node *rest;
    struct strip strip = {NULL, NULL, NULL};

    if (vectors->tail == TAIL_PEEL && fits_one(vectors, loop, step))
        return one_by_one(vectors, loop, loop->lower);
    if (vectors->tail == TAIL_EXACT && !exact)
        return refuse_rest(vectors, loop);
    if (vectors->registers > 1 && fits_one(vectors, loop, step - 1)) {
        vectors->registers = 1;
        return vectors_long_strip(vectors, loop);
    }
    vectors->inner[0] = loop;
    strip.whole =
        over_vectors(vectors, loop, loop->lower, affine_add_constant(arena, loop->upper, (1 - step) * loop->step), step,
                     step_of(vectors, loop, var));
    if (exact)
        return sums ? vectors_if_any(vectors, loop, 0, joined(vectors, strip)) : joined(vectors, strip);
    masks = masks && masks_apart(vectors, strip.whole);
    if (strip.whole && fits_one(vectors, loop, masks ? lanes : lanes - 1))
        return masks ? one_vector(vectors, loop) : one_by_one(vectors, loop, loop->lower);
    rest = masks ? over_vectors(vectors, loop, start, loop->upper, lanes, vectors_lanes(vectors, loop, var, left))
                 : one_by_one(vectors, loop, start);
    if (!strip.whole || !rest)
        return NULL;
    if (loop->threads || (sums && !masks) || node_is_empty(strip.whole)) {
        rest = plain_start(vectors, loop, without_threads(arena, rest));
        rest = rest && !sums ? vectors_if_any(vectors, loop, 1, rest) : rest;
    } else {
        rest = continuing(arena, rest, masks && vectors->registers == 1);
    }
    rest = rest ? node_with_comment(arena, rest, arena_printf(arena, "tail of %s", loop->var->name)) : NULL;
    *(masks ? &strip.rest : &strip.scalar) = rest;
    return sums ? vectors_if_any(vectors, loop, 0, joined(vectors, strip)) : joined(vectors, strip);
}
