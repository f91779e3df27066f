/* Asynchronous copies: nothing looks at one before its thread has waited for it.
 *
 * A walk through a kernel, as a thread goes, with the copies that may be under way:
 *
 *     xs[0] = x[0]  (asynchronous)           xs[0]
 *     for (k = 0; k < K; k++) {              at first xs[0], then what the iteration before left, xs[k % 2]
 *         wait                               none
 *         xs[(k + 1) % 2] = x[k + 1]         xs[(k + 1) % 2]
 *         .. = xs[k % 2]                     another element, whatever k is
 *     }
 * A wait that leaves the latest groups of copies leaves those since whose start no more were closed. Until then nothing
 * reads what the copy writes, nor writes what it reads. Subscripts are compared in dimensions where all threads of a
 * block have the same, so that it holds for the copies of other threads, too.
 *
 * Conditions are compared as they are written, without isl. A violation found here may therefore be none: it is noted
 * as a doubt, and values' flow decides.
 */
#include "tree/verifier.h"

#include "program/program.h"
#include "tree/visit.h"

/* Of a copy that is started under different conditions the walk keeps ALIKE entries; the last one keeps what the others
 * have in common. More groups than MOST_CLOSED are no wait's to leave. */
enum { ALIKE = 4, MOST_CLOSED = 64, MOST_EACH = 64 /* iterations that are gone through one by one, of nested loops */ };

/* A copy that may be under way. */
struct under_way {
    const struct element *target, *source;
    const struct affine *const *index; /* of the target, in variables that are bound at the place; an entry NULL: not
                                        * known there */
    bool several;                      /* neighbours along the last dimension */
    int depth;                         /* number of loops around where it was started */
    int carried;                       /* so many iterations of the loop around that is gone through */
    int closed;                        /* so many groups since its start */
    VEC(const struct affine *) under;  /* >= 0, all of them, where it was started */
};

struct copies {
    struct verifier *verifier;
    const struct affine **value;      /* by identity: of a VALUE around, or NULL */
    VEC(const struct affine *) under; /* >= 0 at the place */
    int depth;                        /* number of loops around it */
    int each;                         /* iterations of those around that are gone through one by one */
    VEC(struct under_way) at;
};

/* a with the values of names in their place. */
static const struct affine *valued(const struct copies *copies, const struct affine *a)
{
    const struct vars *vars = copies->verifier->vars;

    for (int id = vars->all.n - 1; id >= 0 && a; id--)
        if (copies->value[id] && affine_uses(a, vars->all.at[id]))
            a = affine_substitute(vars->arena, a, vars->all.at[id], copies->value[id]);
    return a;
}

/* The same; NULL: threads of a block may have different ones. */
static const struct affine *common_value(const struct copies *copies, const struct affine *a)
{
    a = valued(copies, a);
    return a && !verify_affine_differs(copies->verifier, a) ? a : NULL;
}

/* Are they different for all values of their variables? Then the difference is a constant, or no multiple of what
 * divides its factors, as k + 1 - 2 * .. - (k - 2 * ..) is. */
static bool never_equal(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const struct affine *difference = a && b ? affine_sub(arena, a, b) : NULL;
    const int64_t divisor = difference ? affine_gcd(difference) : 1;

    return difference && (divisor == 0 ? difference->constant != 0 : difference->constant % divisor != 0);
}

/* Is the element another one than those that the copy writes? */
static bool is_apart(const struct copies *copies, const struct under_way *copy, const struct element *element)
{
    const int n = element->array->n_dim - (copy->several ? 1 : 0);

    for (int k = 0; k < n; k++)
        if (never_equal(copies->verifier->vars->arena, copy->index[k], common_value(copies, element->index[k])))
            return true;
    return false;
}

static void check_read(const struct tree_expr *expr, void *user)
{
    struct copies *copies = user;

    for (int k = 0; k < copies->at.n && expr->kind == TREE_LOAD; k++)
        if (copies->at.at[k].target->array == expr->element.array &&
            !is_apart(copies, &copies->at.at[k], &expr->element))
            verifier_doubt(copies->verifier, "what is copied asynchronously is read before it was waited for");
}

static void check_write(struct copies *copies, const struct element *element)
{
    for (int k = 0; k < copies->at.n; k++)
        if (copies->at.at[k].source->array == element->array)
            verifier_doubt(copies->verifier, "what is copied asynchronously is written before it was waited for");
}

static bool is_same(const struct under_way *a, const struct under_way *b)
{
    bool same = a->target->array == b->target->array && a->source->array == b->source->array;

    for (int k = 0; same && k < a->target->array->n_dim; k++)
        same = a->index[k] && b->index[k] ? affine_equal(a->index[k], b->index[k]) : a->index[k] == b->index[k];
    return same && a->several == b->several && a->closed == b->closed;
}

static bool has_condition(const struct under_way *copy, const struct affine *a)
{
    for (int k = 0; k < copy->under.n; k++)
        if (affine_equal(copy->under.at[k], a))
            return true;
    return false;
}

static bool knows_all_of(const struct under_way *copy, const struct under_way *other)
{
    bool all = true;

    for (int k = 0; k < other->under.n && all; k++)
        all = has_condition(copy, other->under.at[k]);
    return all;
}

/* copy stands for both: it knows what both know. */
static void keep_common(struct copies *copies, struct under_way *copy, const struct under_way *other)
{
    const struct under_way all = *copy;

    copy->under.at = NULL;
    copy->under.n = copy->under.capacity = 0;
    for (int k = 0; k < all.under.n; k++)
        if (has_condition(other, all.under.at[k]))
            VEC_PUSH(copies->verifier->vars->arena, &copy->under, all.under.at[k]);
}

static void add(struct copies *copies, struct under_way copy)
{
    for (int k = 0, alike = 0; k < copies->at.n; k++) {
        struct under_way *other = &copies->at.at[k];
        if (!is_same(other, &copy))
            continue;
        if (++alike == ALIKE || knows_all_of(&copy, other)) {
            other->carried = other->carried > copy.carried ? other->carried : copy.carried;
            other->depth = other->depth < copy.depth ? other->depth : copy.depth;
            keep_common(copies, other, &copy);
            return;
        }
    }
    VEC_PUSH(copies->verifier->vars->arena, &copies->at, copy);
}

static void start(struct copies *copies, const struct node *assign)
{
    struct arena *arena = copies->verifier->vars->arena;
    const int n = assign->target.array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct under_way copy;

    for (int k = 0; k < n; k++)
        index[k] = common_value(copies, assign->target.index[k]);
    copy = (struct under_way){.target = &assign->target,
                              .source = &assign->value->element,
                              .index = index,
                              .depth = copies->depth,
                              .several = assign->neighbours > 1};
    for (int k = 0; k < copies->under.n; k++)
        VEC_PUSH(arena, &copy.under, copies->under.at[k]);
    add(copies, copy);
}

/* The copy without what is known of var, which is another one where it was started. */
static struct under_way without_conditions(struct arena *arena, struct under_way copy, const struct var *var)
{
    const struct under_way all = copy;

    copy.under.at = NULL;
    copy.under.n = copy.under.capacity = 0;
    for (int k = 0; k < all.under.n; k++)
        if (!affine_uses(all.under.at[k], var))
            VEC_PUSH(arena, &copy.under, all.under.at[k]);
    return copy;
}

/* The copy with value for var in what tells its target; NULL: that is not known any more. */
static struct under_way replaced(struct arena *arena, struct under_way copy, const struct var *var,
                                 const struct affine *value)
{
    const int n = copy.target->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);

    for (int k = 0; k < n; k++) {
        const bool moves = copy.index[k] && affine_uses(copy.index[k], var);
        index[k] = !moves ? copy.index[k] : value ? affine_substitute(arena, copy.index[k], var, value) : NULL;
    }
    copy.index = index;
    return without_conditions(arena, copy, var);
}

static struct copies none_like(const struct copies *copies)
{
    struct copies none = *copies;

    none.at.at = NULL;
    none.at.n = none.at.capacity = 0;
    return none;
}

static void join(struct copies *copies, const struct copies *more)
{
    for (int k = 0; k < more->at.n; k++)
        add(copies, more->at.at[k]);
}

/* Those under way where var, which node binds, is bound no more. */
static void leave(struct copies *copies, const struct var *var)
{
    struct copies left = none_like(copies);

    for (int k = 0; k < copies->at.n; k++)
        add(&left, replaced(copies->verifier->vars->arena, copies->at.at[k], var, NULL));
    *copies = left;
}

/* The most groups that a wait in the node leaves. */
static int most_left(const struct node *node)
{
    int most = node->kind == NODE_BARRIER && node->waits ? node->prior : 0;

    for (int k = 0; k < node->n_child; k++) {
        const int n = most_left(node->child[k]);
        most = n > most ? n : most;
    }
    return most;
}

/* Those under way at the end of an iteration, as they are told in the next one; beyond `exact` iterations that is not
 * known. */
static struct copies stepped(const struct copies *copies, const struct node *loop, int exact)
{
    struct arena *arena = copies->verifier->vars->arena;
    const bool one_by_one = loop->kind == NODE_LOOP && loop->axis == AXIS_NONE;
    const struct affine *before = affine_add_constant(arena, affine_var(arena, loop->var), -loop->step);
    struct copies next = none_like(copies);

    for (int k = 0; k < copies->at.n; k++) {
        const bool known = one_by_one && copies->at.at[k].carried < exact;
        struct under_way copy = replaced(arena, copies->at.at[k], loop->var, known ? before : NULL);
        copy.carried++;
        add(&next, copy);
    }
    return next;
}

/* The weakest condition that a >= 0 is: N - 1 >= 0 for N - 4 >= 0 where N is a multiple of 4. */
static const struct affine *weakest(const struct vars *vars, const struct affine *a)
{
    const struct affine_term *term = a->n_term == 1 && a->term->atom->kind == ATOM_VAR ? a->term : NULL;
    const struct var *var = term ? term->atom->var : NULL;
    int64_t modulus, above;

    if (!var || var->kind != VAR_PARAM || (term->factor != 1 && term->factor != -1))
        return a;
    modulus = vars->congruence[var->id].modulus;
    above = (term->factor * vars->congruence[var->id].residue + a->constant) % modulus;
    return affine_add_constant(vars->arena, a, modulus - 1 - (above < 0 ? above + modulus : above));
}

/* a >= 0 follows from b >= 0: it is more, by positions of the launch and a number. */
static bool follows(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const struct affine *more = affine_sub(arena, a, b);

    for (int k = 0; more && k < more->n_term; k++) {
        const struct atom *atom = more->term[k].atom;
        if (more->term[k].factor < 0 || atom->kind != ATOM_VAR || atom->var->position == AXIS_NONE)
            return false;
    }
    return more && more->constant >= 0;
}

static bool was_under(const struct vars *vars, const struct under_way *copy, const struct affine *a)
{
    a = weakest(vars, a);
    for (int k = 0; k < copy->under.n && a; k++)
        if (follows(vars->arena, a, copy->under.at[k]))
            return true;
    return false;
}

/* One of several alternatives: all of its conditions hold, each >= 0. Without any, nothing is known of it. */
struct alternative {
    VEC(const struct affine *) all;
};

/* a >= 0 as conditions that all hold: with each argument in the place of a least one. */
static void add_condition(struct arena *arena, struct alternative *alternative, const struct affine *a)
{
    for (int k = 0; a && k < a->n_term; k++) {
        const struct atom *atom = a->term[k].atom;
        const int64_t factor = a->term[k].factor;
        const struct affine *rest = affine_sub(arena, a, affine_scale(arena, affine_atom(arena, atom), factor));
        if (atom->kind != (factor > 0 ? ATOM_MIN : ATOM_MAX))
            continue;
        for (int n = 0; n < atom->n_arg; n++)
            add_condition(arena, alternative, affine_add(arena, rest, affine_scale(arena, atom->arg[n], factor)));
        return;
    }
    VEC_PUSH(arena, &alternative->all, a);
}

static bool holds_under(const struct vars *vars, const struct under_way *copy, const struct alternative *alternative)
{
    bool all = alternative->all.n > 0;

    for (int k = 0; k < alternative->all.n && all; k++)
        all = was_under(vars, copy, alternative->all.at[k]);
    return all;
}

/* Those that may be under way where none of the alternatives holds. */
static struct copies otherwise(const struct copies *copies, const struct alternative *alternative, int n)
{
    struct copies left = none_like(copies);

    for (int k = 0; k < copies->at.n; k++) {
        bool holds = false;
        for (int a = 0; a < n && !holds; a++)
            holds = holds_under(copies->verifier->vars, &copies->at.at[k], &alternative[a]);
        if (!holds)
            add(&left, copies->at.at[k]);
    }
    return left;
}

static void walk(struct copies *copies, const struct node *node);

/* The copies from before the loop that are among those in it. */
static struct copies started_before(const struct copies *inside, const struct copies *before)
{
    struct copies old = none_like(before);

    for (int k = 0; k < inside->at.n; k++)
        if (inside->at.at[k].depth <= before->depth)
            add(&old, inside->at.at[k]);
    return old;
}

/* Walks the first iterations of the loop with their values, at most n and as long as copies of `before` are under way.
 * Returns those that are after the last of them; *end: and after any of them. */
static struct copies first_iterations(const struct copies *before, const struct node *loop, int n, struct copies *end)
{
    struct arena *arena = before->verifier->vars->arena;
    const bool one_by_one = loop->kind == NODE_LOOP && loop->axis == AXIS_NONE;
    const struct affine *first = one_by_one ? valued(before, loop->lower) : NULL;
    struct copies inside = none_like(before), old;

    join(&inside, before);
    for (int k = 0; k < inside.at.n; k++)
        inside.at.at[k].carried = 0;
    inside.depth++;
    *end = none_like(before);
    for (int k = 0; k == 0 || (k < n && first && old.at.n > 0); k++) {
        inside.value[loop->var->id] = first ? affine_add_constant(arena, first, k * loop->step) : NULL;
        walk(&inside, loop->child[0]);
        old = started_before(&inside, before);
        join(end, &old);
    }
    inside.value[loop->var->id] = NULL;
    return old;
}

/* The number of iterations of the loop, a constant that is not too large to go through them one by one; 0: not so. */
static int few_iterations(const struct copies *copies, const struct node *loop)
{
    struct arena *arena = copies->verifier->vars->arena;
    const int64_t most = MOST_EACH / (copies->each > 1 ? copies->each : 1);
    const struct affine *length;
    int64_t n;

    if (loop->kind != NODE_LOOP || loop->axis != AXIS_NONE || loop->step == 0)
        return 0;
    length = valued(copies, affine_sub(arena, loop->upper, loop->lower));
    if (!length || !affine_is_constant(length, &n) || n / loop->step < 0 || n / loop->step >= most)
        return 0;
    return (int)(n / loop->step) + 1;
}

/* The copies under way after n iterations of the loop, each of which is walked with its value. */
static struct copies iterate_each(const struct copies *copies, const struct node *loop, int n)
{
    struct arena *arena = copies->verifier->vars->arena;
    struct copies inside = none_like(copies);

    join(&inside, copies);
    inside.each = n * (copies->each > 1 ? copies->each : 1);
    inside.depth++;
    for (int k = 0; k < n; k++) {
        inside.value[loop->var->id] = valued(copies, affine_add_constant(arena, loop->lower, k * loop->step));
        walk(&inside, loop->child[0]);
    }
    inside.value[loop->var->id] = NULL;
    for (int k = 0; k < inside.at.n; k++)
        inside.at.at[k].depth = inside.at.at[k].depth < copies->depth ? inside.at.at[k].depth : copies->depth;
    inside.depth = copies->depth;
    inside.each = copies->each;
    return inside;
}

/* The copies under way after the loop. Its body is walked until no copy is added to those under way at the start of an
 * iteration; the first iterations are walked with their values as well, for the copies started before the loop. */
static struct copies iterate(const struct copies *copies, const struct node *loop)
{
    const int exact = 1 + most_left(loop);
    struct copies end, old = first_iterations(copies, loop, exact, &end), start = stepped(&old, loop, exact), inside;

    for (int round = 0, n = -1; round < exact + 2 && n < start.at.n; round++) {
        n = start.at.n;
        inside = none_like(copies);
        inside.depth++;
        join(&inside, &start);
        walk(&inside, loop->child[0]);
        join(&end, &inside);
        inside = stepped(&inside, loop, exact);
        join(&start, &inside);
    }
    leave(&end, loop->var);
    for (int k = 0; k < end.at.n; k++) {
        end.at.at[k].carried = 0;
        end.at.at[k].depth = end.at.at[k].depth < copies->depth ? end.at.at[k].depth : copies->depth;
    }
    return end;
}

/* Some iterations, or none. */
static void walk_loop(struct copies *copies, const struct node *loop)
{
    struct arena *arena = copies->verifier->vars->arena;
    const struct affine *runs = NULL;
    struct alternative alternative = {0};
    struct copies before, after;
    int n;

    if (loop->kind == NODE_LOOP)
        runs =
            loop->step > 0 ? affine_sub(arena, loop->upper, loop->lower) : affine_sub(arena, loop->lower, loop->upper);
    runs = runs ? valued(copies, runs) : NULL;
    if (runs)
        add_condition(arena, &alternative, runs);
    before = otherwise(copies, &alternative, 1);
    for (int k = 0; k < alternative.all.n; k++)
        VEC_PUSH(arena, &copies->under, alternative.all.at[k]);
    n = few_iterations(copies, loop);
    after = n > 0 ? iterate_each(copies, loop, n) : iterate(copies, loop);
    copies->under.n -= alternative.all.n;
    copies->at = before.at;
    join(copies, &after);
}

/* Those of its conditions that can be told with the values of names; without any where one cannot. */
static struct alternative alternative_of(const struct copies *copies, const struct guard *guard)
{
    struct arena *arena = copies->verifier->vars->arena;
    struct alternative alternative = {0};

    for (int k = 0; k < guard->n; k++) {
        const struct affine *a = valued(copies, guard->condition[k].affine);
        if (!a)
            return (struct alternative){0};
        add_condition(arena, &alternative, a);
        if (guard->condition[k].equal)
            add_condition(arena, &alternative, affine_scale(arena, a, -1));
    }
    return alternative;
}

/* What is under way behind the child, which is entered under these conditions. */
static void walk_branch(struct copies *after, const struct copies *before, const struct alternative *alternative,
                        const struct node *child)
{
    struct copies branch = none_like(before);

    for (int k = 0; alternative && k < alternative->all.n; k++)
        VEC_PUSH(before->verifier->vars->arena, &branch.under, alternative->all.at[k]);
    join(&branch, before);
    walk(&branch, child);
    join(after, &branch);
}

/* One of the children, or none of them. What an IF decides is gone through once for each of its alternatives, and once
 * without them where data may decide it, too. */
static void walk_branches(struct copies *copies, const struct node *node)
{
    const bool always = node->kind == NODE_IF && node->n_child == 2;
    const int n = node->kind == NODE_IF ? node->n_alternative : 0;
    struct alternative *alternative = ARENA_ARRAY(copies->verifier->vars->arena, n + 1, struct alternative);
    struct copies after;

    for (int a = 0; a < n; a++)
        alternative[a] = alternative_of(copies, &node->alternative[a]);
    after = always ? none_like(copies) : otherwise(copies, alternative, n);
    for (int a = 0; a < n; a++)
        walk_branch(&after, copies, &alternative[a], node->child[0]);
    for (int k = n > 0 && !node->value ? 1 : 0; k < node->n_child; k++)
        walk_branch(&after, copies, NULL, node->child[k]);
    copies->at = after.at;
}

static void walk_assign(struct copies *copies, const struct node *assign)
{
    tree_expr_for_each(assign->value, check_read, copies);
    tree_expr_for_each(assign->guard_value, check_read, copies);
    if (assign->asynchronous)
        start(copies, assign);
    else
        check_write(copies, &assign->target);
}

/* The barrier closes groups, and waits for what is not in the latest ones. */
static void walk_barrier(struct copies *copies, const struct node *barrier)
{
    const int closes = barrier->waits ? 1 : barrier->prior;
    struct copies left = none_like(copies);

    for (int k = 0; k < copies->at.n; k++) {
        struct under_way copy = copies->at.at[k];
        copy.closed = copy.closed + closes < MOST_CLOSED ? copy.closed + closes : MOST_CLOSED;
        if (!barrier->waits || copy.closed <= barrier->prior)
            add(&left, copy);
    }
    *copies = left;
}

static bool is_loop(const struct node *node)
{
    return node->kind == NODE_LOOP || (node->kind == NODE_TUPLE && node->step != 0);
}

static void walk(struct copies *copies, const struct node *node)
{
    copies->verifier->at = node;
    tree_expr_for_each(node->kind == NODE_ASSIGN ? NULL : node->value, check_read, copies);
    if (node->kind == NODE_VALUE)
        copies->value[node->var->id] = valued(copies, node->lower);
    if (is_loop(node))
        walk_loop(copies, node);
    else if (node->kind == NODE_IF || node->kind == NODE_SWITCH)
        walk_branches(copies, node);
    else if (node->kind == NODE_ASSIGN)
        walk_assign(copies, node);
    else if (node->kind == NODE_BARRIER)
        walk_barrier(copies, node);
    else
        for (int k = 0; k < node->n_child; k++)
            walk(copies, node->child[k]);
    if (node->kind == NODE_VALUE)
        copies->value[node->var->id] = NULL;
}

void verify_copies(struct verifier *verifier, const struct node *kernel)
{
    struct copies copies = {.verifier = verifier};

    copies.value = ARENA_ARRAY(verifier->vars->arena, verifier->vars->all.n + 1, const struct affine *);
    walk(&copies, kernel->child[0]);
    verifier->at = kernel;
}
