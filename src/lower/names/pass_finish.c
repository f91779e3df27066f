/* Pass "finish": the facts that printers need. Loop variables proved to fit an int are marked, and floor
 * divisions of what is never negative, which C's `/` and `%` round the same way. */
#include "lower/facts/descend.h"
#include "lower/facts/facts.h"
#include "lower/facts/mark.h"

#include "caps/gpu.h"
#include "caps/simd.h"
#include "plan/loop_plan.h"
#include "tree/visit.h"

/* Bounds that leave room for the arithmetic of subscripts in int. */
enum { NARROW = 1 << 24 };

/* Every value of the loop is within +-NARROW. */
static bool is_narrow(const struct facts *inside, const struct node *loop)
{
    struct arena *arena = inside->lowering->arena;
    const struct affine *var = affine_var(arena, loop->var);

    return facts_imply(inside, affine_add_constant(arena, affine_scale(arena, var, -1), NARROW)) &&
           facts_imply(inside, affine_add_constant(arena, var, NARROW));
}

struct range {
    int64_t low, high;
};

static struct range range_of(const struct affine *a);

static struct range range_of_atom(const struct atom *atom)
{
    struct range range;

    if (atom->kind == ATOM_VAR)
        return (struct range){atom->var->low, atom->var->high};
    range = range_of(atom->arg[0]);
    if (atom->kind == ATOM_FLOOR)
        return (struct range){floor_div(range.low, atom->divisor), floor_div(range.high, atom->divisor)};
    for (int k = 1; k < atom->n_arg; k++) {
        const struct range next = range_of(atom->arg[k]);
        const bool lower = next.low<range.low, higher = next.high> range.high;
        range.low = lower == (atom->kind == ATOM_MIN) ? next.low : range.low;
        range.high = higher == (atom->kind == ATOM_MAX) ? next.high : range.high;
    }
    return range;
}

/* Where a can be, when its variables are where they can be; they are within +-NARROW. */
static struct range range_of(const struct affine *a)
{
    struct range sum = {a->constant, a->constant};

    for (int k = 0; k < a->n_term; k++) {
        const struct range atom = range_of_atom(a->term[k].atom);
        const int64_t factor = a->term[k].factor;
        sum.low += factor * (factor > 0 ? atom.low : atom.high);
        sum.high += factor * (factor > 0 ? atom.high : atom.low);
    }
    return sum;
}

static bool lacks_range(const struct var *var, const void *user)
{
    (void)user;
    return !var->narrow || (!var->low && !var->high);
}

/* Is it a constant, or made of variables with known ranges? */
static bool has_range(const struct affine *a)
{
    return !affine_any_var(a, lacks_range, NULL);
}

static void set_range(const struct node *loop, struct var *var)
{
    struct range first, last;

    var->low = -NARROW;
    var->high = NARROW;
    if (!has_range(loop->lower) || !has_range(loop->upper))
        return;
    first = range_of(loop->lower);
    last = range_of(loop->upper);
    var->low = loop->step > 0 ? first.low : last.low;
    var->high = loop->step > 0 ? last.high : first.high;
}

/* Does OpenMP number the iterations: in the type of the loop's end, which the variable must then have? */
static bool is_numbered(const struct program *program, const struct node *loop)
{
    const bool simd = loop->info && loop->info->plan && loop->info->plan->vector && !simd_by_name(program->target.simd);

    return loop->threads || (simd && !(affine_is_constant(loop->lower, NULL) && affine_is_constant(loop->upper, NULL)));
}

/* Only an inner part, a loop over a buffer, or a loop whose bounds have known ranges, is worth asking about: and in a
 * GPU's threads, for which quotients of 64 bits are many instructions, all loops. */
static bool may_be_narrow(const struct program *program, const struct node *loop)
{
    const bool ranges = has_range(loop->lower) && has_range(loop->upper);
    const bool threads = gpu_by_language(program->target.language) && loop->axis == AXIS_NONE;

    return ranges || ((loop->info->outer || loop->info->is_copy || threads) && !is_numbered(program, loop));
}

static const struct node *finish(const struct facts *facts, const struct node *node, void *user);

/* A copy of a loop or value with a variable of its own, numbered from the outside in: terms of subscripts are
 * printed in that order. */
static struct node *renumbered(struct lowering *lowering, const struct node *node, struct var **var)
{
    struct node *copy = ARENA_NEW(lowering->arena, struct node);
    const struct node **child = ARENA_ARRAY(lowering->arena, 1, const struct node *);

    *var = lower_new_var(lowering, node->var->kind, node->var->name);
    child[0] = node_substitute(lowering->arena, node->child[0], node->var, affine_var(lowering->arena, *var));
    *copy = *node;
    copy->var = *var;
    copy->child = child;
    return child[0] ? copy : NULL;
}

/* A loop of copies goes on to the end of the elements that its last iteration copies: i < 8 for i = 0, 4. */
static const struct node *to_whole_step(struct arena *arena, const struct node *loop)
{
    int64_t first, last;

    if (!loop->info || !loop->info->is_copy || loop->step <= 1 || !affine_is_constant(loop->lower, &first) ||
        !affine_is_constant(loop->upper, &last) || (last - first) % loop->step != 0)
        return loop;
    return node_with_bounds(arena, loop, loop->lower, affine_add_constant(arena, loop->upper, loop->step - 1));
}

static const struct node *finish_loop(const struct facts *facts, const struct node *node)
{
    struct facts inside = *facts;
    struct var *var;
    const struct node *loop = renumbered(facts->lowering, node, &var), *body = NULL;

    if (loop) {
        facts_enter_loop(&inside, loop);
        var->narrow = may_be_narrow(facts->lowering->program, loop) && is_narrow(&inside, loop);
        if (var->narrow)
            set_range(loop, var);
        body = finish(&inside, loop->child[0], NULL);
    }
    loop = body ? node_with_body(facts->lowering->arena, loop, body) : NULL;
    return loop ? to_whole_step(facts->lowering->arena, loop) : NULL;
}

static const struct node *finish_value(const struct facts *facts, const struct node *node)
{
    struct facts inside = *facts;
    struct var *var;
    const struct node *value = renumbered(facts->lowering, node, &var), *body = NULL;

    if (value) {
        facts_enter_value(&inside, value);
        body = finish(&inside, value->child[0], NULL);
    }
    return body ? node_with_body(facts->lowering->arena, value, body) : NULL;
}

static const struct node *finish(const struct facts *facts, const struct node *node, void *user)
{
    node = mark_own_plain(facts, node);
    if (!node || node->n_child == 0)
        return node;
    if (node->kind == NODE_LOOP)
        return finish_loop(facts, node);
    return node->kind == NODE_VALUE ? finish_value(facts, node) : descend(facts, node, finish, user);
}

const struct node *lower_finish(struct lowering *lowering, const struct node *tree)
{
    struct facts facts = facts_of_program(lowering);
    const struct node *finished = finish(&facts, tree, NULL);

    return finished;
}
