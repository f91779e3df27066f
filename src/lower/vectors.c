#include "lower/vectors.h"

#include "caps/simd.h"
#include "lower/bound.h"
#include "lower/clamp.h"
#include "lower/facts.h"
#include "lower/operands.h"
#include "lower/registers.h"
#include "lower/subterms.h"
#include "plan/loop_plan.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <string.h>

/* Identities of lanes, which no other variable has. */
enum { FIRST_LANE = 1 << 28 };

struct path {
    const struct node *node;
    int child; /* into which the path goes on */
};

struct vectors {
    struct lowering *lowering;
    VEC(struct path) path; /* to the node at hand, outermost first */
    const struct simd *simd;
    bool asks_compiler;       /* the target's vectors are the compiler's business */
    const struct step *step;  /* that asked for the loop at hand */
    enum tail tail;           /* what is to become of its iterations that fill no vector */
    const struct var *lane;   /* of the loop at hand */
    int lanes;
    const struct affine *count; /* lanes below it are active; NULL: all */
    bool refused;
};

static const struct node *refuse(struct vectors *vectors, const char *hint, const char *text)
{
    if (!vectors->refused) {
        struct diag *diag = diag_error(vectors->lowering->diags, vectors->step->primitive->name, vectors->step->place,
                                       "%s", text);
        if (hint)
            diag_hint(vectors->lowering->diags, diag, "%s", hint);
    }
    vectors->refused = true;
    return NULL;
}

/* before, the name in backquotes, after */
static const struct node *refuse_name(struct vectors *vectors, const char *before, const char *name, const char *after)
{
    return refuse(vectors, NULL, arena_printf(vectors->lowering->arena, "%s`%s`%s", before, name, after));
}

static const struct affine *without_lane(struct arena *arena, const struct affine *a, void *user)
{
    const struct vectors *vectors = user;

    return affine_uses(a, vectors->lane) ? affine_substitute(arena, a, vectors->lane, affine_constant(arena, 0)) : a;
}

/* factor of the lane's variable in a; false when it occurs otherwise. */
static bool lane_factor(const struct vectors *vectors, const struct affine *a, int64_t *factor)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *rest;

    *factor = a ? affine_factor(a, vectors->lane) : 0;
    rest = a ? affine_sub(arena, a, affine_scale(arena, affine_var(arena, vectors->lane), *factor)) : NULL;
    return rest && !affine_uses(rest, vectors->lane);
}

/* How many elements of storage are between neighbouring lanes; false: not one constant. */
static bool lane_step(const struct vectors *vectors, const struct element *element, int64_t *step)
{
    const struct lowering *lowering = vectors->lowering;
    const struct array *array = element->array;
    const struct scope parameters = {lowering->program, lowering->param_var, NULL};
    int *order = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int);
    int64_t *ratio = ARENA_ARRAY(lowering->arena, array->n_dim + 1, int64_t), unit = array->stride ? 0 : 1, factor;

    *step = 0;
    array_steps(lowering->arena, &parameters, array, order, ratio);
    for (int k = array->n_dim - 1; k >= 0; k--) {
        if (!lane_factor(vectors, element->index[order[k]], &factor) || (factor && unit == 0))
            return false;
        *step += factor * unit;
        unit *= ratio[k];
    }
    return true;
}

static struct element in_lanes(struct arena *arena, const struct element *element, void *user)
{
    struct vectors *vectors = user;
    const int n = element->array->n_dim;
    const struct affine **index = ARENA_ARRAY(arena, n + 1, const struct affine *);
    struct element result = *element;

    if (!lane_step(vectors, element, &result.lane_step)) {
        refuse_name(vectors, "the lanes' elements of ", element->array->name, " are not a constant number apart");
        return *element;
    }
    for (int k = 0; k < n; k++)
        index[k] = without_lane(arena, element->index[k], vectors);
    result.index = index;
    return result;
}

static const struct node *assign_in_lanes(struct vectors *vectors, const struct node *node)
{
    struct arena *arena = vectors->lowering->arena;
    struct vector *vector = ARENA_NEW(arena, struct vector);
    struct node *copy = ARENA_NEW(arena, struct node);

    node = node_map_elements(arena, node, in_lanes, vectors);
    if (!node || vectors->refused)
        return NULL;
    if (node_uses(node, vectors->lane))
        return refuse(vectors, NULL, "the loop's own value as a number has no form in vectors yet");
    if (node->target.lane_step == 0)
        return refuse_name(vectors, "all lanes write the same element of ", node->target.array->name, "");
    *vector = (struct vector){.lanes = vectors->lanes, .count = vectors->count};
    *copy = *node;
    copy->vector = vector;
    return copy;
}

static const struct node *convert(struct vectors *vectors, const struct node *node);

static const struct node *convert_children(struct vectors *vectors, const struct node *node)
{
    const struct node **child = ARENA_ARRAY(vectors->lowering->arena, node->n_child, const struct node *);

    for (int k = 0; k < node->n_child; k++) {
        child[k] = convert(vectors, node->child[k]);
        if (!child[k])
            return NULL;
    }
    return node_with_children(vectors->lowering->arena, node, child);
}

/* The smaller of two counts; NULL: no bound. */
static const struct affine *least(struct arena *arena, const struct affine *a, const struct affine *b)
{
    const struct affine *both[2] = {a, b};

    return a && !affine_equal(a, b) ? affine_extreme(arena, ATOM_MIN, both, 2) : b;
}

static void find_shared_load(const struct tree_expr *expr, void *user)
{
    const struct array *array = expr->kind == TREE_LOAD ? expr->element.array : NULL;

    if (array && array->n_dim > 0 && !array->is_buffer && expr->element.lane_step == 0)
        *(bool *)user = true;
}

static void find_shared_loads(const struct node *node, void *user)
{
    if (node->kind == NODE_ASSIGN)
        tree_expr_for_each(node->value, find_shared_load, user);
}

/* Without active lanes nothing is loaded, except what all lanes share: then the mask alone is not enough. (A buffer
 * has room for all of a tile.) */
static const struct node *if_any_lane(struct vectors *vectors, const struct affine *count, const struct node *body)
{
    struct arena *arena = vectors->lowering->arena;
    struct condition *any = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    bool shared = false;

    node_for_each(body, find_shared_loads, &shared);
    if (!shared)
        return body;
    *any = (struct condition){affine_add_constant(arena, count, -1), false};
    *guard = (struct guard){any, 1};
    return node_if(arena, guard, 1, body);
}

static const struct node *refuse_rest(struct vectors *vectors, const char *name)
{
    const bool exact = vectors->tail == TAIL_EXACT;
    const char *registers = exact ? "" : ", whose values in registers cannot be had one by one";

    return refuse(vectors, exact ? "state the divisibility in `assume`, or use another `tail`" : "use the tail `mask`",
                  arena_printf(vectors->lowering->arena, "vectors of %d lanes do not divide the loop `%s`%s",
                               vectors->lanes, name, registers));
}

/* A condition that holds for the first lanes only says how many of them; the others stay conditions. */
static const struct node *convert_if(struct vectors *vectors, const struct node *node)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *count = vectors->count;
    struct condition *left = ARENA_ARRAY(arena, node->alternative[0].n + 1, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct vectors inside;
    const struct node *body;
    int n = 0;

    for (int k = 0; k < node->alternative[0].n; k++) {
        const struct condition *condition = &node->alternative[0].condition[k];
        int64_t factor;
        if (!lane_factor(vectors, condition->affine, &factor) || (factor && (factor != -1 || condition->equal)) ||
            (factor && node->n_alternative > 1))
            return refuse(vectors, NULL, "a condition that does not hold for the first lanes only has no mask yet");
        if (factor == 0)
            left[n++] = *condition;
        else
            count = least(arena, count,
                          affine_add_constant(arena, without_lane(arena, condition->affine, vectors), 1));
    }
    if (count != vectors->count && (vectors->tail == TAIL_EXACT || vectors->tail == TAIL_PEEL))
        return refuse_rest(vectors, vectors->lane->name);
    inside = *vectors;
    inside.count = count;
    body = convert(&inside, node->child[0]);
    vectors->refused = inside.refused;
    if (body && count != vectors->count)
        body = if_any_lane(vectors, count, body);
    if (!body || node->n_alternative > 1)
        return body ? node_with_body(arena, node, body) : NULL;
    *guard = (struct guard){left, n};
    return n ? node_if(arena, guard, 1, body) : body;
}

/* body of the loop at hand, for all its lanes. */
static const struct node *convert(struct vectors *vectors, const struct node *node)
{
    struct arena *arena = vectors->lowering->arena;

    switch (node->kind) {
    case NODE_ASSIGN:
        return assign_in_lanes(vectors, node);
    case NODE_IF:
        return convert_if(vectors, node);
    case NODE_VALUE:
        if (affine_uses(node->lower, vectors->lane))
            return convert(vectors, node_substitute(arena, node->child[0], node->var, node->lower));
        return convert_children(vectors, node);
    case NODE_LOOP:
        if (affine_uses(node->lower, vectors->lane) || affine_uses(node->upper, vectors->lane))
            return refuse_name(vectors, "the lanes run different iterations of ", node->var->name, "");
        return convert_children(vectors, node);
    default:
        return convert_children(vectors, node);
    }
}

static const struct node *first_assign(const struct node *node)
{
    while (node->n_child > 0)
        node = node->child[0];
    return node;
}

/* Lanes of one vector for n iterations; 0: the target has none. */
static int choose_lanes(const struct vectors *vectors, const struct loop_plan *plan, const struct node *loop,
                        int64_t n)
{
    const enum type type = first_assign(loop)->target.array->type;

    if (plan->lanes)
        return plan->lanes;
    if (vectors->tail == TAIL_MASK && loop->info->tile > n)
        n = loop->info->tile;
    if (n <= 64 && simd_type_of(vectors->simd, type, (int)n))
        return (int)n;
    return simd_widest(vectors->simd, type);
}

static const struct node *refuse_types(struct vectors *vectors)
{
    return refuse(vectors, "choose instructions: \"target\": {\"simd\": \"avx512\"}, \"avx2\" or \"sse4.2\"",
                  "the target has no vectors of this type");
}

/* loop's body with its variable as base and as many steps as the lane's number, at most count lanes of it active. */
static const struct node *lanes_of(struct vectors *vectors, const struct node *loop, const struct affine *base,
                                   const struct affine *count)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *value;

    vectors->lane = lower_new_var(vectors->lowering, VAR_LOOP, loop->var->name);
    vectors->count = count;
    value = affine_add(arena, base, affine_scale(arena, affine_var(arena, vectors->lane), loop->step));
    return convert(vectors, node_substitute(arena, loop->child[0], loop->var, value));
}

/* A copy of loop over vectors, from first to last, with this body. */
static const struct node *over_vectors(struct vectors *vectors, const struct node *loop, const struct affine *first,
                                       const struct affine *last, const struct node *body)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    if (!body || !first || !last)
        return NULL;
    *copy = *loop;
    copy->step = loop->step * vectors->lanes;
    copy->lower = first;
    copy->upper = last;
    copy->unroll = 0;
    return node_with_body(vectors->lowering->arena, copy, body);
}

static bool has_masks(const struct vectors *vectors, const struct node *loop)
{
    const struct simd_type *type =
        simd_type_of(vectors->simd, first_assign(loop)->target.array->type, vectors->lanes);

    return vectors->tail != TAIL_PEEL && type && type->lanes_name;
}

/* The iterations from first on, without vectors. */
static const struct node *one_by_one(struct vectors *vectors, const struct node *loop, const struct affine *first)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    *copy = *loop;
    copy->unroll = 0;
    copy->lower = first;
    return first ? copy : NULL;
}

/* More iterations than lanes: a loop over vectors, the last of them partial if need be. */
static const struct node *strip(struct vectors *vectors, const struct node *loop, int64_t n)
{
    struct arena *arena = vectors->lowering->arena;
    const int64_t whole = n / vectors->lanes * vectors->lanes;
    const struct affine *rest = affine_add_constant(arena, loop->lower, whole * loop->step);
    const struct node *part[2];
    int n_part = 0;

    if (whole < n && vectors->tail == TAIL_EXACT)
        return refuse_rest(vectors, loop->info->name);
    if (whole > 0)
        part[n_part++] = over_vectors(vectors, loop, loop->lower, affine_add_constant(arena, rest, -loop->step),
                                      lanes_of(vectors, loop, affine_var(arena, loop->var), NULL));
    if (whole < n && !has_masks(vectors, loop))
        part[n_part++] = one_by_one(vectors, loop, rest);
    else if (whole < n)
        part[n_part++] = lanes_of(vectors, loop, rest, affine_constant(arena, n - whole));
    if (whole < n && loop->comment)
        part[n_part - 1] = node_with_comment(arena, part[n_part - 1], loop->comment);
    for (int k = 0; k < n_part; k++)
        if (!part[k])
            return NULL;
    return node_block(arena, part, n_part);
}

/* lower + what whole vectors of step 1 there are up to upper take: where the rest starts. */
static const struct affine *rest_start(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *n = affine_add_constant(arena, affine_sub(arena, loop->upper, loop->lower), 1);

    return affine_add(arena, loop->lower,
                      affine_scale(arena, affine_floor(arena, n, vectors->lanes), vectors->lanes));
}

/* What is known inside of the path. */
static struct facts facts_here(struct vectors *vectors)
{
    struct facts facts = facts_of_program(vectors->lowering);

    for (int k = 0; k < vectors->path.n; k++)
        facts_enter(&facts, vectors->path.at[k].node, vectors->path.at[k].child);
    return facts;
}

static bool non_negative(void *user, const struct affine *a)
{
    return facts_imply(user, a);
}

/* The loop over the rest with its start as C divides; the loop may have no iterations at all. */
static const struct node *guarded_rest(struct vectors *vectors, const struct node *loop, const struct node *rest)
{
    struct arena *arena = vectors->lowering->arena;
    struct condition *some = ARENA_NEW(arena, struct condition);
    struct guard *guard = ARENA_NEW(arena, struct guard);
    struct facts facts = facts_here(vectors);

    *some = (struct condition){affine_sub(arena, loop->upper, loop->lower), false};
    *guard = (struct guard){some, 1};
    const bool always = facts_imply(&facts, affine_add_constant(arena, some->affine, 1));
    facts_assume_condition(&facts, some);
    rest = node_with_bounds(arena, rest, affine_mark_plain(arena, rest->lower, non_negative, &facts), rest->upper);
    return always || !rest ? rest : node_if(arena, guard, 1, rest);
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

/* Has the loop as many iterations as a vector has lanes, at most? */
static bool fits_one(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *left = affine_add_constant(arena, affine_sub(arena, loop->lower, loop->upper), vectors->lanes);
    const struct facts facts = facts_here(vectors);

    return left && facts_imply(&facts, affine_add_constant(arena, left, -1));
}

/* Has every vector of the loop all its lanes? */
static bool divides(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const struct affine *n = affine_add_constant(arena, affine_sub(arena, loop->upper, loop->lower), 1);
    const struct condition none_left = {n ? affine_mod(arena, n, vectors->lanes) : NULL, true};
    const struct facts facts = facts_here(vectors);

    return none_left.affine && facts_imply_condition(&facts, &none_left);
}

/* The same for a number of iterations that is known at run time only. */
static const struct node *long_strip(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    if (vectors->tail == TAIL_PEEL && fits_one(vectors, loop))
        return one_by_one(vectors, loop, loop->lower);
    if (vectors->tail == TAIL_EXACT && !divides(vectors, loop))
        return refuse_rest(vectors, loop->info->name);
    const struct affine *var = affine_var(arena, loop->var), *start = rest_start(vectors, loop);
    const struct affine *left = affine_add_constant(arena, affine_sub(arena, loop->upper, var), 1);
    const struct node *whole = over_vectors(vectors, loop, loop->lower,
                                            affine_add_constant(arena, loop->upper, 1 - vectors->lanes),
                                            lanes_of(vectors, loop, var, NULL));
    if (vectors->tail == TAIL_EXACT)
        return whole;
    const struct node *rest =
        has_masks(vectors, loop)
            ? over_vectors(vectors, loop, start, loop->upper, lanes_of(vectors, loop, var, left))
            : one_by_one(vectors, loop, start);

    if (!whole || !rest)
        return NULL;
    rest = loop->threads ? guarded_rest(vectors, loop, without_threads(arena, rest))
                         : continuing(arena, rest, has_masks(vectors, loop));
    rest = rest ? node_with_comment(arena, rest, arena_printf(arena, "tail of %s", loop->var->name)) : NULL;
    return node_block(arena, (const struct node *[]){whole, rest}, 2);
}

/* loop, which the compiler is to run in vectors. */
static const struct node *for_compiler(struct vectors *vectors, const struct node *loop)
{
    struct node *copy = ARENA_NEW(vectors->lowering->arena, struct node);

    *copy = *loop;
    copy->simd = true;
    copy->lanes = loop->info->plan->lanes;
    return copy;
}

static const struct node *vectorise(struct vectors *vectors, const struct node *loop)
{
    struct arena *arena = vectors->lowering->arena;
    const struct loop_plan *plan = loop->info->plan;
    int64_t distance;

    vectors->step = plan->vector_step;
    vectors->tail = plan->tail == TAIL_AUTO && loop->info->rest == TAIL_MASK ? TAIL_MASK : plan->tail;
    if (vectors->asks_compiler)
        return for_compiler(vectors, loop);
    if (affine_is_constant(affine_sub(arena, loop->upper, loop->lower), &distance)) {
        const int64_t n = distance / loop->step + 1;
        vectors->lanes = choose_lanes(vectors, plan, loop, n);
        if (vectors->lanes == 0 || !vectors->simd)
            return refuse_types(vectors);
        return n == vectors->lanes ? lanes_of(vectors, loop, loop->lower, NULL) : strip(vectors, loop, n);
    }
    if (loop->step != 1)
        return refuse_name(vectors, "", loop->info->name, " does not run through neighbouring values");
    vectors->lanes = choose_lanes(vectors, plan, loop, INT32_MAX);
    if (vectors->lanes == 0 || !vectors->simd)
        return refuse_types(vectors);
    return long_strip(vectors, loop);
}

/* The body of a loop that has an array of vectors for itself; each branch of a condition on its own. */
static const struct node *without_branches(struct vectors *vectors, const struct node *body,
                                           const struct array *array)
{
    struct arena *arena = vectors->lowering->arena;
    const struct node **child = ARENA_ARRAY(arena, body->n_child + 1, const struct node *);
    struct facts facts = facts_here(vectors);

    for (int k = 0; k < body->n_child && body->kind == NODE_IF; k++) {
        struct facts inside = facts;
        facts_enter(&inside, body, k);
        child[k] = clamp_rows(&inside, body->child[k], array);
    }
    body = body->kind == NODE_IF ? node_with_children(arena, body, child) : clamp_rows(&facts, body, array);
    return body;
}

static const struct node *clamped(struct vectors *vectors, const struct node *loop)
{
    const struct node *body = loop->child[0];

    VEC_PUSH(vectors->lowering->arena, &vectors->path, ((struct path){loop, 0}));
    for (int k = 0; k < loop->n_local && body; k++)
        if (loop->local[k]->in_registers && loop->local[k]->n_dim > 0)
            body = without_branches(vectors, body, loop->local[k]);
    vectors->path.n--;
    return body ? node_with_body(vectors->lowering->arena, loop, body) : NULL;
}

static const struct node *walk(struct vectors *vectors, const struct node *node)
{
    const struct node **child;

    if ((node->kind == NODE_LOOP || node->kind == NODE_CALL) && node->n_local > 0)
        node = clamped(vectors, node);
    if (!node)
        return NULL;
    if (node->kind == NODE_LOOP && node->info && node->info->plan && node->info->plan->vector)
        return vectorise(vectors, node);
    if (node->n_child == 0)
        return node;
    child = ARENA_ARRAY(vectors->lowering->arena, node->n_child, const struct node *);
    for (int k = 0; k < node->n_child; k++) {
        VEC_PUSH(vectors->lowering->arena, &vectors->path, ((struct path){node, k}));
        child[k] = walk(vectors, node->child[k]);
        vectors->path.n--;
        if (!child[k])
            return NULL;
    }
    return node_with_children(vectors->lowering->arena, node, child);
}

enum status lower_vectors(struct arena *arena, const struct program *program, const struct node *tree,
                          const struct var *const *param_var, struct diags *diags, const struct node **vectors)
{
    struct lowering lowering = {.arena = arena, .program = program, .param_var = param_var, .diags = diags,
                                .next_var = FIRST_LANE};
    struct vectors state = {.lowering = &lowering, .simd = simd_by_name(program->target.simd),
                            .asks_compiler = program->target.simd && strcmp(program->target.simd, "omp") == 0};

    lowering.taken.arena = arena;
    *vectors = walk(&state, tree);
    if (state.refused || (*vectors && !lower_check_registers(&lowering, *vectors)))
        return STATUS_REFUSED;
    if (!*vectors)
        return STATUS_OK;
    *vectors = lower_subterms(&lowering, lower_operands(&lowering, *vectors));
    return STATUS_OK;
}
