#include "lower/threads/hints.h"

#include "base/diag.h"
#include "lower/threads/uses.h"
#include "plan/loop_plan.h"
#include "program/program.h"
#include "tree/visit.h"

#include <stdlib.h>
#include <string.h>

struct hints {
    struct arena *arena;
    struct diags *diags;
    VEC(const struct step *) found;  /* steps whose loop is in the tree */
    VEC(const struct node *) around; /* loops, outermost first */
    bool refused;
};

/* Once: a loop may be there in several copies. */
static void refuse_hinted(struct hints *hints, const struct step *step, const char *name, const char *why,
                          const char *help)
{
    struct diag *diag;

    if (!hints->refused) {
        diag = diag_error(hints->diags, step->primitive->name, step->place, "`%s` %s", name, why);
        if (help)
            diag_hint(hints->diags, diag, "%s", help);
    }
    hints->refused = true;
}

static void refuse(struct hints *hints, const struct step *step, const char *name, const char *why)
{
    refuse_hinted(hints, step, name, why, NULL);
}

/* The loop's value `ahead` iterations later, at most its last one; NULL: it has no 64 bits. */
static const struct affine *later(struct arena *arena, const struct node *loop, int64_t ahead)
{
    const struct affine *distance = affine_scale(arena, affine_constant(arena, ahead), loop->step);
    const struct affine *value[2] = {affine_add(arena, affine_var(arena, loop->var), distance), loop->upper};

    if (!value[0])
        return NULL;
    return affine_extreme(arena, loop->step < 0 ? ATOM_MAX : ATOM_MIN, value, 2);
}

/* How far ahead, in each subscript, an element may be that is asked for without regard to where its array ends. */
enum { FURTHER_MAX = 1 << 12 };

/* What its subscripts grow by while loop goes on by so many iterations; NULL: they do not, or not evenly. */
static const int64_t *growth(struct arena *arena, const struct element *element, const struct node *loop, int64_t ahead)
{
    int64_t *by = ARENA_ARRAY(arena, element->array->n_dim, int64_t);
    const struct affine *value =
        affine_add(arena, affine_var(arena, loop->var), affine_scale(arena, affine_constant(arena, ahead), loop->step));
    bool grows = false;

    for (int k = 0; k < element->array->n_dim; k++) {
        const struct affine *then = affine_substitute(arena, element->index[k], loop->var, value);
        if (!affine_is_constant(affine_sub(arena, then, element->index[k]), &by[k]) || by[k] > FURTHER_MAX ||
            by[k] < -FURTHER_MAX)
            return NULL;
        grows |= by[k] != 0;
    }
    return grows ? by : NULL;
}

/* That of the first lane, by itself. */
static struct element first_of_lanes(const struct element *element)
{
    return (struct element){.array = element->array,
                            .index = element->index,
                            .indirect = element->indirect,
                            .base = element->base};
}

static const struct node *prefetch(struct arena *arena, const struct element *element, const int64_t *further,
                                   const struct loop_hint *hint)
{
    struct node *node = ARENA_NEW(arena, struct node);

    *node = (struct node){.kind = NODE_PREFETCH,
                          .target = first_of_lanes(element),
                          .further = further,
                          .will_write = hint->write,
                          .locality = (int)hint->locality};
    return node;
}

/* Does the element go on by at most one place with var, within its row? */
static bool goes_along(const struct element *element, const struct var *var)
{
    const int last = element->array->n_dim - 1;

    for (int k = 0; k < last; k++)
        if (affine_uses(element->index[k], var))
            return false;
    return llabs(affine_factor(element->index[last], var)) <= 1;
}

/* Are the nodes, n of them, prefetches of elements that go along with the strip? */
static bool all_along(const struct node *strip, const struct node *const *part, int n)
{
    for (int k = 0; k < n; k++)
        if (part[k]->kind != NODE_PREFETCH || !goes_along(&part[k]->target, strip->var))
            return false;
    return true;
}

/* How far a loop over the strip goes from one prefetch to the next: a line, or a vector where that is longer. */
static int64_t line_step(const struct node *strip, const struct array *array)
{
    const int64_t line = LINE_BITS / type_bits(array->type);
    int64_t last;

    return affine_is_constant(strip->upper, &last) && line % strip->step == 0 && (last + 1) % line == 0 ? line
                                                                                                        : strip->step;
}

/* The prefetches, n of them, for all iterations of the strip; lines, unless 0: for at most so many lines of a row, and
 * for one row. */
static const struct node *over_strip(struct arena *arena, const struct node *strip, const struct node *const *part,
                                     int n, int64_t lines)
{
    const struct node *body = node_block(arena, part, n);
    struct node *copy = ARENA_NEW(arena, struct node);
    const bool along = all_along(strip, part, n);

    *copy = *strip;
    copy->info = NULL;
    copy->comment = NULL;
    copy->step = along ? line_step(strip, part[0]->target.array) : strip->step;
    copy->unroll = copy->unroll * strip->step / copy->step;
    if (lines > 0 && (!along || lines < copy->unroll)) {
        copy->unroll = along ? lines : 1;
        copy->upper = affine_add_constant(arena, copy->lower, copy->unroll * copy->step - 1);
    }
    return copy->unroll > 1 ? node_with_body(arena, copy, body)
                            : node_substitute(arena, body, strip->var, strip->lower);
}

/* Puts the nodes, n of them, that depend on the strip into one loop over it; returns their number. */
static int for_strip(struct arena *arena, const struct node *strip, const struct node **part, int n, int64_t lines)
{
    const struct node **inside = ARENA_ARRAY(arena, n, const struct node *);
    int n_inside = 0, n_part = 0;

    for (int k = 0; k < n; k++)
        if (node_uses(part[k], strip->var))
            inside[n_inside++] = part[k];
        else
            part[n_part++] = part[k];
    if (n_inside > 0)
        part[n_part++] = over_strip(arena, strip, inside, n_inside, lines);
    return n_part;
}

/* body with the nodes in front of it, behind the values that it names. */
static const struct node *in_front(struct arena *arena, const struct node *const *before, int n,
                                   const struct node *body)
{
    const struct node **part = ARENA_ARRAY(arena, n + 1, const struct node *);

    if (body->kind == NODE_VALUE)
        return node_with_body(arena, body, in_front(arena, before, n, body->child[0]));
    for (int k = 0; k < n; k++)
        part[k] = before[k];
    part[n] = body;
    return node_block(arena, part, n + 1);
}

/* The loop whose later iterations the hint at loop means; NULL: it is none here. */
static const struct node *ahead_of(const struct hints *hints, const struct node *loop, const struct loop_hint *hint)
{
    for (int k = hints->around.n - 1; hint->of && k >= 0; k--)
        if (hints->around.at[k]->info && hints->around.at[k]->info->id == hint->of->id)
            return hints->around.at[k];
    return hint->of ? NULL : loop;
}

/* Puts into part what asks for uses of loop itself some iterations later, and returns how many; uses that do not go on
 * evenly stay. */
static int evenly(struct uses *uses, const struct node *loop, const struct loop_hint *hint, const struct node **part)
{
    struct arena *arena = uses->arena;
    const int n = uses->element.n;
    int n_part = 0;

    uses->element.n = 0;
    for (int k = 0; k < n; k++) {
        const struct element *element = &uses->element.at[k];
        const int64_t *further = growth(arena, element, loop, hint->ahead);
        if (further)
            part[n_part++] = prefetch(arena, element, further, hint);
        else
            uses->element.at[uses->element.n++] = *element;
    }
    return n_part;
}

/* There are no elements that could be asked for. */
static void refuse_uses(struct hints *hints, const struct loop_hint *hint, const struct uses *uses)
{
    const struct node *anew = uses->anew;
    const char *why = "is not in memory that the iterations of this loop use";

    if (anew)
        why = anew->kind == NODE_LOOP && anew->info
                  ? arena_printf(hints->arena, "is a new one in each iteration of `%s`, inside of this loop",
                                 anew->info->name)
                  : "is a new one in each iteration of this loop";
    else if (uses->by_data)
        why = "has elements here that data choose, and these are not known ahead";
    refuse_hinted(hints, hint->step, hint->array, why,
                  anew ? "what can be asked for ahead is what it is copied from" : NULL);
}

static const struct node *with_prefetch(struct hints *hints, const struct node *loop, const struct loop_hint *hint,
                                        const struct node *of)
{
    struct arena *arena = hints->arena;
    struct uses uses = {.arena = arena, .array = hint->array};
    const struct affine *value = later(arena, of, hint->ahead);
    const struct node **part;
    int n;

    uses_collect(&uses, loop->child[0]);
    if (uses.element.n == 0) {
        refuse_uses(hints, hint, &uses);
        return loop;
    }
    if (!value) {
        refuse(hints, hint->step, of->info->name, "has no 64-bit value this far ahead");
        return loop;
    }
    part = ARENA_ARRAY(arena, uses.element.n, const struct node *);
    n = of == loop ? evenly(&uses, loop, hint, part) : 0;
    uses_substitute(&uses, 0, of->var, value);
    for (int k = 0; k < uses.element.n; k++)
        part[n++] = prefetch(arena, &uses.element.at[k], NULL, hint);
    for (int k = 0; k < uses.strip.n; k++)
        n = for_strip(arena, uses.strip.at[k], part, n, hint->lines);
    return node_with_body(arena, loop, in_front(arena, part, n, loop->child[0]));
}

/* As "GCC unroll 2" and "GCC unroll 4", or "clang loop unroll(full)" and "clang loop unroll(disable)": a loop takes
 * one of them. */
static bool same_directive(const char *a, const char *b)
{
    const size_t size = strcspn(a, "(0123456789");

    return strncmp(a, b, size) == 0 && strcspn(b, "(0123456789") == size;
}

static bool has_directive(const struct node *loop, const char *text)
{
    bool found = loop->unroll > 0 && same_directive("GCC unroll ", text);

    for (int k = 0; k < loop->n_pragma; k++)
        found = found || same_directive(loop->pragma[k], text);
    return found;
}

static const struct node *with_pragma(struct hints *hints, const struct node *loop, const struct loop_hint *hint)
{
    struct node *copy = ARENA_NEW(hints->arena, struct node);
    const char **pragma = ARENA_ARRAY(hints->arena, loop->n_pragma + 1, const char *);

    if (loop->threads || loop->simd) {
        refuse(hints, hint->step, loop->info->name,
               loop->threads ? "is a parallel loop, which has a pragma already"
                             : "is in the compiler's vectors, which have a pragma already");
        return loop;
    }
    if (has_directive(loop, hint->pragma)) {
        refuse(hints, hint->step, loop->info->name, "has such a pragma already");
        return loop;
    }
    for (int k = 0; k < loop->n_pragma; k++)
        pragma[k] = loop->pragma[k];
    pragma[loop->n_pragma] = hint->pragma;
    *copy = *loop;
    copy->pragma = pragma;
    copy->n_pragma++;
    return copy;
}

static const struct node *hinted_loop(struct hints *hints, const struct node *loop, const struct loop_hint *hint)
{
    const struct node *of;

    if (!hint)
        return loop;
    loop = hinted_loop(hints, loop, hint->before);
    of = ahead_of(hints, loop, hint);
    if (!of)
        return loop;
    VEC_PUSH(hints->arena, &hints->found, hint->step);
    return hint->pragma ? with_pragma(hints, loop, hint) : with_prefetch(hints, loop, hint, of);
}

static const struct node *walk(struct hints *hints, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(hints->arena, node->n_child + 1, const struct node *);
    const int n_around = hints->around.n;

    if (node->kind == NODE_LOOP && !node->once)
        VEC_PUSH(hints->arena, &hints->around, node);
    for (int k = 0; k < node->n_child; k++)
        child[k] = walk(hints, node->child[k]);
    hints->around.n = n_around;
    node = node->n_child ? node_with_children(hints->arena, node, child) : node;
    return node->kind == NODE_LOOP && node->info && node->info->plan && !node->once
               ? hinted_loop(hints, node, node->info->plan->hints)
               : node;
}

static bool was_found(const struct hints *hints, const struct step *step)
{
    for (int k = 0; k < hints->found.n; k++)
        if (hints->found.at[k] == step)
            return true;
    return false;
}

/* Every hint must have found a loop. */
static void check_found(struct hints *hints, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    for (const struct loop_hint *hint = plan ? plan->hints : NULL; hint && !hints->refused; hint = hint->before)
        if (!was_found(hints, hint->step))
            refuse(hints, hint->step, hint->of ? hint->of->name : order->info->name,
                   "is no loop in the emitted code: it is written out, or one vector, or one iteration");
    for (int k = 0; k < order->n_child; k++)
        check_found(hints, order->child[k]);
}

enum status lower_hints(struct arena *arena, const struct order *order, struct diags *diags, const struct node *tree,
                        const struct node **hinted)
{
    struct hints hints = {.arena = arena, .diags = diags};

    *hinted = walk(&hints, tree);
    check_found(&hints, order);
    return hints.refused ? STATUS_REFUSED : STATUS_OK;
}
