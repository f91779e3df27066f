#include "lower/threads/streams.h"

#include "base/diag.h"
#include "caps/simd.h"
#include "lower/body/conditions.h"
#include "lower/facts/descend.h"
#include "plan/loop_plan.h"
#include "poly/sample.h"
#include "program/program.h"
#include "tree/layout.h"
#include "tree/visit.h"

#include <inttypes.h>
#include <string.h>

/* A step whose loop is in the tree. */
struct found {
    const struct step *step;
    int streamed, masked; /* vectors */
};

struct streams {
    struct arena *arena;
    const struct program *program;
    struct diags *diags;
    const struct simd *simd;
    VEC(struct found) found;
    VEC(const struct loop_stream *) inside; /* of the loops around; those with a condition where it holds */
    VEC(const struct loop_stream *) done;   /* with a condition, of which the place is one of the two sides */
    VEC(const struct node *) values;        /* VALUE nodes around */
    bool refused;
};

static struct found *found_of(struct streams *streams, const struct step *step)
{
    for (int k = 0; k < streams->found.n; k++)
        if (streams->found.at[k].step == step)
            return &streams->found.at[k];
    VEC_PUSH(streams->arena, &streams->found, ((struct found){.step = step}));
    return &streams->found.at[streams->found.n - 1];
}

static struct diag *refuse(struct streams *streams, const struct loop_stream *stream, const char *text)
{
    streams->refused = true;
    return diag_error(streams->diags, "stream", stream->step->place, "`%s` %s", stream->array, text);
}

/* Does one vector of n elements start where the bytes of the array's first are not known to be multiples of it? */
static bool check_start(struct streams *streams, const struct loop_stream *stream, const struct array *array, int n)
{
    const int64_t bytes = (int64_t)n * type_bits(array->type) / 8;
    struct diag *diag;

    if (array->align >= bytes)
        return true;
    diag = refuse(streams, stream,
                  arena_printf(streams->arena,
                               "need not start at a multiple of %" PRId64 " bytes, as "
                               "vectors that bypass the caches must",
                               bytes));
    diag_hint(streams->diags, diag, "\"align\": %" PRId64 " of the array says that callers see to it", bytes);
    return false;
}

/* "M = 1, N = 9" */
static const char *params_text(const struct streams *streams, const struct sample *sample)
{
    const char *text = "";

    for (int k = 0; k < streams->program->n_param && k < sample->n_param; k++)
        text = arena_printf(streams->arena, "%s%s%s = %" PRId64, text, k ? ", " : "", streams->program->param[k].name,
                            sample->param[k]);
    return text;
}

/* Is a a multiple of n here? *counter: a value that is none, and the parameters for which a has it; or NULL. */
static bool is_multiple(struct streams *streams, const struct facts *facts, const struct affine *a, int n,
                        const char **counter)
{
    const struct affine *both[2] = {a, affine_mod(streams->arena, a, n)};
    struct sample sample;
    int64_t rest;

    *counter = NULL;
    if (!both[1])
        return false;
    if (facts_constant(facts, both[1], &rest) && rest == 0)
        return true;
    isl_set *values = facts_values(facts, both, 2);
    isl_set *multiples = isl_set_fix_si(isl_set_copy(values), isl_dim_set, 1, 0);
    isl_set *others = isl_set_subtract(values, multiples);
    const bool none = isl_set_is_empty(others) == isl_bool_true && !facts_vacuous(facts);
    if (poly_smallest(streams->arena, others, &sample))
        *counter = arena_printf(streams->arena, "%" PRId64 " for %s", sample.dim[0], params_text(streams, &sample));
    return none;
}

/* Refuses since what is said need not be a multiple of n elements. */
static void refuse_place(struct streams *streams, const struct loop_stream *stream, const char *what, int n,
                         const char *counter, const char *hint)
{
    struct diag *diag =
        refuse(streams, stream,
               arena_printf(streams->arena, "%s of %d elements, as those that bypass the caches must be%s%s", what, n,
                            counter ? ": " : "", counter ? counter : ""));

    diag_hint(streams->diags, diag, "%s", hint);
}

/* Do all rows start at multiples of n elements when the first does? */
static bool check_rows(struct streams *streams, const struct facts *facts, const struct loop_stream *stream,
                       const struct array *array, int n)
{
    const struct scope parameters = {streams->program, facts->lowering->param_var, NULL};
    const struct affine *extent;
    const char *counter = NULL;

    if (array->n_dim == 1 || (affine_from_expr(streams->arena, &parameters,
                                               array->shape[array_dense_dimension(array, array->n_dim - 1)], &extent) &&
                              is_multiple(streams, facts, extent, n, &counter)))
        return true;
    refuse_place(streams, stream, "has rows whose length need not be a multiple", n, counter,
                 arena_printf(streams->arena, "\"assume\" that it is a multiple of %d, or stream \"if\" it is", n));
    return false;
}

static bool check_place(struct streams *streams, const struct facts *facts, const struct loop_stream *stream,
                        const struct element *target, int n)
{
    const struct affine *first = target->index[array_dense_dimension(target->array, target->array->n_dim - 1)];
    const char *counter;

    if (is_multiple(streams, facts, first, n, &counter))
        return true;
    refuse_place(streams, stream, "gets vectors that need not start at a multiple", n, counter,
                 "`pad` moves where `split` cuts; \"assume\" and \"if\" say what extents are multiples of");
    return false;
}

/* assign, all lanes of a vector, past the caches. */
static const struct node *streamed(struct streams *streams, const struct facts *facts, const struct node *assign,
                                   const struct loop_stream *stream)
{
    const struct array *array = assign->target.array;
    const int n = assign->vector->lanes;
    const struct simd_type *simd = simd_type_of(streams->simd, array->type, n);
    struct node *copy = ARENA_NEW(streams->arena, struct node);

    if (!simd || !simd->row[VECTOR_STREAM]) {
        refuse(streams, stream,
               arena_printf(streams->arena, "is stored by vectors of %d lanes of %s, which cannot bypass the caches", n,
                            type_name(array->type)));
        return assign;
    }
    if (!check_start(streams, stream, array, n) || !check_rows(streams, facts, stream, array, n) ||
        !check_place(streams, facts, stream, &assign->target, n))
        return assign;
    found_of(streams, stream->step)->streamed++;
    *copy = *assign;
    copy->streams = true;
    return copy;
}

static bool is_full(const struct vector *vector)
{
    return !vector->count && !vector->active;
}

static const struct node *stored(struct streams *streams, const struct facts *facts, const struct node *assign,
                                 const struct loop_stream *stream)
{
    if (!assign->vector || assign->vector->sum)
        return assign;
    if (assign->target.lane_step != 1 || assign->target.array->stride) {
        refuse(streams, stream, "is stored by lanes that are no neighbours, which cannot bypass the caches");
        return assign;
    }
    if (is_full(assign->vector) && !assign->guard_value)
        return streamed(streams, facts, assign, stream);
    found_of(streams, stream->step)->masked++;
    return assign;
}

static const struct loop_stream *stream_of(const struct streams *streams, const struct array *array)
{
    for (int k = streams->inside.n - 1; k >= 0; k--)
        if (strcmp(streams->inside.at[k]->array, array->name) == 0)
            return streams->inside.at[k];
    return NULL;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user);

/* The first stream of the loop, from stream on, that has a condition of which the place is not one side yet. */
static const struct loop_stream *undecided(const struct streams *streams, const struct loop_stream *stream)
{
    for (; stream; stream = stream->before) {
        bool decided = !stream->only_if;
        for (int k = 0; k < streams->done.n && !decided; k++)
            decided = streams->done.at[k] == stream;
        if (!decided)
            return stream;
    }
    return NULL;
}

static const struct loop_stream *streams_of(const struct node *node)
{
    return node->kind == NODE_LOOP && node->info && node->info->plan && !node->once ? node->info->plan->streams : NULL;
}

/* Loads of an array. */
struct loads {
    const char *array;
    bool any;
};

static void note_load(const struct tree_expr *expr, void *user)
{
    struct loads *loads = user;

    loads->any |= expr->kind == TREE_LOAD && strcmp(expr->element.array->name, loads->array) == 0;
}

static void note_loads(const struct node *node, void *user)
{
    struct loads *loads = user;

    tree_expr_for_each(node->value, note_load, user);
    tree_expr_for_each(node->guard_value, note_load, user);
    loads->any |=
        node->kind == NODE_ASSIGN && node->op != OP_NONE && strcmp(node->target.array->name, loads->array) == 0;
}

/* The loop of a step is in the tree. */
static void note_found(struct streams *streams, const struct node *loop, const struct loop_stream *stream)
{
    struct loads loads = {stream->array, false};
    const int n = streams->found.n;

    found_of(streams, stream->step);
    if (streams->found.n == n)
        return;
    node_for_each(loop, note_loads, &loads);
    if (loads.any)
        diag_warning(streams->diags, "stream", stream->step->place,
                     "`%s` is read in `%s`, too, from memory where it bypasses the caches", stream->array,
                     loop->info->name);
}

/* What the loop at the start of a unit asks for, and what is inside. */
static const struct node *walk_loop(struct streams *streams, const struct facts *facts, const struct node *loop)
{
    const int n = streams->inside.n;

    for (const struct loop_stream *stream = streams_of(loop); stream; stream = stream->before) {
        note_found(streams, loop, stream);
        if (!stream->only_if)
            VEC_PUSH(streams->arena, &streams->inside, stream);
    }
    loop = descend(facts, loop, walk, streams);
    streams->inside.n = n;
    return loop;
}

static const struct node *walk_unit(struct streams *streams, const struct facts *facts, const struct node *const *unit,
                                    int n);

/* unit with the stream where its condition holds, without elsewhere; as it is where nothing can be streamed. */
static const struct node *versions(struct streams *streams, const struct facts *facts, const struct node *const *unit,
                                   int n, const struct loop_stream *stream)
{
    struct arena *arena = streams->arena;
    const struct node **child = ARENA_ARRAY(arena, 2, const struct node *);
    struct node *node = ARENA_NEW(arena, struct node);
    struct facts inside = *facts;
    const int streamed_before = found_of(streams, stream->step)->streamed;

    VEC_PUSH(arena, &streams->done, stream);
    VEC_PUSH(arena, &streams->inside, stream);
    condition_assume(&inside, stream->only_if->condition);
    child[0] = walk_unit(streams, &inside, unit, n);
    streams->inside.n--;
    const bool any = found_of(streams, stream->step)->streamed > streamed_before;
    child[1] = walk_unit(streams, facts, unit, n);
    streams->done.n--;
    if (!any)
        return child[1];
    *node = (struct node){.kind = NODE_IF, .child = child, .n_child = 2, .comment = unit[0]->comment};
    node->value = condition_expr(facts->lowering, stream->only_if->condition);
    for (int k = 0; k < 2; k++)
        child[k] = child[k] ? node_with_comment(arena, child[k], NULL) : NULL;
    return child[0] && child[1] ? node : NULL;
}

/* Has a loop, the rest of another, no iteration where a condition holds? */
static bool never_runs(const struct streams *streams, const struct facts *facts, const struct node *loop)
{
    const struct affine *past = affine_sub(facts->lowering->arena, loop->lower, loop->upper);

    for (int k = streams->values.n - 1; k >= 0 && past; k--)
        past = affine_substitute(streams->arena, past, streams->values.at[k]->var, streams->values.at[k]->lower);

    return loop->step > 0 && past && facts_imply(facts, affine_add_constant(facts->lowering->arena, past, -1));
}

/* n nodes that follow each other, the later ones going on with the variable of the first. */
static const struct node *walk_unit(struct streams *streams, const struct facts *facts, const struct node *const *unit,
                                    int n)
{
    const struct node **part = ARENA_ARRAY(streams->arena, n, const struct node *);
    const struct loop_stream *stream = undecided(streams, streams_of(unit[0]));
    int n_part = 0;

    if (stream)
        return versions(streams, facts, unit, n, stream);
    for (int k = 0; k < n; k++) {
        if (k > 0 && streams->inside.n > 0 && never_runs(streams, facts, unit[k]))
            continue;
        part[n_part] = walk_loop(streams, facts, unit[k]);
        if (!part[n_part++])
            return NULL;
    }
    return node_block(streams->arena, part, n_part);
}

static const struct node *walk_block(struct streams *streams, const struct facts *facts, const struct node *block)
{
    const struct node **child = ARENA_ARRAY(streams->arena, block->n_child, const struct node *);
    struct node *copy = ARENA_NEW(streams->arena, struct node);
    int n = 0;

    for (int k = 0, end; k < block->n_child; k = end) {
        for (end = k + 1; end < block->n_child && block->child[end]->continues;)
            end++;
        child[n] =
            end > k + 1 ? walk_unit(streams, facts, &block->child[k], end - k) : walk(facts, block->child[k], streams);
        if (!child[n++])
            return NULL;
    }
    if (n < block->n_child && !block->comment && !node_is_scope(block))
        return node_block(streams->arena, child, n);
    *copy = *block;
    copy->child = child;
    copy->n_child = n;
    return copy;
}

static const struct node *walk(const struct facts *facts, const struct node *node, void *user)
{
    struct streams *streams = user;
    const struct loop_stream *stream = node->kind == NODE_ASSIGN ? stream_of(streams, node->target.array) : NULL;

    if (streams->refused)
        return node;
    if (stream)
        return stored(streams, facts, node, stream);
    if (node->kind == NODE_BLOCK)
        return walk_block(streams, facts, node);
    if (streams_of(node))
        return walk_unit(streams, facts, &node, 1);
    const int n = streams->values.n;
    if (node->kind == NODE_VALUE)
        VEC_PUSH(streams->arena, &streams->values, node);
    node = descend(facts, node, walk, user);
    streams->values.n = n;
    return node;
}

static void check_step(struct streams *streams, const struct loop_info *info, const struct loop_stream *stream)
{
    const int n = streams->found.n;
    const struct found found = *found_of(streams, stream->step);
    struct diag *diag;

    if (streams->found.n > n) {
        streams->refused = true;
        diag_error(streams->diags, "stream", stream->step->place,
                   "`%s` is no loop in the emitted code: it is written out, or one vector, or one iteration",
                   info->name);
    } else if (!found.streamed) {
        diag = refuse(streams, stream,
                      arena_printf(streams->arena,
                                   found.masked ? "is stored in `%s` by masked vectors only, which cannot "
                                                  "bypass the caches"
                                                : "is not stored by vectors in `%s`",
                                   info->name));
        diag_hint(streams->diags, diag,
                  found.masked ? "the tails `peel` and `exact` leave full vectors"
                               : "`vectorize` the loop that stores it");
    }
}

/* Iterations of a doacross loop wait for stores that others made, which must have come by then. */
static void check_waits(struct streams *streams, const struct node *node, bool waits)
{
    waits = waits || (node_is_parallel(node) && node->threads->doacross);
    for (int k = 0; node->streams && waits && !streams->refused && k < streams->found.n; k++) {
        const struct step *step = streams->found.at[k].step;
        const char *array = step_string(step, "stream", "");
        if (strcmp(array, node->target.array->name) != 0)
            continue;
        streams->refused = true;
        diag_hint(streams->diags,
                  diag_error(streams->diags, "stream", step->place,
                             "`%s` is stored in a doacross loop, whose iterations wait for each other: stores that "
                             "bypass the caches may come later",
                             array),
                  "leave this step out, or \"doacross\"");
    }
    for (int k = 0; k < node->n_child; k++)
        check_waits(streams, node->child[k], waits);
}

/* Every step must have found a loop, and vectors in it. */
static void check_found(struct streams *streams, const struct order *order)
{
    const struct loop_plan *plan = order->kind == ORDER_LOOP ? order->info->plan : NULL;

    for (const struct loop_stream *stream = plan ? plan->streams : NULL; stream && !streams->refused;
         stream = stream->before)
        check_step(streams, order->info, stream);
    for (int k = 0; k < order->n_child; k++)
        check_found(streams, order->child[k]);
}

static bool has_streams(const struct order *order)
{
    bool has = order->kind == ORDER_LOOP && order->info->plan && order->info->plan->streams;

    for (int k = 0; k < order->n_child && !has; k++)
        has = has_streams(order->child[k]);
    return has;
}

enum status lower_streams(struct arena *arena, const struct program *program, struct vars *vars,
                          const struct order *order, struct diags *diags, const struct node **tree)
{
    struct lowering lowering = lower_again(arena, program, vars, diags);
    struct streams streams = {.arena = arena,
                              .program = program,
                              .diags = diags,
                              .simd = simd_by_name(program->target.simd)};

    if (!has_streams(order))
        return STATUS_OK;
    const struct facts facts = facts_of_program(&lowering);
    *tree = walk(&facts, *tree, &streams);
    if (!streams.refused && *tree)
        check_found(&streams, order);
    if (!streams.refused && *tree)
        check_waits(&streams, *tree, false);
    return streams.refused ? STATUS_REFUSED : STATUS_OK;
}
