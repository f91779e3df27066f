/* inline: the statement that computes an array disappears into its readers (CINN's ComputeInline).
 *
 *     P: B[i, j] = A[i, j] + 1;   S: C[i, j] = 2 * B[j, i]     becomes     S: C[i, j] = 2 * (A[j, i] + 1)
 *
 * For each read the composition { S[..] -> B[..] } . { B[..] -> P[..] } says which instance of P it replaces. It is
 * legal when what P read then still has the same value when S reads it.
 */
#include "dep/compare.h"
#include "poly/coalesce.h"
#include "program/expr/index_expr.h"
#include "program/permit.h"
#include "program/rewrite.h"
#include "sched/program_step.h"
#include "sched/steps/moving.h"

#include <isl/space.h>

struct inlining {
    struct schedule *schedule;
    struct moving moving;
    struct program *program; /* the copy under change, the producer still in it */
    isl_map *runs;           /* { [read, s..] -> [p..] }: the instances of P that a reader's runs; NULL: none */
    int n_read;
};

/* Does expr use a loop as a value, outside of subscripts? */
static bool uses_loop_value(const struct expr *expr)
{
    if (expr->kind == EXPR_ACCESS)
        return false;
    if (expr->kind == EXPR_LOOP)
        return true;
    for (int k = 0; k < expr->n_arg; k++)
        if (uses_loop_value(expr->arg[k]))
            return true;
    return false;
}

/* The producer's loops as expressions of the reader's; false when one has no single expression. */
static bool loop_values(struct inlining *inlining, __isl_take isl_map *source, struct expr **value)
{
    isl_pw_multi_aff *instance = isl_pw_multi_aff_from_map(source);
    bool all = true;

    for (int k = 0; k < inlining->moving.producer->n_loop; k++) {
        isl_pw_aff *index = poly_pw_aff_coalesce(isl_pw_multi_aff_get_pw_aff(instance, k));
        isl_set *domain = isl_pw_aff_domain(isl_pw_aff_copy(index));
        index = isl_pw_aff_gist(index, domain);
        value[k] = index_expr_of(inlining->schedule->arena, inlining->schedule->program, index);
        all = all && value[k];
    }
    isl_pw_multi_aff_free(instance);
    return all;
}

/* The accesses that a copy of the producer's value brings into a reader. */
struct copying {
    struct inlining *inlining;
    struct expr *const *loop; /* what stands for the producer's loops */
    unsigned permit;          /* of the reader */
    isl_map *source;          /* { S[..] -> P[..] } */
    bool may;                 /* of the access that is replaced */
    VEC(struct access) added;
};

static void add_access(struct copying *copying, const struct expr *old, const struct expr *copy)
{
    const struct statement *producer = copying->inlining->moving.producer;
    struct arena *arena = copying->inlining->schedule->arena;

    for (int k = 1; k < producer->n_access; k++) {
        struct access access = producer->access[k];
        if (access.expr != old)
            continue;
        access.expr = copy;
        access.may = access.may || copying->may;
        access.map = program_step_keep_map(arena, isl_map_apply_range(isl_map_copy(copying->source),
                                                                      isl_map_copy(producer->access[k].map)));
        VEC_PUSH(arena, &copying->added, access);
    }
}

static struct expr *copy_value(struct copying *copying, const struct expr *expr)
{
    struct arena *arena = copying->inlining->schedule->arena;
    struct expr *copy;

    if (expr->kind == EXPR_LOOP)
        return copying->loop[expr->loop];
    copy = ARENA_NEW(arena, struct expr);
    *copy = *expr;
    copy->permit &= copying->permit;
    copy->arg = ARENA_ARRAY(arena, expr->n_arg + 1, struct expr *);
    for (int k = 0; k < expr->n_arg; k++)
        copy->arg[k] = copy_value(copying, expr->arg[k]);
    if (expr->kind == EXPR_ACCESS)
        add_access(copying, expr, copy);
    return copy;
}

/* The value as it would be after a store to the array and a load from it. */
static struct expr *stored_value(struct copying *copying)
{
    struct arena *arena = copying->inlining->schedule->arena;
    const struct expr *value = copying->inlining->moving.producer->value;
    struct expr *copy = copy_value(copying, value), *cast;

    if (value->type == copying->inlining->moving.array->type)
        return copy;
    cast = ARENA_NEW(arena, struct expr);
    *cast = (struct expr){.kind = EXPR_CAST,
                          .type = copying->inlining->moving.array->type,
                          .place = value->place,
                          .implicit = true,
                          .arg = ARENA_ARRAY(arena, 1, struct expr *),
                          .n_arg = 1};
    cast->arg[0] = copy;
    return cast;
}

static bool is_subscript(const struct expr *expr, const struct expr *wanted, bool inside)
{
    if (expr == wanted)
        return inside;
    for (int k = 0; k < expr->n_arg; k++)
        if (is_subscript(expr->arg[k], wanted, inside || expr->kind == EXPR_ACCESS))
            return true;
    return false;
}

static enum status check_read(struct inlining *inlining, const struct statement *reader, const struct access *access,
                              __isl_keep isl_map *source)
{
    if (isl_map_is_single_valued(access->map) != isl_bool_true || is_subscript(reader->value, access->expr, false) ||
        is_subscript(reader->target, access->expr, false) ||
        (reader->guard && is_subscript(reader->guard, access->expr, false)))
        return moving_refuse(&inlining->moving, NULL,
                             arena_printf(inlining->schedule->arena,
                                          "which element %s reads depends on data, or tells "
                                          "where something is",
                                          reader->label));
    return moving_check_sources(&inlining->moving, reader, access, source);
}

static int most_loops(const struct program *program)
{
    int most = 0;

    for (int s = 0; s < program->n_statement; s++)
        most = program->statement[s]->n_loop > most ? program->statement[s]->n_loop : most;
    return most;
}

/* Adds { S[..] -> P[..] } of one more read. */
static void note_runs(struct inlining *inlining, const struct statement *reader, __isl_take isl_map *source)
{
    const unsigned most = (unsigned)most_loops(inlining->schedule->program), own = (unsigned)reader->n_loop;

    source = isl_map_intersect_domain(source, isl_set_copy(reader->domain));
    source = isl_map_reset_tuple_id(isl_map_reset_tuple_id(source, isl_dim_in), isl_dim_out);
    source = isl_map_insert_dims(source, isl_dim_in, own, most - own);
    for (unsigned k = own; k < most; k++)
        source = isl_map_fix_si(source, isl_dim_in, k, 0);
    source = isl_map_fix_si(isl_map_insert_dims(source, isl_dim_in, 0, 1), isl_dim_in, 0, inlining->n_read++);
    inlining->runs = inlining->runs ? isl_map_union(inlining->runs, source) : source;
}

/* Those pairs of source of which the instance of P is the first in the description's order. */
static __isl_give isl_map *computed_before(__isl_keep isl_map *source, __isl_keep isl_schedule *original)
{
    isl_space *space = isl_space_reverse(isl_map_get_space(source));
    isl_union_map *pairs = isl_union_map_from_map(isl_map_reverse(isl_map_copy(source)));

    pairs = pairs_before(original, pairs);
    isl_map *before = isl_union_map_extract_map(pairs, space);
    isl_union_map_free(pairs);
    return isl_map_reverse(before);
}

/* Replaces one read in the reader's copy. */
static enum status inline_read(struct inlining *inlining, struct rewriting *rewriting, struct copying *copying,
                               const struct statement *reader, const struct access *access,
                               __isl_keep isl_schedule *original)
{
    struct expr **loop = ARENA_ARRAY(inlining->schedule->arena, inlining->moving.producer->n_loop + 1, struct expr *);
    enum status status;

    copying->source = moving_source(&inlining->moving, access);
    copying->may = access->may;
    copying->loop = loop;
    isl_map *before = computed_before(copying->source, original);
    status = check_read(inlining, reader, access, before);
    isl_map_free(before);
    if (status == STATUS_OK)
        status = moving_check_unchanged(&inlining->moving, reader, copying->source, original);
    if (status == STATUS_OK && !loop_values(inlining, isl_map_copy(copying->source), loop))
        status = moving_refuse(&inlining->moving, NULL, "its subscripts have no single inverse");
    if (status == STATUS_OK) {
        rewriting_add(rewriting, access->expr, stored_value(copying));
        note_runs(inlining, reader, isl_map_copy(copying->source));
    }
    isl_map_free(copying->source);
    return status;
}

/* The accesses that stay, then those that came in. */
static void set_accesses(struct inlining *inlining, struct statement *reader, const struct copying *copying)
{
    struct arena *arena = inlining->schedule->arena;
    struct access *access = ARENA_ARRAY(arena, reader->n_access + copying->added.n, struct access);
    int n = 0;

    for (int k = 0; k < reader->n_access; k++)
        if (reader->access[k].array != inlining->moving.array)
            access[n++] = reader->access[k];
    for (int k = 0; k < copying->added.n; k++)
        access[n++] = copying->added.at[k];
    reader->access = access;
    reader->n_access = n;
}

static enum status inline_into(struct inlining *inlining, struct statement *reader, struct rewriting *rewriting,
                               __isl_keep isl_schedule *original)
{
    struct copying copying = {.inlining = inlining, .permit = statement_permit(inlining->schedule->program, reader)};

    for (int k = 0; k < reader->n_access; k++) {
        if (reader->access[k].array != inlining->moving.array)
            continue;
        if (inline_read(inlining, rewriting, &copying, reader, &reader->access[k], original) != STATUS_OK)
            return STATUS_REFUSED;
    }
    set_accesses(inlining, reader, &copying);
    return STATUS_OK;
}

static enum status inline_everywhere(struct inlining *inlining, __isl_keep isl_schedule *original)
{
    struct program *program = inlining->program;
    const struct program *before = inlining->schedule->program;
    struct rewriting rewriting = {.arena = inlining->schedule->arena, .from = before->array, .to = before->array};
    bool any = false;

    for (int s = 0; s < program->n_statement; s++) {
        struct statement *reader = program->statement[s];
        if (!moving_reads(&inlining->moving, reader))
            continue;
        any = true;
        if (inline_into(inlining, reader, &rewriting, original) != STATUS_OK)
            return STATUS_REFUSED;
        reader->value = rewriting_apply(&rewriting, reader->value);
        reader->guard = rewriting_apply(&rewriting, reader->guard);
    }
    return any ? STATUS_OK : moving_refuse(&inlining->moving, NULL, "nothing reads it");
}

static enum status apply(struct schedule *schedule, const struct step *step)
{
    struct inlining inlining = {.schedule = schedule};
    isl_schedule *original;
    enum status status = moving_find(&inlining.moving, schedule, step, "inline");

    if (status != STATUS_OK)
        return status;
    if (uses_loop_value(inlining.moving.producer->value))
        return moving_refuse(&inlining.moving, NULL,
                             "its value is computed from a loop, which readers number differently");
    inlining.program = program_copy(schedule->arena, schedule->program);
    original = order_to_schedule(schedule->original);
    status = inline_everywhere(&inlining, original);
    isl_schedule_free(original);
    program_step_keep_map(schedule->arena, inlining.runs);
    if (status != STATUS_OK)
        return status;
    VEC_PUSH(schedule->arena, &schedule->repetitions,
             ((struct repetition){inlining.moving.producer->label, "its readers", inlining.runs}));
    return program_step_without(schedule, inlining.program, inlining.moving.producer, inlining.moving.array);
}

static const struct argument arguments[] = {
    {.key = "inline", .kind = ARGUMENT_TEXT, .required = true, .doc = "a temporary array with one writer"},
    {0},
};

const struct primitive primitive_inline = {
    .name = "inline",
    .summary = "compute an array where it is read",
    .rule = "A temporary disappears: where it is read, its value is computed from the operands of "
            "its only writer.",
    .proved = "The operands still have their values where the temporary is read. A writer that "
              "updates its array cannot be inlined. Values are recomputed, never approximated.",
    .argument = arguments,
    .apply = apply,
};
