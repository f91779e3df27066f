#include "lower/vector/reuse/splats.h"

#include "base/vec.h"
#include "caps/simd.h"
#include "lower/vector/reuse/operands.h"
#include "lower/vector/reuse/strip.h"
#include "program/program.h"
#include "tree/visit.h"

/* Registers that a loop has for such values; with more of them, it is left to the compiler. */
enum { SPLATS_MAX = 4 };

struct splat {
    const struct tree_expr *value;
    int lanes;
    const struct var *var;
};

struct splats {
    struct lowering *lowering;
    VEC(const struct array *) set; /* variables that have a value at the place at hand */
    VEC(struct splat) known;       /* vectors of earlier strips, whose names hold */
    int first_known;               /* in functions and threads only those from here on do */
    bool beside_threads;           /* loops in threads are in the block at hand, whose region may take in all of it */
};

/* Loops over vectors, the second one over what the first one leaves. */
struct strip {
    struct lowering *lowering;
    const struct splats *splats;
    VEC(const struct var *) inner;     /* variables that they bind */
    VEC(const struct array *) written; /* arrays that they write */
    VEC(struct splat) found;
    bool knows; /* takes vectors of earlier strips */
};

static void look_at(const struct node *node, void *user)
{
    struct strip *strip = user;
    struct arena *arena = strip->lowering->arena;

    if (node->var)
        VEC_PUSH(arena, &strip->inner, node->var);
    if (node->kind == NODE_ASSIGN)
        VEC_PUSH(arena, &strip->written, node->target.array);
}

static bool has(const struct array *const *list, int n, const struct array *array)
{
    for (int k = 0; k < n; k++)
        if (list[k] == array)
            return true;
    return false;
}

/* Has the element the same value in all of the strip, and in front of it? */
static bool stays(const struct strip *strip, const struct tree_expr *load)
{
    const struct array *array = load->element.array;
    const bool given = array->role == ROLE_IN || array->role == ROLE_INOUT;

    return array->n_dim == 0 && load->integer == 0 && !array->is_buffer &&
           (given || has(strip->splats->set.at, strip->splats->set.n, array)) &&
           !has(strip->written.at, strip->written.n, array);
}

static bool uses_inner(const struct strip *strip, const struct affine *a)
{
    for (int k = 0; k < strip->inner.n; k++)
        if (affine_uses(a, strip->inner.at[k]))
            return true;
    return false;
}

/* Can expr be computed in front of the strip, even if that does nothing? */
static bool may_move(const struct strip *strip, const struct tree_expr *expr)
{
    const bool floats = type_is_float(expr->type);
    bool may = expr->kind == TREE_SCALAR || expr->kind == TREE_INT || expr->kind == TREE_REAL;

    if (expr->kind == TREE_LOAD)
        return stays(strip, expr);
    if (expr->kind == TREE_INDEX)
        return !uses_inner(strip, expr->affine);
    if (expr->kind == TREE_CAST)
        may = expr->type != TYPE_BOOL && (floats || !type_is_float(expr->arg[0]->type));
    if (expr->kind == TREE_BINARY || (expr->kind == TREE_UNARY && expr->op == OP_NEG))
        may = floats;
    for (int k = 0; k < expr->n_arg; k++)
        may = may && may_move(strip, expr->arg[k]);
    return may;
}

static bool is_literal(const struct tree_expr *expr)
{
    bool literal = expr->kind != TREE_LOAD && expr->kind != TREE_INDEX && expr->kind != TREE_SCALAR;

    for (int k = 0; k < expr->n_arg; k++)
        literal = literal && is_literal(expr->arg[k]);
    return literal;
}

static bool is_splat(const struct splat *splat, const struct tree_expr *expr, int lanes)
{
    return splat->lanes == lanes && splat->value->type == expr->type && tree_expr_equal(splat->value, expr);
}

static const struct var *name_of(struct strip *strip, const struct tree_expr *expr, int lanes)
{
    struct lowering *lowering = strip->lowering;
    const struct splats *splats = strip->splats;
    struct splat splat = {expr, lanes, NULL};

    for (int k = 0; k < strip->found.n; k++)
        if (is_splat(&strip->found.at[k], expr, lanes))
            return strip->found.at[k].var;
    for (int k = splats->first_known; k < splats->known.n; k++)
        if (is_splat(&splats->known.at[k], expr, lanes)) {
            strip->knows = true;
            return splats->known.at[k].var;
        }
    splat.var = lower_new_var(lowering, VAR_LOOP, operands_name(lowering, expr));
    VEC_PUSH(lowering->arena, &strip->found, splat);
    return splat.var;
}

/* How many arguments of expr are lanes of their own: not those that say where it loads, or how far it shifts. */
static int lane_args(const struct tree_expr *expr)
{
    const bool shifts = expr->kind == TREE_BINARY && (expr->op == OP_SHL || expr->op == OP_SHR);

    return expr->kind == TREE_LOAD || expr->kind == TREE_DOT ? 0 : shifts ? 1 : expr->n_arg;
}

/* expr with names for what may move. */
static const struct tree_expr *named(struct strip *strip, const struct tree_expr *expr, int lanes)
{
    struct arena *arena = strip->lowering->arena;
    const struct tree_expr **arg = ARENA_ARRAY(arena, expr->n_arg + 1, const struct tree_expr *);
    struct tree_expr *copy = ARENA_NEW(arena, struct tree_expr);

    if (tree_expr_uniform(expr)) {
        if (expr->type == TYPE_BOOL || is_literal(expr) || !may_move(strip, expr))
            return expr;
        *copy = (struct tree_expr){.kind = TREE_NAMED, .type = expr->type, .var = name_of(strip, expr, lanes)};
        return copy;
    }
    *copy = *expr;
    for (int k = 0; k < expr->n_arg; k++)
        arg[k] = k < lane_args(expr) ? named(strip, expr->arg[k], lanes) : expr->arg[k];
    copy->arg = arg;
    return copy;
}

static const struct node *with_names(struct strip *strip, const struct node *node)
{
    struct arena *arena = strip->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, node->n_child + 1, const struct node *);
    struct node *copy;

    for (int k = 0; k < node->n_child; k++)
        child[k] = with_names(strip, node->child[k]);
    if (node->n_child)
        node = node_with_children(arena, node, child);
    if (!node->vector || node->target.parts)
        return node;
    copy = ARENA_NEW(arena, struct node);
    *copy = *node;
    copy->value = named(strip, node->value, node->vector->lanes);
    if (node->guard_value)
        copy->guard_value = named(strip, node->guard_value, node->vector->lanes);
    return copy;
}

static const struct node *let(struct arena *arena, const struct splat *splat, const struct node *body)
{
    const struct node **child = ARENA_ARRAY(arena, 1, const struct node *);
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct node *node = ARENA_NEW(arena, struct node);

    *vector = (struct vector){.lanes = splat->lanes};
    child[0] = body;
    *node = (struct node){.kind = NODE_LET,
                          .op = OP_NONE,
                          .child = child,
                          .n_child = 1,
                          .var = splat->var,
                          .value = splat->value,
                          .vector = vector};
    return node;
}

/* Makes inside[0..n), the loops with names for what does not change in them; false: they are no strip, or have none. */
static bool find_names(struct strip *strip, const struct node *const *loop, int n, const struct node **inside)
{
    const int taken = strip->lowering->taken.used.n;

    if (!strip_is(loop, n))
        return false;
    for (int k = 0; k < n; k++)
        node_for_each(loop[k], look_at, strip);
    for (int k = 0; k < n; k++)
        inside[k] = with_names(strip, loop[k]);
    if ((strip->found.n > 0 || strip->knows) && strip->found.n <= SPLATS_MAX)
        return true;
    strip->lowering->taken.used.n = taken;
    return false;
}

/* The n nodes, of which the first ones are the strip, inside of its names. */
static const struct node *around(const struct strip *strip, const struct node *const *inside, int n)
{
    const struct node *node = node_block(strip->lowering->arena, inside, n);

    for (int k = strip->found.n - 1; k >= 0; k--)
        node = let(strip->lowering->arena, &strip->found.at[k], node);
    return node;
}

/* Notes what has a value behind node, whatever runs. */
static void note_set(struct splats *splats, const struct node *node)
{
    const bool sets =
        node->kind == NODE_ASSIGN && node->target.array->n_dim == 0 && !node->vector && !node->guard_value;

    if (sets)
        VEC_PUSH(splats->lowering->arena, &splats->set, node->target.array);
    for (int k = 0; k < node->n_child && (node->kind == NODE_BLOCK || node->kind == NODE_LET); k++)
        note_set(splats, node->child[k]);
}

static bool loads(const struct tree_expr *expr)
{
    bool found = expr->kind == TREE_LOAD;

    for (int k = 0; k < expr->n_arg; k++)
        found = found || loads(expr->arg[k]);
    return found;
}

/* What is in memory may change until the next strip. */
static void note_known(struct splats *splats, const struct strip *strip)
{
    for (int k = 0; k < strip->found.n; k++)
        if (!loads(strip->found.at[k].value))
            VEC_PUSH(splats->lowering->arena, &splats->known, strip->found.at[k]);
}

static const struct node *walk(struct splats *splats, const struct node *node);

/* Puts the new nodes for the n nodes into child and returns their number. A strip's names enclose all nodes behind it.
 */
static int walk_nodes(struct splats *splats, const struct node *const *node, int n, const struct node **child)
{
    struct arena *arena = splats->lowering->arena;
    struct strip strip = {.lowering = splats->lowering, .splats = splats};
    const struct node **inside = ARENA_ARRAY(arena, n + 1, const struct node *);

    if (n == 0)
        return 0;
    const int loops = strip_length(node, n);
    const bool found = !splats->beside_threads && find_names(&strip, node, loops, inside);
    for (int k = 0; k < loops; k++) {
        child[k] = found ? inside[k] : walk(splats, node[k]);
        note_set(splats, node[k]);
    }
    if (found)
        note_known(splats, &strip);
    n = loops + walk_nodes(splats, node + loops, n - loops, child + loops);
    if (!found)
        return n;
    for (int k = 0; k < n; k++)
        inside[k] = child[k];
    child[0] = around(&strip, inside, n);
    return 1;
}

/* block without blocks inside that only keep together what follows each other. */
static const struct node *flat(struct arena *arena, const struct node *block)
{
    const struct node *inside = node_block(arena, block->child, block->n_child);
    struct node *copy = ARENA_NEW(arena, struct node);

    if (inside->kind != NODE_BLOCK || inside->comment || node_is_scope(inside))
        return block;
    *copy = *block;
    copy->child = inside->child;
    copy->n_child = inside->n_child;
    return copy;
}

static const struct node *walk_block(struct splats *splats, const struct node *block)
{
    struct arena *arena = splats->lowering->arena;
    const bool beside_threads = splats->beside_threads;
    const int set = splats->set.n, known = splats->known.n;
    struct node *copy = ARENA_NEW(arena, struct node);
    const struct node **child;

    splats->beside_threads = strip_has_threads(block);
    if (!splats->beside_threads)
        block = flat(arena, block);
    child = ARENA_ARRAY(arena, block->n_child, const struct node *);
    *copy = *block;
    copy->n_child = walk_nodes(splats, block->child, block->n_child, child);
    copy->child = child;
    splats->beside_threads = beside_threads;
    splats->set.n = set;
    splats->known.n = known;
    return copy;
}

static const struct node *walk(struct splats *splats, const struct node *node)
{
    const bool opens = node->kind == NODE_LOOP || node->kind == NODE_IF || node->kind == NODE_CALL;
    const struct node **child = ARENA_ARRAY(splats->lowering->arena, node->n_child + 1, const struct node *);
    const bool beside_threads = splats->beside_threads;
    const int first_known = splats->first_known;
    struct strip strip = {.lowering = splats->lowering, .splats = splats};

    if (node->kind == NODE_BLOCK)
        return walk_block(splats, node);
    if (!beside_threads && find_names(&strip, &node, 1, child))
        return around(&strip, child, 1);
    if (node->kind == NODE_CALL || node->threads)
        splats->first_known = splats->known.n;
    splats->beside_threads = beside_threads && !opens;
    for (int k = 0; k < node->n_child; k++) {
        const int taken = splats->lowering->taken.used.n;
        child[k] = walk(splats, node->child[k]);
        if (opens)
            splats->lowering->taken.used.n = taken;
    }
    splats->beside_threads = beside_threads;
    splats->first_known = first_known;
    return node->n_child ? node_with_children(splats->lowering->arena, node, child) : node;
}

const struct node *lower_splats(struct lowering *lowering, const struct node *tree)
{
    const struct simd *simd = simd_by_name(lowering->program->target.simd);
    struct splats splats = {.lowering = lowering};

    if (!simd || simd->operators)
        return tree;
    lowering->taken.used.n = 0;
    lower_used_names(lowering, tree, &lowering->taken);
    return walk(&splats, tree);
}
